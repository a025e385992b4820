import { enrollment, transaction } from '../../../src/domains/device/machines.ts';
import type { DeviceTransactionDocument } from '../../../src/domains/device/sandbox/documents.ts';
import type { Answer } from '../../../src/engine/answer.ts';
import type { Snapshot } from '../../../src/sandbox/index.ts';
import { answerOf, type CallEntry } from '../replay/run.ts';
import { member } from '../scenario/captures.ts';
import type { Transition } from './transition.ts';

// Transitions at the card reader that no call of the agent makes.

/** What time has done to transactions: what nobody knew became known, and holds ended. */
export function deviceTransitions(before: Snapshot, after: Snapshot): readonly Transition[] {
  const earlier = new Map(transactionsIn(before).map(({ id, state }) => [id, state]));
  return transactionsIn(after).flatMap(({ id, state: to }) => {
    const from = earlier.get(id);
    const row = [...transaction.assumed].find(
      ([known, trigger, , next]) => known === from && next === to && byItself.includes(trigger),
    );
    return row === undefined || from === to ? [] : [{ machine: transaction.name, from: row[0], trigger: row[1], to }];
  });
}

const byItself: readonly string[] = ['settle', 'expire'];

/** A refund without an original, which an operator makes. */
export function creditTransition({ outcome, data }: Answer): readonly Transition[] {
  const to = member(data, 'state');
  return outcome === 'done' && typeof to === 'string'
    ? [{ machine: transaction.name, from: 'none', trigger: 'credit', to }]
    : [];
}

/** What the device did in a call that enrolls it: it showed its screens, and somebody came to their end or gave up. */
export function enrollmentTransitions(entry: CallEntry): readonly Transition[] {
  if (entry.tool !== 'enroll_device') return [];
  const { outcome, error } = answerOf(entry);
  const handle = String(entry.args.device ?? '');
  const from = entry.before.get(handle);
  const ends = outcome === 'done' ? finished : error?.code === 'CALL_CANCELLED' ? failed : undefined;
  return from === undefined || ends === undefined
    ? []
    : [{ machine: enrollment.name, from, trigger: 'begin', to: 'enrolling' }, ends];
}

const finished: Transition = { machine: enrollment.name, from: 'enrolling', trigger: 'finish', to: 'enrolled' };
const failed: Transition = { machine: enrollment.name, from: 'enrolling', trigger: 'fail', to: 'notEnrolled' };

// The sandbox's own documents.
const transactionsIn = ({ documents }: Snapshot): readonly DeviceTransactionDocument[] =>
  documents
    .filter(({ kind }) => kind === 'deviceTransaction')
    .map(({ body }) => body as unknown as DeviceTransactionDocument);
