import { describe, expect, it } from 'vitest';
import { LedgerUnavailable } from '../../src/ledger/errors.ts';
import { translate } from '../../src/ledger/postgres-errors.ts';
import { retryTransient } from '../../src/ledger/retry.ts';

/** A database that is away for so long, where each attempt takes a hundredth of a second. */
async function away(milliseconds: number, code = '57P03') {
  let now = 0;
  const step = async (): Promise<string> => {
    now += 10;
    if (now <= milliseconds) throw translate(Object.assign(new Error('It failed.'), { code }), 'here');
    return 'done';
  };
  const pause = async (pauseMilliseconds: number): Promise<void> => {
    now += pauseMilliseconds;
  };
  const end = await retryTransient(step, { now: () => now, pause }).catch((error: unknown) => error);
  return { end, now };
}

describe('a step of the database', () => {
  it.each([0, 1, 250, 5_000, 9_900])('is done though the database is away for %i ms', async (milliseconds) => {
    const { end, now } = await away(milliseconds);
    expect(end).toBe('done');
    expect(now).toBeLessThanOrEqual(milliseconds + 260);
  });

  it('fails once the database is away for ten seconds, by the clock', async () => {
    const { end, now } = await away(60_000);
    expect(end).toBeInstanceOf(LedgerUnavailable);
    expect(now).toBeGreaterThanOrEqual(10_000);
    expect(now).toBeLessThan(10_300);
  });

  it('fails at once where trying again does not help', async () => {
    const { end, now } = await away(60_000, '23505');
    expect(end).toBeInstanceOf(Error);
    expect(now).toBe(10);
  });
});
