import type { Report } from '../report.ts';
import { html, type Markup, type Part } from './markup.ts';
import { plural, showing, wide } from './section.ts';

type Coverage = NonNullable<Report['coverage']>;

/** A pair of state and trigger, as a coverage names it: `machine: from → trigger`, with `→ to` where a row joins them. */
interface Named {
  readonly machine: string;
  readonly from: string;
  readonly trigger: string;
  readonly to: string | undefined;
  readonly by: readonly string[];
  readonly beyond: string | undefined;
}

/** Each machine as a table of its states and triggers: where a row leads, and what must be refused. */
export function machineTables({ transitions, forbidden }: Coverage): Markup {
  const machines = Map.groupBy([...transitions, ...forbidden].map(read), ({ machine }) => machine);
  return html`<div class="machines">${[...machines].map(([machine, all]) =>
    wide(`Transitions of ${machine}`, tableOf(machine, all)),
  )}</div>`;
}

function read({ name, by, beyond }: Coverage['transitions'][number]): Named {
  const [, machine = name, from = '', trigger = '', to] = /^(.+?): (.+?) → (.+?)(?: → (.+))?$/.exec(name) ?? [];
  return { machine, from, trigger, to, by, beyond };
}

function tableOf(machine: string, all: readonly Named[]): Markup {
  const states = [...new Set(all.map(({ from }) => from))];
  const triggers = [...new Set(all.map(({ trigger }) => trigger))];
  const never = all.filter(({ by }) => by.length === 0);
  const beyond = never.filter((it) => it.beyond !== undefined).length;
  const told = never.length === beyond ? 'all exercised' : `${never.length - beyond} never`;
  return html`<table class="matrix states"><caption>${machine}: ${plural(all.length - beyond, 'pair')}, ${told}${beyond === 0 ? '' : `, ${beyond} not by a scenario`}</caption>
<thead><tr><th scope="col">State</th>${triggers.map((trigger) => html`<th scope="col">${trigger}</th>`)}</tr></thead>
<tbody>${states.map(
    (state) =>
      html`<tr><th scope="row">${state}</th>${triggers.map((trigger) =>
        cellOf(all.filter((it) => it.from === state && it.trigger === trigger)),
      )}</tr>`,
  )}</tbody></table>`;
}

/** One cell: a pair may lead to more than one state. */
function cellOf(pairs: readonly Named[]): Markup {
  if (pairs.length === 0) return html`<td class="cell void"><span class="unseen">cannot be</span></td>`;
  const lines: readonly Part[] = pairs.map((pair) => {
    const what = pair.to === undefined ? '✗ refused' : `→ ${pair.to}`;
    const why = `${pair.machine}: ${pair.from}, ${pair.trigger}, ${pair.to ?? 'refused'}`;
    const never = pair.beyond === undefined ? 'never' : `not by a scenario: ${pair.beyond}`;
    return html`<span class="line">${pair.by.length === 0 ? `${what}: ${never}` : showing(pair.by, why, `${what} ${pair.by.length}`)}</span>`;
  });
  const lacking = pairs.some(({ by, beyond }) => by.length === 0 && beyond === undefined);
  if (pairs.every(({ beyond }) => beyond !== undefined)) return html`<td class="cell beyond">${lines}</td>`;
  return html`<td class="cell ${lacking ? 'lacking' : pairs.some(({ to }) => to !== undefined) ? 'done' : 'refused'}">${lines}</td>`;
}
