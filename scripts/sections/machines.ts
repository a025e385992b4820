import { type Machine, mermaid, type Row } from '../../src/core/machine.ts';
import { approval, event, operation } from '../../src/core/own-machines.ts';
import { domains } from '../../src/domains/index.ts';
import { fenced, table } from './markdown.ts';

/** Every machine by name: those of the domains, and those of the ledger's own rows. */
export const machines: readonly Machine[] = [
  ...Object.values(domains).flatMap((domain): readonly Machine[] => Object.values(domain.machines)),
  ...[operation, approval, event],
].toSorted((one, other) => (one.name < other.name ? -1 : 1));

/** A picture and the table of every machine. */
export const machinePages = (): string => machines.map(page).join('\n\n');

/** How many rows of each machine no document shows. */
export function assumedRows(): string {
  const counts = machines.filter(({ assumed }) => assumed.length > 0);
  const total = counts.reduce((sum, { assumed }) => sum + assumed.length, 0);
  return `Besides these, ${total} rows of the state machines are assumed (${counts.map(({ name, assumed }) => `${name} ${assumed.length}`).join(', ')}): [docs/machines.md](machines.md) marks each.`;
}

function page(it: Machine): string {
  const row =
    (source: string) =>
    ([state, trigger, condition, next, then = '']: Row): readonly string[] => [
      state,
      trigger,
      condition,
      next,
      then,
      it.actors[trigger] ?? 'agent',
      source,
    ];
  const rows = [...it.rows.map(row(it.source)), ...it.assumed.map(row('**assumed**'))];
  return [
    `### ${it.name}`,
    fenced('mermaid', mermaid(it)),
    table(['State', 'Trigger', 'Condition', 'Next state', 'Then', 'Pulled by', 'Source'], rows),
  ].join('\n\n');
}
