import type { Report } from '../report.ts';
import { html, type Markup } from './markup.ts';
import { anchorOf, plural, type Section, wide } from './section.ts';

type Fate = NonNullable<Report['mutation']>[number];

/** Which rules could be wrong without anybody noticing. */
export function mutationSection({ mutation }: Report): Section | undefined {
  if (mutation === undefined) return undefined;
  const survivors = mutation.filter(({ killedBy }) => killedBy === undefined);
  const runs = mutation.reduce((sum, it) => sum + it.runs, 0);
  const rules = [...Map.groupBy(mutation, ({ rule }) => rule)];
  const content = html`<p>${mutation.length - survivors.length} of ${plural(mutation.length, 'mutant')} noticed, in ${plural(runs, 'run')}.</p>
${survivors.length === 0 ? undefined : html`<h3>Survivors</h3><ul class="failed">${survivors.map(({ id, runs: tried }) => html`<li><code>${id}</code>, in ${plural(tried, 'run')}</li>`)}</ul>`}
${wide(
  'Mutants of each rule',
  html`<table class="matrix mutants"><caption>Mutants of each rule</caption><thead><tr><th scope="col">Rule</th><th scope="col">Noticed</th><th scope="col">Mutants, and what noticed them</th></tr></thead>
<tbody>${rules.map(([rule, all]) => rowOf(rule, all))}</tbody></table>`,
)}`;
  return { id: 'mutation', title: 'Mutants', content };
}

const rowOf = (rule: string, all: readonly Fate[]): Markup => {
  const noticed = all.filter(({ killedBy }) => killedBy !== undefined).length;
  return html`<tr><th scope="row"><span class="rule">${rule}</span></th><td class="cell ${noticed === all.length ? 'done' : 'lacking'}">${noticed} of ${all.length}</td>
<td><details><summary>${[...new Set(all.map(({ how }) => how))].join(', ')}</summary><ul>${all.map(
    ({ id, killedBy, because }) =>
      html`<li><code>${id}</code>: ${killedBy === undefined ? html`<strong>survives</strong>` : html`<a href="#${anchorOf(killedBy)}">${killedBy}</a>, ${because}`}</li>`,
  )}</ul></details></td></tr>`;
};
