import { listOperations, settleUnknown } from '../../engine/people.ts';
import { toolName } from '../../engine/tool.ts';
import type { OperationRow } from '../../ledger/ledger.ts';
import { operation as machine } from '../../machines/operation.ts';
import { BadConfiguration } from '../config.ts';
import type { Common } from '../main.ts';
import { columns, iso, NotDone, say, sayJson } from '../say.ts';
import { configured, demandLedger, personHere, withPurser } from '../session.ts';

/** `purser operations list`. */
export async function list(options: Common & { readonly state?: string; readonly limit: number }): Promise<number> {
  const configuration = await configured(options);
  const states = options.state === undefined ? undefined : [stateIn(options.state)];
  demandLedger(configuration);
  return withPurser(configuration, async ({ engine }) => {
    const { rows, total } = await listOperations(engine.parts, configuration.tenant, { limit: options.limit }, states);
    if (options.json) sayJson({ operations: rows.map(view), total });
    else if (rows.length === 0) say('There are none.');
    else say(table(rows) + (total > rows.length ? `\n${rows.length} of ${total}; --limit shows more.` : ''));
    return 0;
  });
}

/** `purser operations resolve ID`: a person ends what nobody knew the end of. */
export async function resolve(
  id: string,
  options: Common & { readonly happened?: true; readonly didNotHappen?: true; readonly note: string },
): Promise<number> {
  const { happened = false, didNotHappen = false, note } = options;
  if (happened === didNotHappen) throw new BadConfiguration('Say either --happened or --did-not-happen.');
  if (note.trim() === '') throw new BadConfiguration('Say with --note how it was found out.');
  const configuration = await configured(options);
  demandLedger(configuration);
  return withPurser(configuration, async ({ engine }) => {
    const settled = await settleUnknown(engine.parts, id, { happened, note }, personHere(configuration.tenant));
    if (!settled.ok)
      throw new NotDone(`${settled.because} "purser operations list --state UNKNOWN" shows what is unknown.`);
    if (options.json) sayJson({ operation: id, state: settled.state });
    else say(`${id} is ${settled.state}.`);
    return 0;
  });
}

function stateIn(text: string): string {
  const states: readonly string[] = machine.states.filter((state) => state !== 'none');
  if (states.includes(text)) return text;
  throw new BadConfiguration(`There is no state ${text}: say one of ${states.join(', ')}.`);
}

const view = (row: OperationRow) => ({
  operation: row.id,
  tool: toolName(row.name),
  state: row.state,
  reference: row.reference,
  subject: row.subject,
  attempts: row.attempt,
  begun: iso(row.createdAt),
  changed: iso(row.updatedAt),
  ...(row.result === null ? {} : { answer: row.result }),
});

const table = (rows: readonly OperationRow[]): string =>
  columns([
    ['OPERATION', 'TOOL', 'STATE', 'BEGUN', 'REFERENCE'],
    ...rows.map((row) => [row.id, toolName(row.name), row.state, iso(row.createdAt), row.reference]),
  ]);
