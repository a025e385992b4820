import type { Live } from '../../live/report.ts';
import { scoreNames, scoreOf } from '../figures.ts';
import type { Report } from '../report.ts';
import { html, type Markup } from './markup.ts';
import { anchorOf, type Section, wide } from './section.ts';

/** How each scenario fared in its trials, where a model played. */
export function trialsSection({ live }: Report): Section | undefined {
  if (live === undefined) return undefined;
  const content = html`<p>${live.model} over ${live.api}, ${live.trials} of each. Curves begin at k = 1: pass^k, all of k trials pass; pass@k, at least one does.</p>
${wide(
  'Trials of each scenario',
  html`<table class="trials"><caption>Trials of each scenario</caption><thead><tr><th scope="col">Scenario</th>${scoreNames.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>${live.scenarios.map(
    (it) =>
      html`<tr><th scope="row"><a href="#${anchorOf(it.id)}">${it.id}</a></th>${scoreOf(it).map((value) => html`<td class="sum">${value}</td>`)}</tr>`,
  )}</tbody></table>`,
)}${lost(live)}`;
  return { id: 'trials', title: 'Trials', content };
}

const lost = ({ infrastructure }: Live): Markup | undefined =>
  infrastructure.length === 0
    ? undefined
    : html`<h3>Lost, which says nothing about the agent</h3><ul class="failed">${infrastructure.map(
        ({ scenario, trial, because }) =>
          html`<li><a href="#${anchorOf(scenario)}">${scenario}</a>, trial ${trial}: ${because}</li>`,
      )}</ul>`;
