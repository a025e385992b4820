import type { Client } from '../client/client.ts';
import type { Facts } from '../domains/facts.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { Answer } from './answer.ts';
import { parseArguments } from './arguments.ts';
import { assemble } from './assemble.ts';
import { keepAuthored } from './authorship.ts';
import type { Checked } from './check.ts';
import { closestName } from './closest-name.ts';
import { decide, firstReads, type Verdict } from './decide.ts';
import { questionOf } from './evaluate.ts';
import { demandNotFrozen } from './freeze.ts';
import type { LocalCall, Preview } from './local-tool.ts';
import { checkRead } from './read-platform.ts';
import { refresh } from './refresh.ts';
import { type Refusal, Refused, unknownTool } from './refusal.ts';
import { type Body, refused } from './render.ts';
import { retryOnConflict } from './retry.ts';
import { runLocal } from './run-local.ts';
import type { EngineState } from './state.ts';
import { isRead, operationOf, type PlatformTool, type Tool } from './tool.ts';
import { seenBy, viewOf } from './view.ts';
import { notSentAgain, warned } from './write-intent.ts';

/**
 * Prints the verdict on a call, in one transaction with what `tell` makes of it. Sends nothing, and stores only who wrote the
 * displayed text. As the call itself, it first verifies the audit, and begins anew on a conflict.
 */
export function preview<T>(
  state: EngineState,
  previewed: Previewed,
  caller: Caller,
  tell: (tx: LedgerTransaction, shown: Preview) => Promise<T>,
): Promise<T> {
  const { parts, audit } = state;
  return retryOnConflict(async () => {
    const whole = decides(previewed) ? await orRefusal(previewed, audit.demandWhole) : previewed;
    let verified = (): void => undefined;
    const told = await parts.ledger.transaction(caller.tenant, async (tx) => {
      const unchanged = async (): Promise<void> => {
        verified = await audit.demandUnchanged(tx, firstReadsOf(previewed, caller));
      };
      const intact = decides(whole) ? await orRefusal(whole, unchanged) : whole;
      return tell(tx, await print(state, tx, intact, caller));
    });
    verified();
    return told;
  });
}

/** Whether a previewed call would change something, so that it is decided as the call is. */
const decides = (it: Previewed): boolean => 'tool' in it && !isRead(it.tool);

const firstReadsOf = (it: Previewed, caller: Caller): readonly string[] =>
  'tool' in it && it.tool.kind === 'platform' ? firstReads(it.tool, it.args, caller) : [];

/** A previewed call; refused if what it demands is. */
async function orRefusal(it: Previewed, demand: () => Promise<void>): Promise<Previewed> {
  try {
    await demand();
    return it;
  } catch (error) {
    if (error instanceof Refused) return { refusal: error.refusal };
    throw error;
  }
}

async function print(
  state: Pick<EngineState, 'parts' | 'progress' | 'inFlight'>,
  tx: LedgerTransaction,
  previewed: Previewed,
  caller: Caller,
): Promise<Preview> {
  const { parts } = state;
  const answerOf = (body: Body): Answer => ({ ...body, environment: parts.settings.environment });
  const refuse = async (refusal: Refusal): Promise<Preview> => ({
    answer: answerOf(refused(await seenBy(viewOf(tx, caller, parts.settings), refusal))),
  });
  if ('refusal' in previewed) return refuse(previewed.refusal);
  const { tool, args, stale } = previewed;
  if (tool.kind === 'local' || isRead(tool))
    try {
      const run = localRun(tool, args);
      if (run !== undefined) await runLocal(state, tx, { run, args, caller });
      if (!isRead(tool)) {
        await demandNotFrozen(tx);
        return { answer: answerOf(wouldBeDone(tool)) };
      }
      if (run !== undefined || tool.kind === 'local') return { answer: answerOf(onlyReads(tool)), effect: noEffect };
      const request = describe(parts.client, tool, await checkRead(parts, tx, tool, args, caller));
      return { answer: answerOf(onlyReads(tool)), effect: noEffect, request };
    } catch (error) {
      if (error instanceof Refused) return refuse(error.refusal);
      throw error;
    }
  const verdict = await decide(state, tx, tool, args, caller, stale);
  if (verdict.kind === 'refuse') return refuse(verdict.refusal);
  const answer = answerOf(said(tool, verdict));
  const judged = 'judged' in verdict ? verdict.judged : undefined;
  if (judged === undefined) return { answer };
  const approval = await questionIn(tx, verdict);
  return {
    answer,
    ...effectOf(tool, judged),
    ...(approval === undefined ? {} : { approval }),
    ...warned(judged.warnings),
    touched: [...judged.policies, ...(judged.mandate === undefined ? [] : [judged.mandate])].map(({ name }) => name),
    request: describe(parts.client, tool, judged),
  };
}

/**
 * The question that a person was or would be asked; undefined if no approval is needed. Displayed text is recorded with
 * its author.
 */
