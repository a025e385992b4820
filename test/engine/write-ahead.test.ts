import { describe, expect, it } from 'vitest';
import { createEngine } from '../../src/engine/engine.ts';
import { agent, shop, start, wish } from './shop.ts';

const gate = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
};

describe('an intent', () => {
  it('is on disk, with its audit row, when the request goes out', async () => {
    const seen: unknown[] = [];
    const it = await shop({
      replace: {
        platform: (real) => async (request) => {
          // Where the transaction of the intent is still open, nothing of it can be read here.
          const [row] = await it.operations().catch(() => []);
          const [last] = (await it.audit().catch(() => [])).slice(-1);
          seen.push([row?.name, row?.state, row?.attempt, last?.event]);
          return real(request);
        },
      },
    });
    await it.bought();
    expect(seen).toEqual([
      ['enrollCard', 'SENDING', 1, 'sent'],
      ['initiatePurchase', 'SENDING', 1, 'sent'],
    ]);
  });

  it('and its audit row are kept together or not at all', async () => {
    const crash = new Error('killed');
    const it = await shop({
      replace: {
        failpoint: (point) => {
          if (point === 'F1') throw crash;
        },
      },
    });
    const before = await it.audit();
    await expect(it.call('enroll_card', { card: 'card_ada' })).rejects.toBe(crash);
    await new Promise((resolve) => setImmediate(resolve));
    expect([await it.audit(), it.sent, (await it.operations()).length]).toEqual([before, [], 0]);
  });

  it('waits for a place before it is written down, so that its quiet period begins when it is sent', async () => {
    const { opened, open } = gate();
    const it = await shop({
      replace: {
        platform: (real) => async (request) => {
          await opened;
          return real(request);
        },
      },
    });
    const platformLimits = { ...it.parts.settings.platformLimits, concurrent: 1 };
    const narrow = createEngine({ ...it.parts, settings: { ...it.parts.settings, platformLimits } });
    const first = narrow.call('enroll_card', { card: 'card_ada' }, agent);
    while (it.sent.length < 1) await new Promise((resolve) => setImmediate(resolve));
    const second = narrow.call('enroll_card', { card: 'card_cleo' }, agent);
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect((await it.operations()).length).toBe(1);
    open();
    expect([(await first).outcome, (await second).outcome, it.sent.length]).toEqual(['done', 'done', 2]);
  });
});

it('sends nothing once a stopped process has lost too much of its quiet period', async () => {
  for (const [seconds, sent] of [
    [10, 1],
    [11, 0],
    [600, 0],
  ] as const) {
    const it = await shop();
    let stopped = 0;
    const ports = {
      ...it.parts.ports,
      clock: { now: () => start + stopped },
      failpoint: (point: string) => {
        if (point === 'F2') stopped = seconds * 1_000;
      },
    };
    const late = await createEngine({ ...it.parts, ports }).call('enroll_card', { card: 'card_ada' }, agent);
    expect([it.sent.length, late.error?.code]).toEqual([sent, sent === 1 ? undefined : 'UNREACHABLE']);
    expect((await it.operations())[0]?.state).toBe(sent === 1 ? 'SUCCEEDED' : 'FAILED');
  }
});

describe('a call that may be repeated', () => {
  const narrow = (instruction: string) => ({
    instruction,
    limit: { amount: '30.00', currency: 'EUR' },
    until: wish.until,
    description: wish.description,
  });

  it('teaches what its request said, not what a new one would have said', async () => {
    const it = await shop();
    const instruction = await it.bought();
    await it.fault('updatePurchase', '5xx');
    await it.call('update_purchase', narrow(instruction));
    await it.call('update_purchase', narrow(instruction));
    const paid = await it.call('retrieve_credentials', { instruction, amount: '29.00', currency: 'EUR' });
    expect([paid.outcome, paid.said]).toEqual(['done', expect.stringContaining('Credentials are released')]);
  });

  it('is not repeated by a version with other rules: what it meant then is not known now', async () => {
    const it = await shop();
    const instruction = await it.bought();
    await it.fault('updatePurchase', '5xx');
    const { operation = '' } = await it.call('update_purchase', narrow(instruction));
    await it.parts.ledger.transaction('default', async (tx) => {
      const row = await tx.operations.find(operation);
      if (row !== undefined) await tx.operations.update(row, { rulesHash: 'another version' });
    });
    const again = await it.call('update_purchase', narrow(instruction));
    expect([again.outcome, again.operation, it.sent.length]).toEqual(['unknown', operation, 3]);
  });

  it('and whose repeat is refused proves nothing of the first sending', async () => {
    const it = await shop();
    const instruction = await it.bought();
    await it.fault('updatePurchase', '5xx');
    await it.call('update_purchase', narrow(instruction));
    await it.fault('updatePurchase', 'decline');
    const again = await it.call('update_purchase', narrow(instruction));
    expect([again.outcome, again.error?.code]).toEqual(['unknown', 'OUTCOME_UNKNOWN']);
  });
});
