import type { Client } from '../client/client.ts';
import type { Facts } from '../domains/facts.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import { demandAnchored } from './anchor.ts';
import type { Answer } from './answer.ts';
import { parseArguments } from './arguments.ts';
import { assemble } from './assemble.ts';
import { keepAuthored } from './authorship.ts';
import type { Checked } from './check.ts';
import { decide, type Verdict } from './decide.ts';
import { questionOf } from './evaluate.ts';
import type { Preview } from './local-tool.ts';
import type { EngineParts } from './parts.ts';
import { checkRead } from './read-platform.ts';
import { refresh } from './refresh.ts';
import { type Refusal, Refused, unknownTool } from './refusal.ts';
import { type Body, refused } from './render.ts';
import { retryOnConflict } from './retry.ts';
import type { EngineState } from './state.ts';
import { operationOf, type PlatformTool, type Tool } from './tool.ts';
import { seenBy, viewOf } from './view.ts';
import { warned } from './write-intent.ts';

/**
 * Prints what would become of a call. Sends nothing, and keeps nothing but who wrote the text that it shows.
 */
export async function preview(
  parts: EngineParts,
  tx: LedgerTransaction,
  previewed: Previewed,
  caller: Caller,
): Promise<Preview> {
  const print = (body: Body): Answer => ({ ...body, environment: parts.settings.environment });
  const refuse = async (refusal: Refusal): Promise<Preview> => ({
    answer: print(refused(await seenBy(viewOf(tx, caller, parts.settings), refusal))),
  });
  if ('refusal' in previewed) return refuse(previewed.refusal);
  const { tool, args, stale } = previewed;
  if (tool.kind === 'local') return { answer: print(onlyReads(tool)), effect: noEffect };
  if (operationOf(tool).effect === 'read')
    try {
      const request = describe(parts.client, tool, await checkRead(parts, tx, tool, args, caller));
      return { answer: print(onlyReads(tool)), effect: noEffect, request };
    } catch (error) {
      if (error instanceof Refused) return refuse(error.refusal);
      throw error;
    }
  const verdict = await decide(parts, tx, tool, args, caller, stale);
  if (verdict.kind === 'refuse') return refuse(verdict.refusal);
  const answer = print(said(tool, verdict));
  const judged = 'judged' in verdict ? verdict.judged : undefined;
  if (judged === undefined) return { answer };
  const approval = await questionIn(tx, verdict);
  return {
    answer,
    ...effectOf(judged),
    ...(approval === undefined ? {} : { approval }),
    ...warned(judged.warnings),
    touched: [...judged.policies, ...(judged.mandate === undefined ? [] : [judged.mandate])].map(({ name }) => name),
    request: describe(parts.client, tool, judged),
  };
}

/** What a person was asked, or would be; nothing where nobody is. Text that was shown is remembered as what its writer is. */
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

/** A call that is previewed: its tool, its arguments as the tool reads them, and what could not be looked up for it. */
export type Previewed =
  | { readonly tool: Tool; readonly args: Facts['args']; readonly stale?: Body | undefined }
  /** It is none: no tool has this name, or it has other arguments. */
  | { readonly refusal: Refusal };

/** Refreshes what the previewed call depends on, before the transaction that decides it, as the call itself does. */
export async function preparePreview(
  state: EngineState,
  named: { readonly tool: string; readonly arguments: unknown },
  caller: Caller,
): Promise<Previewed> {
  const { parts, audit } = state;
  const tool = state.offered.get(named.tool);
  if (tool === undefined) return { refusal: unknownTool };
  try {
    const args = parseArguments(tool, named.arguments);
    if (tool.kind === 'local' || operationOf(tool).effect === 'read') return { tool, args };
    await retryOnConflict(async () => {
      await audit.demandWhole();
      await demandAnchored(parts);
      await parts.ledger.transaction(caller.tenant, audit.demandUnchanged);
    });
    return { tool, args, stale: await refresh(state, tool, args, caller) };
  } catch (error) {
    if (error instanceof Refused) return { refusal: error.refusal };
    throw error;
  }
}

/** What a verdict says of the call, had it been made. */
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
      return {
        outcome: 'done',
        said: 'It was sent before and its outcome is not known. The very same request would be sent once more.',
        operation: verdict.row.id,
        next: [tool.name],
      };
  }
}

const noEffect = 'none: it only reads';

/** What becomes of the thing that a call moves; nothing is said of a call that moves none. */
const effectOf = ({ state: { kind, from, to } }: Checked) =>
  kind === '' ? {} : { effect: `${kind}: ${from} → ${to}` };

/** A call that reads has nothing to preview. Its arguments were checked all the same. */
const onlyReads = (tool: Tool): Body => ({ outcome: 'done', said: 'This call only reads.', next: [tool.name] });

/** The request of a call, without secrets, and without what each sending makes afresh. */
function describe(client: Client, tool: PlatformTool, { request, facts }: Checked): unknown {
  const show = client.describe as (name: string, input: object) => unknown; // its input was checked by the same contract
  const shown = show(tool.operation, { ...request.names, query: request.query, body: request.body });
  const fresh = differing(request, assemble(tool, { ...facts, new: { correlationId: '', mandateId: '' } }));
  const hide = (_: string, value: unknown) => (fresh.includes(String(value)) ? undefined : value);
  return JSON.parse(JSON.stringify(shown, hide)); // a request is JSON
}

/** The values of one request that another one of the same call has otherwise. */
const differing = (one: unknown, other: unknown): readonly string[] =>
  typeof one === 'object' && one !== null
    ? Object.entries(one).flatMap(([name, value]) => differing(value, Object(other)[name]))
    : one === other
      ? []
      : [String(one)];
