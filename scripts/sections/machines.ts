import { readdirSync } from 'node:fs';
import { type Machine, mermaid, type Row } from '../../src/machines/machine.ts';
import { fenced, table } from './markdown.ts';

const folder = new URL('../../src/machines/', import.meta.url);

/** Every machine, by the name of its file: a new file is a new section. */
async function machines(): Promise<readonly Machine[]> {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && file !== 'machine.ts')
    .map((file) => file.slice(0, -'.ts'.length))
    .toSorted();
  return Promise.all(names.map(async (name) => (await import(new URL(`${name}.ts`, folder).href))[name] as Machine));
}

/** A picture and the table of every machine. */
export const machinePages = async (): Promise<string> => (await machines()).map(page).join('\n\n');

/** How many rows of each machine no document shows. */
export async function assumedRows(): Promise<string> {
  const counts = (await machines()).filter(({ assumed }) => assumed.length > 0);
  const total = counts.reduce((sum, { assumed }) => sum + assumed.length, 0);
  return `Besides these, ${total} rows of the state machines are assumed (${counts.map(({ name, assumed }) => `${name} ${assumed.length}`).join(', ')}): [docs/machines.md](docs/machines.md) marks each.`;
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