async function questionIn(tx: LedgerTransaction, verdict: Verdict): Promise<string | undefined> {
  switch (verdict.kind) {
    case 'answer':
      return verdict.body.approval?.text;
    case 'send':
      return verdict.approved?.asked.text;
    case 'ask': {
      const question = questionOf(verdict.judged);
      if (question !== undefined) await keepAuthored(tx, verdict.call, [], question);
      return question;
    }
    default:
      return undefined;
  }
}

/** A previewed call: its tool, its parsed arguments, and the answer if a refresh failed. */
export type Previewed =
  | { readonly tool: Tool; readonly args: Facts['args']; readonly stale?: Body | undefined }
  /** There is no such tool, or its arguments are invalid. */
  | { readonly refusal: Refusal };

/** Refreshes what the previewed call depends on, as the call itself does, before the transaction that decides it. */
export async function preparePreview(
  state: EngineState,
  named: { readonly tool: string; readonly arguments: unknown },
  caller: Caller,
): Promise<Previewed> {
  const tool = state.offered.get(named.tool);
  if (tool === undefined) return { refusal: unknownTool(closestName(named.tool, [...state.offered.keys()])) };
  try {
    const args = parseArguments(tool, named.arguments);
    if (tool.kind === 'local') return { tool, args };
    if (isRead(tool)) {
      if (localRun(tool, args) === undefined) await refresh(state, tool, args, caller);
      return { tool, args };
    }
    await state.audit.demandWhole();
    return { tool, args, stale: await refresh(state, tool, args, caller) };
  } catch (error) {
    if (error instanceof Refused) return { refusal: error.refusal };
    throw error;
  }
}

/** What a verdict means for the call. */
function said(tool: PlatformTool, verdict: Exclude<Verdict, { kind: 'refuse' }>): Body {
  switch (verdict.kind) {
    case 'answer':
      return verdict.body;
    case 'ask':
      return { outcome: 'needs_approval', said: 'A person would be asked to approve it.', next: [tool.name] };
    case 'send':
      return {
        outcome: 'done',
        said: verdict.approved === undefined ? 'It would be sent.' : 'It is approved and would be sent.',
        next: [tool.name],
      };
    case 'repeat':
      if (verdict.harm !== undefined) return notSentAgain(verdict);
      return {
        outcome: 'done',
        said: 'It was sent before, but its outcome is unknown. The same request would be sent again.',
        operation: verdict.row.id,
        next: [tool.name],
      };
  }
}

/** The function that answers a call from the ledger, if there is one. A preview of a preview has none. */
function localRun(tool: Tool, args: Facts['args']): LocalCall | undefined {
  if (tool.kind === 'local') return tool.previews === undefined ? tool.run : undefined;
  const { localSearch } = tool.input;
  return localSearch?.when(args) ? localSearch.run : undefined;
}

const noEffect = 'none: it only reads';

/** What may happen to the thing that a call moves; nothing for a call that moves none. */
function effectOf(tool: PlatformTool, { facts, state: { kind, from, to } }: Checked) {
  if (kind === '') return {};
  const { moves, transport } = operationOf(tool);
  const entity = tool.observe.moves?.entity(facts.things, facts.now, undefined, facts.args);
  const possible = moves === undefined || entity === undefined ? [] : moves.machine.outcomes(entity, moves.trigger);
  return {
    effect:
      possible.length > 1
        ? `${kind}: ${from} → ${possible.join(' or ')}, as the ${transport === 'reader' ? 'reader' : 'platform'} answers`
        : `${kind}: ${from} → ${to}`,
  };
}

/** A call that reads has nothing to preview, except that its arguments are valid. */
const onlyReads = (tool: Tool): Body => ({ outcome: 'done', said: 'This call only reads.', next: [tool.name] });

/** A call that changes only what Purser itself recorded. */
const wouldBeDone = (tool: Tool): Body => ({ outcome: 'done', said: 'It would be done.', next: [tool.name] });

/** A call's request, without secrets and identifiers that each attempt generates. */
function describe(client: Client, tool: PlatformTool, { request, facts }: Checked): unknown {
  const show = client.describe as (name: string, input: object) => unknown; // its input was validated by the same contract
  const shown = show(tool.operation, { ...request.names, query: request.query, body: request.body });
  const fresh = differing(request, assemble(tool, { ...facts, new: { correlationId: '', mandateId: '' } }));
  const hide = (_: string, value: unknown) => (fresh.includes(String(value)) ? undefined : value);
  return JSON.parse(JSON.stringify(shown, hide)); // a request is JSON
}

/** The values that differ between two requests of the same call. */
const differing = (one: unknown, other: unknown): readonly string[] =>
  typeof one === 'object' && one !== null
    ? Object.entries(one).flatMap(([name, value]) => differing(value, Object(other)[name]))
    : one === other
      ? []
      : [String(one)];
