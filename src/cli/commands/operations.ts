import type { Client, Description } from '../../client/client.ts';
import { operation as machine } from '../../core/own-machines.ts';
import { findOperation, listOperations } from '../../engine/approval-service.ts';
import { canMoveOperation } from '../../engine/operation-state.ts';
import { operationView, operationWithApproval } from '../../engine/person-views.ts';
import { settleUnknown } from '../../engine/settle-unknown.ts';
import { toolName } from '../../engine/tool.ts';
import type { ApprovalRow, OperationRow } from '../../ledger/rows.ts';
import { BadConfiguration } from '../bad-configuration.ts';
import type { Common } from '../options.ts';
import { iso, NotDone, paint, type Rich, say, sayJson } from '../output.ts';
import { configured, demandLedger, personHere, withPurser } from '../session.ts';
import { state } from '../state-style.ts';
import { type Cell, table } from '../table.ts';

/** `purser operations list`. */
export async function list(options: Common & { readonly state?: string; readonly limit: number }): Promise<number> {
  const configuration = await configured(options);
  const states = options.state === undefined ? undefined : [stateIn(options.state)];
  demandLedger(configuration);
  return withPurser(configuration, async ({ engine }) => {
    const { rows, total } = await listOperations(engine.parts, configuration.tenant, { limit: options.limit }, states);
    if (options.json) sayJson({ items: rows.map(operationView), total });
    else if (rows.length === 0) say('There are no operations.');
    else say([listing(rows), total > rows.length ? `\n${rows.length} of ${total}; --limit shows more.` : '']);
    return 0;
  });
}

/** `purser operations show ID`: everything a person needs to find the operation at the platform. */
export async function show(id: string, options: Common): Promise<number> {
  const configuration = await configured(options);
  demandLedger(configuration);
  return withPurser(configuration, async ({ engine: { parts } }) => {
    const found = await findOperation(parts, configuration.tenant, id);
    if (found === undefined)
      throw new NotDone('There is no operation with this id. "purser operations list" shows all operations.');
    const { row, asked } = found;
    const request = sentOf(row, parts.client);
    if (options.json) sayJson({ ...operationWithApproval(row, asked), request });
    else say(page(row, request, asked));
    return 0;
  });
}

/** `purser operations resolve ID`: records the outcome of an UNKNOWN operation. */
export async function resolve(
  id: string,
  options: Common & { readonly happened?: true; readonly didNotHappen?: true; readonly note: string },
): Promise<number> {
  const { happened = false, didNotHappen = false, note } = options;
  if (happened === didNotHappen) throw new BadConfiguration('Give either --happened or --did-not-happen.');
  if (note.trim() === '') throw new BadConfiguration('Explain with --note how you know.');
  const configuration = await configured(options);
  demandLedger(configuration);
  return withPurser(configuration, async ({ engine }) => {
    const settled = await settleUnknown(engine.parts, id, { happened, note }, personHere(configuration.tenant));
    if (!settled.ok && settled.field !== undefined) throw new BadConfiguration(settled.because);
    if (!settled.ok)
      throw new NotDone(`${settled.because} "purser operations list --state UNKNOWN" shows unknown outcomes.`);
    if (options.json) sayJson({ operation: id, state: settled.state });
    else say(`${id} is ${settled.state}.`);
    return 0;
  });
}

function stateIn(text: string): string {
  if (machine.existing.includes(text)) return text;
  throw new BadConfiguration(`Unknown state ${text}: use one of ${machine.existing.join(', ')}.`);
}

/** The redacted request and its id in the platform's logs; undefined before it was sent. */
function sentOf(row: OperationRow, client: Client) {
  if (row.request === null) return undefined;
  const { names, query, body, new: made } = row.request as unknown as StoredRequest; // the shape in which the engine stored it
  const describe = client.describe as (name: string, input: object) => Description; // its input was validated when it was stored
  const { method, path, body: shown } = describe(row.name, { ...names, query, body });
  return { method, path, requestId: made.correlationId, ...(shown === undefined ? {} : { body: shown }) };
}

interface StoredRequest {
  readonly names: object;
  readonly query?: object;
  readonly body?: object;
  readonly new: { readonly correlationId: string };
}

function page(row: OperationRow, request: ReturnType<typeof sentOf>, asked: ApprovalRow | undefined): Rich {
  const lines: readonly (readonly [string, Cell | undefined])[] = [
    ['Tool', toolName(row.name)],
    ['State', state(row.state)],
    ['Called by', row.principal],
    ['Reference', row.reference || undefined],
    ['About', row.subject || undefined],
    ['Begun', iso(row.createdAt)],
    ['Changed', iso(row.updatedAt)],
    ['Sent', request && `${row.attempt === 1 ? 'once' : `${row.attempt} times`}: ${request.method} ${request.path}`],
    ['Request id', request?.requestId],
    ['Body', request && 'body' in request ? JSON.stringify(request.body) : undefined],
    ['Approval', asked && `${asked.id}, ${asked.state}${asked.approver === null ? '' : ` by ${asked.approver}`}`],
    ['Answer', row.result === null ? undefined : String(row.result.said)],
  ];
  const shown = lines.flatMap(([name, value]) =>
    value === undefined ? [] : [['  ', paint('faint', name), value] as const],
  );
  const todo = canMoveOperation(row.state, 'resolve', { happened: true })
    ? `\n\nLook it up at the platform by its request id or reference. Then: purser operations resolve ${row.id} --happened, or --did-not-happen, with --note.`
    : '';
  return [paint('strong', row.id), '\n', table(shown), todo];
}

const listing = (rows: readonly OperationRow[]): Rich =>
  table(
    rows.map((row) => [row.id, toolName(row.name), state(row.state), iso(row.createdAt), row.reference]),
    ['OPERATION', 'TOOL', 'STATE', 'BEGUN', 'REFERENCE'],
  );
