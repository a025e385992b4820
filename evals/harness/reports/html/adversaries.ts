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
export function adversariesSection({ adversaries }: Report): Section | undefined {
  if (adversaries === undefined) return undefined;
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
  return { id: 'adversaries', title: 'Adversaries', content };
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
