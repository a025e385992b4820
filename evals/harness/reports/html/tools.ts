import type { Report } from '../report.ts';
import { html, type Markup } from './markup.ts';
import { showing, wide } from './section.ts';

type Scenario = Report['scenarios'][number];

/** Shades of a cell, by how many calls it counts. */
const shades = [1, 4, 16, 64] as const;
const shadeOf = (calls: number): number => shades.filter((least) => calls >= least).length;

/** Tools against outcomes: how many calls ended so, in whatever scenario. */
export function toolTable(scenarios: readonly Scenario[], coverage: NonNullable<Report['coverage']>): Markup {
  const calls = scenarios.flatMap(({ id, transcript }) =>
    transcript.flatMap((it) =>
      it.kind === 'call' ? { id, tool: it.tool, outcome: it.outcome ?? (it.isError ? 'error' : 'answered') } : [],
    ),
  );
  const tools = [...new Set([...coverage.tools.map(({ name }) => name), ...calls.map(({ tool }) => tool)])];
  const outcomes = [...new Set([...coverage.outcomes.map(({ name }) => name), ...calls.map(({ outcome }) => outcome)])];
  return wide(
    'Tools and outcomes',
    html`<table class="matrix tools"><caption>Calls by tool and outcome</caption>
<thead><tr><th scope="col">Tool</th>${outcomes.map((outcome) => html`<th scope="col">${outcome.replaceAll('_', ' ')}</th>`)}<th scope="col">Calls</th></tr></thead>
<tbody>${tools.map((tool) => {
      const own = calls.filter((it) => it.tool === tool);
      return html`<tr><th scope="row"><code>${tool}</code></th>${outcomes.map((outcome) => {
        const some = own.filter((it) => it.outcome === outcome);
        if (some.length === 0) return html`<td class="cell void"><span class="unseen">0</span></td>`;
        const ids = [...new Set(some.map(({ id }) => id))];
        return html`<td class="cell shade${shadeOf(some.length)}">${showing(ids, `${tool}, ${outcome.replaceAll('_', ' ')}`, some.length)}</td>`;
      })}<td class="sum${own.length === 0 ? ' lacking' : ''}">${own.length}</td></tr>`;
    })}</tbody></table>`,
  );
}
