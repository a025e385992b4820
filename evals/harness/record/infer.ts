import { difference } from '../graders/canonical.ts';
import { member } from '../scenario/captures.ts';
import type { ScenarioInput } from '../scenario/schema.ts';
import type { RecordedCall } from './session.ts';

type StepInput = ScenarioInput['steps'][number];

/** What must have happened outside of a conversation with Purser, because of what came back in it. */
export interface Inferred {
  /** Steps before the call. `$` stands for the name under which an answer is captured. */
  readonly before: readonly StepInput[];
  /** The call needed an approval that a person gave during the call. */
  readonly asked: boolean;
}

/** Works out what people and systems did before a call, from the calls before it. */
export function inferredBefore(call: RecordedCall, earlier: readonly RecordedCall[]): Inferred {
  const asked = call.decided !== undefined && outcomeOf(call) !== 'needs_approval';
  return {
    asked,
    before: [...decidedBefore(call, earlier), ...verifiedBefore(call, earlier), ...paidBefore(call, earlier)],
  };
}

const outcomeOf = ({ answer }: RecordedCall): unknown => member(answer, 'outcome');
const dataOf = ({ answer }: RecordedCall, name: string): unknown => member(member(answer, 'data'), name);
const approvalOf = ({ answer }: RecordedCall): unknown => member(member(answer, 'approval'), 'id');
const isSame = (one: RecordedCall, other: RecordedCall): boolean =>
  one.tool === other.tool && difference(one.args, other.args) === undefined;

/** The same call came back asking for an approval before, and now it does not. */
function decidedBefore(call: RecordedCall, earlier: readonly RecordedCall[]): readonly StepInput[] {
  const waiting = earlier.findLast((it) => isSame(it, call));
  if (waiting === undefined || outcomeOf(waiting) !== 'needs_approval') return [];
  const [id, outcome] = [approvalOf(waiting), outcomeOf(call)];
  if (typeof id !== 'string' || outcome === 'needs_approval') return [];
  if (outcome === 'done' || outcome === 'declined') return [{ actor: 'approver', approves: id }];
  return call.decided === 'deny' ? [{ actor: 'approver', denies: id }] : [];
}

/** A card that waited for its customer is active now. */
function verifiedBefore(call: RecordedCall, earlier: readonly RecordedCall[]): readonly StepInput[] {
  const waiting = earlier.findLast((it) => isSame(it, call));
  if (call.tool !== 'enroll_card' || waiting === undefined) return [];
  const isVerified = dataOf(waiting, 'state') === 'PENDING' && dataOf(call, 'state') === 'ACTIVE';
  return isVerified ? [{ actor: 'customer', verifies: String(call.args.card) }] : [];
}

/** A purchase is confirmed only after a receipt over what was released. */
function paidBefore(call: RecordedCall, earlier: readonly RecordedCall[]): readonly StepInput[] {
  if (call.tool !== 'confirm_transaction' || outcomeOf(call) !== 'done') return [];
  const { instruction } = call.args;
  const released = earlier.findLast(
    (it) => it.tool === 'retrieve_credentials' && it.args.instruction === instruction && outcomeOf(it) === 'done',
  );
  if (released === undefined || instruction === undefined) return [];
  const { amount = null, currency = null } = released.args;
  const receipt = { transactionType: 'PURCHASE', transactionStatus: 'APPROVED' };
  return [{ actor: 'payments', posts: { instruction, ...receipt, amount, currency } }];
}
