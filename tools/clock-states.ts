import type { Machine } from '../src/core/machine.ts';
import type { KeyRange } from '../src/ledger/ledger-transaction.ts';

/**
 * The search keys of the things that are in a state at `now`, in milliseconds. A stored thing keeps the state from which time alone moves it
 * until a call changes it: its key has the time at which it moves.
 */
export function keysInState({ rows, assumed, actors }: Machine, state: string, now: number): readonly KeyRange[] {
  const byClock = [...rows, ...assumed].filter(([, trigger]) => actors[trigger] === 'clock');
  const moved = byClock
    .filter(([, , , to]) => to === state)
    .map(([from]) => ({ key: 'state', value: from, upTo: now }));
  return [
    { key: 'state', value: state, ...(byClock.some(([from]) => from === state) ? { above: now } : {}) },
    ...moved,
  ];
}
