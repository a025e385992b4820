import type { Facts } from '../domains/facts.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { LedgerReads } from '../ledger/ledger-transaction.ts';
import type { LocalAnswer, Preview } from './local-tool.ts';
import { recallOwnTexts } from './own-texts.ts';
import { preparePreview, preview } from './preview.ts';
import type { Body } from './render.ts';
import { runLocal } from './run-local.ts';
import type { EngineState } from './state.ts';
import { withStillOpen } from './still-open.ts';
import type { LocalTool, Tool } from './tool.ts';
import { textsIn } from './untrusted-output.ts';

/**
 * Runs a tool that answers from the ledger, with the caller's view, in one snapshot. A preview records the author of
 * displayed text, so it runs in a transaction.
 */
export async function readLedger(
  state: EngineState,
  tool: Tool,
  { run, previews }: Pick<LocalTool, 'run' | 'previews'>,
  args: Facts['args'],
  caller: Caller,
): Promise<Body> {
  const { ledger } = state.parts;
  const answer = async (reads: LedgerReads, shown?: Preview): Promise<Body> => {
    const found = await runLocal(state, reads, { run, args, caller, preview: shown });
    if (found.withdraws !== undefined) throw new Error(`${tool.name} only reads, so it can't withdraw a call.`);
    const body = await localBody(state, reads, tool, args, found);
    return withStillOpen(state, reads, { tool, args, caller, body });
  };
  const named = previews?.(args);
  if (named === undefined) return ledger.read(caller.tenant, (reads) => answer(reads));
  const previewed = await preparePreview(state, named, caller);
  return preview(state, previewed, caller, answer);
}

/** The body of a local tool's answer. Looks up which of its texts are the merchant's own. */
export async function localBody(
  state: EngineState,
  reads: LedgerReads,
  tool: Tool,
  args: Facts['args'],
  { said, data, next = [] }: LocalAnswer,
): Promise<Body> {
  const body: Body = { outcome: 'done', said, data, next };
  await recallOwnTexts(reads, textsIn(body, { tool, args, tools: state.tools }), state.ownTexts);
  return body;
}
