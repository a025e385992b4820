import type { Answer, AnswerApproval } from '../engine/answer.ts';
import { switchedOff } from '../engine/approval-channels.ts';
import { findApproval } from '../engine/approval-service.ts';
import type { Engine } from '../engine/engine.ts';
import { isUndecided } from '../engine/operation-state.ts';
import type { Person } from '../engine/person.ts';
import type { Caller } from '../ledger/ledger.ts';

/** The question about a call, as stored in the ledger, so it is decided once and before it expires. */
export type Question = Pick<AnswerApproval, 'id' | 'text'>;

/**
 * The question that a person must approve before a call; undefined if the call needs no approval or would be refused.
 * Stores a new question in the ledger. Sends nothing. Throws if the operator has switched off decisions by programs,
 * because none would count.
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

/** The person in front of the program, who has an answer about the call at once. */
export const userOf = ({ tenant, principal }: Caller): Person => ({
  ...{ tenant, approver: `user of ${principal}` },
  ...{ channel: 'program', isAwaited: true },
});

/**
 * Records that the program's person denied a question. It may be any id, because it comes out of messages: what another
 * caller has asked, and what is already decided, stays as it is.
 */
export async function recordDenial(engine: Engine, id: string, caller: Caller): Promise<void> {
  const { parts } = engine;
  const asked = await findApproval(parts, caller.tenant, id);
  const isOwn = parts.settings.principals === 'together' || asked?.principal === caller.principal;
  if (asked !== undefined && isUndecided(asked) && isOwn) await engine.decide(id, 'deny', userOf(caller));
}

interface Previewed {
  readonly verdict?: Pick<Answer, 'outcome' | 'approval'>;
}
