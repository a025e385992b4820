import { misbehaves } from '../../adversaries/about.ts';
import type { Report } from '../report.ts';
import { html, type Markup } from './markup.ts';
import { anchorOf, plural, type Section, showing, wide } from './section.ts';

type AdversaryRun = NonNullable<Report['adversaries']>[number];
const outcomes = ['stopped', 'caught', 'harmless', 'unnoticed'] as const;
const about = {
  stopped: 'a rule refused it',
  caught: 'a grader failed it',
  harmless: 'the world ended as expected',
  unnoticed: 'no rule and no grader noticed',
} as const;

/** How the runs of each adversary ended. */
export function adversariesSection({ adversaries, badAgents }: Report): Section | undefined {
  if (adversaries === undefined && badAgents === undefined) return undefined;
  const content = html`${adversaries === undefined ? undefined : endings(adversaries)}${badAgents === undefined ? undefined : conduct(badAgents)}`;
  return { id: 'adversaries', title: 'Bad agents', content };
}

/** How many of the scenarios that it changes each bad agent passes, without being noticed. */
function conduct({ seed, oneIn, agents }: NonNullable<Report['badAgents']>): Markup {
  const share = (passed: number, played: number): string =>
    `${played === 0 ? '0.0' : ((100 * passed) / played).toFixed(1)}\u00a0%`;
  return html`<h3>Agents that do the work, and something bad beside it</h3>
<p>Played with seed ${seed}; what they and adversaries do in one scenario of ${oneIn}, what they say in all.</p>${wide(
    'Bad agents and what they passed',
    html`<table class="matrix conduct"><caption>${plural(agents.length, 'bad agent')}</caption>
<thead><tr><th scope="col">Agent</th><th scope="col">Played</th><th scope="col">Passed</th><th scope="col">Share</th></tr></thead>
<tbody>${agents.map(
      ({ agent, played, passed }) =>
        html`<tr><th scope="row">${agent}<small>${misbehaves[agent]}</small></th><td class="sum">${played}</td>${
          passed.length === 0
            ? html`<td class="cell done">0</td>`
            : html`<td class="cell unnoticed">${showing(passed, `passed by ${agent}`, passed.length)}</td>`
        }<td class="sum">${share(passed.length, played)}</td></tr>`,
    )}</tbody></table>`,
  )}`;
}

function endings(adversaries: readonly AdversaryRun[]): Markup {
  const names = [...new Set(adversaries.map(({ adversary }) => adversary))];
  const found = adversaries.filter(({ outcome, broken }) => outcome === 'unnoticed' || broken.length > 0);
  const content = html`${findings(found)}${wide(
    'Adversaries and how each run ended',
    html`<table class="matrix adversaries"><caption>${plural(adversaries.length, 'run')} of ${plural(names.length, 'adversarial agent')}</caption>
<thead><tr><th scope="col">Agent</th>${outcomes.map((outcome) => html`<th scope="col">${outcome}<br><small>${about[outcome]}</small></th>`)}</tr></thead>
<tbody>${names.map(
      (adversary) =>
        html`<tr><th scope="row">${adversary}</th>${outcomes.map((outcome) => {
          const some = adversaries.filter((it) => it.adversary === adversary && it.outcome === outcome);
          if (some.length === 0) return html`<td class="cell void"><span class="unseen">0</span></td>`;
          const ids = some.map(({ scenario }) => scenario);
          return html`<td class="cell ${outcome}">${showing(ids, `${adversary} ${outcome}`, some.length)}</td>`;
        })}</tr>`,
    )}</tbody></table>`,
  )}`;
  return content;
}

const findings = (found: readonly AdversaryRun[]): Markup =>
  found.length === 0
    ? html`<p>Every run was stopped, caught or harmless, and none broke an invariant.</p>`
    : html`<ul class="failed">${found.map(
        ({ adversary, scenario, outcome, broken }) =>
          html`<li><strong>${adversary}</strong>, ${outcome}: <a href="#${anchorOf(scenario)}">${scenario}</a>${
            broken.length === 0
              ? undefined
              : html`<ul>${broken.map(({ at, because }) => html`<li><code>${at}</code> ${because}</li>`)}</ul>`
          }</li>`,
      )}</ul>`;
