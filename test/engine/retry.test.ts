import { describe, expect, it } from 'vitest';
import { retryOnConflict } from '../../src/engine/retry.ts';
import { AlreadyOpen, StaleRow } from '../../src/ledger/errors.ts';

/** Something that fails so many times, and how often it was tried. */
const failing = (times: number, error: () => Error) => {
  let tries = 0;
  const attempt = async (): Promise<string> => {
    tries += 1;
    if (tries <= times) throw error();
    return 'done';
  };
  return { attempt, tries: () => tries };
};

describe('what others were faster at', () => {
  it.each([
    ['a row that has moved on', () => new StaleRow()],
    ['a row that was begun elsewhere', () => new AlreadyOpen()],
  ])('is tried again: %s', async (_, error) => {
    const { attempt, tries } = failing(19, error);
    expect([await retryOnConflict(attempt), tries()]).toEqual(['done', 20]);
  });

  it('is given up after twenty tries', async () => {
    const { attempt, tries } = failing(20, () => new StaleRow());
    await expect(retryOnConflict(attempt)).rejects.toThrow(StaleRow);
    expect(tries()).toBe(20);
  });

  it('is nothing else: any other fault is thrown at once', async () => {
    const { attempt, tries } = failing(1, () => new Error('no'));
    await expect(retryOnConflict(attempt)).rejects.toThrow('no');
    expect(tries()).toBe(1);
  });
});
