import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { compose } from '../../src/cli/compose.ts';
import { readConfiguration } from '../../src/cli/config.ts';
import { damaged } from '../../src/engine/audit-lock.ts';
import { Refused } from '../../src/engine/refusal.ts';
import { CorruptRow, LedgerUnavailable, StaleRow } from '../../src/ledger/errors.ts';
import { folder } from '../support/folder.ts';

// What a process does by itself: recovery, verification and the work on events.

const minutes = 16 * 60_000;

afterEach(() => void vi.useRealTimers());

/** A Purser on a clock of the test, one of whose works fails each time; `faults` hears what the operator hears. */
async function failing(work: 'recover' | 'inspect' | 'workEvents', error: Error) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
  const faults: unknown[] = [];
  const running = await compose(readConfiguration({}, { data: folder() }), { onFault: (it) => faults.push(it) });
  onTestFinished(() => running.close());
  const runs = vi.fn(() => Promise.reject(error));
  Object.assign(running.engine, { recover: async () => 0, inspect: async () => {}, workEvents: async () => {} });
  Object.assign(running.engine, { [work]: runs });
  await vi.advanceTimersByTimeAsync(minutes);
  return { runs: runs.mock.calls.length, faults };
}

describe('background work', () => {
  it.each(['recover', 'inspect', 'workEvents'] as const)(
    'that fails by a bug is reported each time: %s',
    async (work) => {
      const bug = new TypeError('It is no function.');
      const { runs, faults } = await failing(work, bug);
      expect(runs).toBeGreaterThan(0);
      expect(faults).toEqual(Array.from({ length: runs }, () => bug));
    },
  );

  it.each([
    ['a ledger that is not there', new LedgerUnavailable('gone')],
    ['a damaged row', new CorruptRow('damaged')],
    ['another writer', new StaleRow()],
    ['a refusal', new Refused(damaged)],
  ])('is tried again without a word where calls report it: %s', async (_, error) => {
    const { runs, faults } = await failing('recover', error);
    expect([runs > 1, faults]).toEqual([true, []]);
  });
});
