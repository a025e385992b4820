import { describe, expect, it } from 'vitest';
import { createEngine } from '../../src/engine/engine.ts';
import { IntegrityError } from '../../src/engine/integrity-error.ts';
import { retryOnConflict } from '../../src/engine/retry.ts';
import { AlreadyOpen, StaleRow } from '../../src/ledger/errors.ts';
import { agent, shop, wish } from './shop.ts';

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

describe('a call that others are always faster than', () => {
  it('is refused, and may be made again: nothing of it was sent or kept', async () => {
    let isBusy = true;
    const it = await shop({
      replace: {
        failpoint: (point) => {
          if (point === 'F1' && isBusy) throw new StaleRow();
        },
      },
    });
    const refused = await it.call('enroll_card', { card: 'card_ada' });
    expect(refused).toMatchObject({
      outcome: 'refused',
      error: { code: 'IN_FLIGHT', rule: 'EN-07', retry: 'same_call' },
    });
    expect([it.sent, await it.operations()]).toEqual([[], []]);
    isBusy = false;
    expect(await it.call('enroll_card', { card: 'card_ada' })).toMatchObject({ outcome: 'done' });
  });

  it('is refused where it only changes what Purser recorded', async () => {
    const it = await shop();
    await it.call('enroll_card', { card: wish.card });
    await it.call('initiate_purchase', wish);
    const operation = (await it.operations()).at(-1)?.id;
    const transaction = () => Promise.reject(new StaleRow());
    const engine = createEngine({ ...it.parts, ledger: { ...it.parts.ledger, transaction } });
    const refused = await engine.call('withdraw_operation', { operation }, agent);
    expect(refused).toMatchObject({
      outcome: 'refused',
      error: { code: 'IN_FLIGHT', rule: 'EN-07', retry: 'same_call' },
    });
  });

  it('is unknown, and names its operation, where it was sent and its outcome can never be recorded', async () => {
    const it = await shop();
    const { ledger } = it.parts;
    const transaction: typeof ledger.transaction = (tenant, work) =>
      it.sent.length === 0 ? ledger.transaction(tenant, work) : Promise.reject(new StaleRow());
    const faults: unknown[] = [];
    const ports = { ...it.parts.ports, onFault: (fault: unknown) => faults.push(fault) };
    const engine = createEngine({ ...it.parts, ports, ledger: { ...ledger, transaction } });
    const unknown = await engine.call('enroll_card', { card: 'card_ada' }, agent);
    const [sent] = await it.operations();
    expect(unknown).toMatchObject({ outcome: 'unknown', operation: sent?.id, error: { code: 'OUTCOME_UNKNOWN' } });
    expect([sent?.state, faults]).toEqual(['SENDING', [expect.any(StaleRow)]]);
  });

  it('is unknown, too, where the ledger contradicts its outcome and that can not be recorded either', async () => {
    const it = await shop();
    const { ledger } = it.parts;
    let later = 0;
    const transaction: typeof ledger.transaction = (tenant, work) => {
      if (it.sent.length === 0) return ledger.transaction(tenant, work);
      later += 1;
      return Promise.reject(later === 1 ? new IntegrityError('It contradicts.') : new StaleRow());
    };
    const engine = createEngine({ ...it.parts, ledger: { ...ledger, transaction } });
    const unknown = await engine.call('enroll_card', { card: 'card_ada' }, agent);
    const [sent] = await it.operations();
    expect(unknown).toMatchObject({ outcome: 'unknown', operation: sent?.id, error: { code: 'OUTCOME_UNKNOWN' } });
  });
});
