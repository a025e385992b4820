import type { Answer, AnswerApproval } from '../engine/answer.ts';
import { switchedOff } from '../engine/approval-channels.ts';
import type { Engine } from '../engine/engine.ts';
import type { Caller } from '../ledger/ledger.ts';

/** What a person is asked about a call. The ledger has it, so it is decided once and in time. */
export type Question = Pick<AnswerApproval, 'id' | 'text'>;

/**
 * What a person must approve before a call can be made; undefined where the call needs nobody, or would be refused. Where nobody
 * was asked yet, the question is written down. Sends nothing. Throws where the operator has switched decisions of programs off:
 * nobody would be heard.
 */
export async function questionOf(
  engine: Engine,
  tool: string,
  args: unknown,
  caller: Caller,
): Promise<Question | undefined> {
  const { channels } = engine.parts.settings;
  if (!channels.includes('program')) throw new Error(switchedOff('program', channels));
  const { data } = await engine.call('preview_call', { tool, arguments: args }, caller);
  const { verdict } = (data ?? {}) as Previewed; // by the output schema of preview_call
  if (verdict?.outcome !== 'needs_approval') return undefined;
  return verdict.approval ?? (await engine.propose(tool, args, caller)).approval;
}

interface Previewed {
  readonly verdict?: Pick<Answer, 'outcome' | 'approval'>;
}
