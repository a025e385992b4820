import type { Client } from '../client/client.ts';
import type { Caller, LedgerTransaction, OperationRow } from '../ledger/ledger.ts';
import { readArguments } from './arguments.ts';
import { keepAuthored } from './authorship.ts';
import { demandClock } from './clock.ts';
import { type Checked, gather } from './decide.ts';
import type { EngineParts } from './engine.ts';
import { demandRunning } from './halt.ts';
import { asksPerson, type Judged, judge, stillAsks } from './judge.ts';
import { canDecide } from './life.ts';
import type { Preview } from './local.ts';
import { argumentFault, Refused, unknownTool } from './refuse.ts';
import { type Body, needsApproval, refused } from './render.ts';
import { callOf, refuseWhileBusy, type Standing, standing } from './standing.ts';
import { operationOf, type PlatformTool, type Tool } from './tool.ts';
import { seenBy, viewOf } from './view.ts';

/** Decides a call as if it were made. Sends nothing, and keeps nothing but who wrote the text that it shows. */
export async function preview(
  parts: EngineParts,
  tx: LedgerTransaction,
  tool: Tool | undefined,
  given: unknown,
  caller: Caller,
): Promise<Preview> {
  const verdict = (body: Body) => ({ ...body, environment: parts.settings.environment });
  if (tool === undefined) return { answer: verdict(refused(unknownTool)) };
  const args = readArguments(tool, given);
  if (!args.success) return { answer: verdict(refused(argumentFault(args.error, tool))) };
  if (tool.kind === 'local') return { answer: verdict(onlyReads(tool)), reads: true };
  const view = viewOf(tx, caller, parts.settings);
  try {
    const call = callOf(tool, await gather(tool, args.data, view, parts.settings, parts.ports), caller);
    const stands = await standing(tx, call);
    if (stands.kind === 'answers' || stands.kind === 'denied') return { answer: verdict(stands.body) };
    await demandRunning(tx);
    // What the platform has not said yet is asked before the call itself.
    demandClock(tool, parts.ports.skew() ?? 0);
    if (stands.kind === 'repeats') return { answer: verdict(wouldRepeat(tool, stands.row)) };
    const judged = await judge(parts, tx, tool, call.facts, caller);
    if (operationOf(tool).effect === 'read')
      return { answer: verdict(onlyReads(tool)), reads: true, request: describe(parts.client, tool, judged) };
    await refuseWhileBusy(tx, judged.subject);
    if (judged.approval !== undefined) await keepAuthored(tx, call, [], judged.approval.text);
    return {
      answer: verdict(wouldBegin(parts.settings, tool, stands, judged, call.now)),
      checked: judged,
      touched: [...judged.bounds, ...(judged.mandate === undefined ? [] : [judged.mandate])].map(({ name }) => name),
      request: describe(parts.client, tool, judged),
    };
  } catch (error) {
    if (error instanceof Refused) return { answer: verdict(refused(await seenBy(view, error.refusal))) };
    throw error;
  }
}

/** What begins with a call that no earlier one answers for: as `begin` goes about it. */
function wouldBegin(
  settings: EngineParts['settings'],
  tool: PlatformTool,
  stands: Standing,
  judged: Judged,
  now: number,
): Body {
  const asked = stands.kind === 'asked' && !stands.late && stillAsks(stands.asked, judged) ? stands : undefined;
  if (asked !== undefined && !canDecide(asked.asked, 'consume', now))
    return needsApproval(asked.row, asked.asked, settings);
  if (asked !== undefined) return { outcome: 'done', said: 'It is approved and would be sent.', next: [tool.name] };
  return asksPerson(judged)
    ? { outcome: 'needs_approval', said: 'A person would be asked to approve it.', next: [tool.name] }
    : { outcome: 'done', said: 'It would be sent.', next: [tool.name] };
}

/** A call that reads has nothing to preview. Its arguments were checked all the same. */
const onlyReads = (tool: Tool): Body => ({ outcome: 'done', said: 'This call only reads.', next: [tool.name] });

const wouldRepeat = (tool: PlatformTool, row: OperationRow): Body => ({
  outcome: 'done',
  said: 'It was sent before and its outcome is not known. The very same request would be sent once more.',
  operation: row.id,
  next: [tool.name],
});

/** The request of a call, without secrets. */
function describe(client: Client, tool: PlatformTool, { request }: Checked): unknown {
  const show = client.describe as (name: string, input: object) => unknown; // its input was checked by the same contract
  return show(tool.operation, { ...request.names, query: request.query, body: request.body });
}
