import { describe, expect, it } from 'vitest';
import { settleUnknown } from '../../src/engine/approval-service.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { recover } from '../../src/engine/recover.ts';
import { agent, clerk, shop, start, wish, withOther } from './shop.ts';

const quietSeconds = 120;
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

  it('that never left is given up after the quiet period, and not before', async () => {
    const it = await shop({
      replace: {
        failpoint: (point) => {
          if (point === 'F2') throw new Error('killed');
        },
      },
    });
    await expect(it.call('enroll_card', { card: 'card_ada' })).rejects.toThrow('killed');
    const [{ id = '' } = {}] = await it.operations();
    await it.advance(quietSeconds - 1);
    const early = [await recover(it.parts), (await it.operation(id))?.state];
    const asked = await it.call('enroll_card', { card: 'card_ada' });
    await it.advance(1);
    expect([early, asked.error?.code, await recover(it.parts), (await it.operation(id))?.state, it.sent]).toEqual([
      [0, 'SENDING'],
      'IN_FLIGHT',
      1,
      'UNKNOWN',
      [],
    ]);
  });

  it('is not cut short by a caller that makes the same call again: both get its one result', async () => {
    const { opened, open } = gate();
    const it = await shop({
      replace: {
        platform: (real) => async (request) => {
          await opened;
          return real(request);
        },
      },
    });
    const calls = [1, 2, 3].map(() => it.call('enroll_card', { card: 'card_ada' }));
    open();
    const answers = await Promise.all(calls);
    expect(answers.map(({ outcome, replayed = false }) => [outcome, replayed])).toEqual([
      ['done', false],
      ['done', true],
      ['done', true],
    ]);
    expect(it.sent).toHaveLength(1);
  });

  it('of another call on the same thing is refused while one is under way, and nothing is sent for it', async () => {
    const { opened, open } = gate();
    let held = false;
    const it = await shop({
      replace: {
        platform: (real) => async (request) => {
          if (held) await opened;
          return real(request);
        },
      },
    });
    const instruction = await it.bought();
    held = true;
    const first = it.call('cancel_purchase', { instruction });
    while (it.sent.length < 3) await new Promise((resolve) => setImmediate(resolve));
    const second = await it.call('retrieve_credentials', { instruction, amount: '1.00', currency: 'EUR' });
    open();
    expect([second.outcome, second.error?.code, second.error?.rule]).toEqual(['refused', 'IN_FLIGHT', 'EN-07']);
    expect([(await first).outcome, it.sent.length]).toEqual(['done', 3]);
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

describe('an outcome that nobody knows', () => {
  it.each([
    'timeout-after-commit',
    'late-apply',
    '5xx',
    '5xx-after-commit',
    'truncated',
    'not-json',
    'wrong-shape',
  ] as const)('is said to be unknown and not sent again: %s', async (kind) => {
    const it = await shop();
    await it.call('enroll_card', { card: 'card_ada' });
    await it.fault('initiatePurchase', kind);
    const lost = await it.approved('initiate_purchase', wish);
    const again = await it.call('initiate_purchase', wish);
    expect([lost.outcome, lost.error?.code, lost.error?.retry]).toEqual(['unknown', 'OUTCOME_UNKNOWN', 'never']);
    expect([again.outcome, again.operation, it.sent.length]).toEqual(['unknown', lost.operation, 2]);
    expect((await it.operation(String(lost.operation)))?.state).toBe('UNKNOWN');
  });

  it('keeps everything else away from the thing it is about', async () => {
    const it = await shop();
    const instruction = await it.bought();
    await it.fault('retrieveCredentials', 'timeout-after-commit');
    await it.call('retrieve_credentials', { instruction, amount: '39.90', currency: 'EUR' });
    const other = await it.call('cancel_purchase', { instruction });
    expect([other.outcome, other.error?.rule, other.error?.retry]).toEqual(['refused', 'EN-06', 'never']);
    expect(it.sent).toHaveLength(3);
  });

  it('is settled by a person: what did not happen can be asked anew', async () => {
    const it = await shop();
    await it.call('enroll_card', { card: 'card_ada' });
    await it.fault('initiatePurchase', '5xx');
    const { operation = '' } = await it.approved('initiate_purchase', wish);
    await it.advance(120);
    const settled = await settleUnknown(it.parts, operation, { happened: false, note: 'It is not there.' }, clerk);
    expect(settled).toEqual({ ok: true, operation, state: 'FAILED', text: 'It is not there.' });
    expect((await it.approved('initiate_purchase', wish)).outcome).toBe('done');
    expect(await it.effects()).toEqual(['enrollCard 200', 'initiatePurchase 200']);
  });

  it('is settled by a person: what happened brings its thing to the state it was meant to reach', async () => {
    const it = await shop();
    const instruction = await it.bought();
    await it.fault('cancelPurchase', 'timeout-after-commit');
    const { operation = '' } = await it.call('cancel_purchase', { instruction });
    const settled = await settleUnknown(it.parts, operation, { happened: true, note: 'It is gone.' }, clerk);
    const { data } = await it.call('get_purchase', { instruction });
    expect([settled.ok && settled.state, data?.state]).toEqual(['RESOLVED', 'CANCELLED']);
  });

  it('is settled once, and only where it is unknown', async () => {
    const it = await shop(withOther);
    const { operation = '' } = await it.call('enroll_card', { card: 'card_ada' });
    const finding = { happened: true, note: 'x' };
    expect([
      await settleUnknown(it.parts, operation, finding, clerk),
      await settleUnknown(it.parts, 'op_none', finding, clerk),
      await settleUnknown(it.parts, operation, finding, { ...clerk, tenant: 'other' }),
    ]).toMatchObject([
      { ok: false, because: 'It is SUCCEEDED; only an UNKNOWN operation is settled by a person.' },
      { ok: false, missing: true },
      { ok: false, missing: true },
    ]);
  });

  it('of a release that did happen counts as a release: the next one is asked for', async () => {
    const it = await shop();
    const instruction = await it.bought();
    await it.fault('retrieveCredentials', 'timeout-after-commit');
    const pay = { instruction, amount: '39.90', currency: 'EUR' };
    const { operation = '' } = await it.call('retrieve_credentials', pay);
    await settleUnknown(it.parts, operation, { happened: true, note: 'It was released.' }, clerk);
    const next = await it.call('retrieve_credentials', { ...pay, reference: 'payment-2' });
    expect([next.outcome, it.sent.length]).toEqual(['needs_approval', 3]);
  });
});

describe('a call that may be repeated', () => {
  const narrow = (instruction: string) => ({
    instruction,
    limit: { amount: '30.00', currency: 'EUR' },
    until: wish.until,
    description: wish.description,
  });

  it('goes out once more as exactly the same request', async () => {
    const it = await shop();
    const instruction = await it.bought();
    await it.fault('updatePurchase', '5xx');
    const lost = await it.call('update_purchase', narrow(instruction));
    const again = await it.call('update_purchase', narrow(instruction));
    expect([lost.outcome, again.outcome, again.operation]).toEqual(['unknown', 'done', lost.operation]);
    expect(it.sent.at(-1)).toEqual(it.sent.at(-2));
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

describe('a reference', () => {
  it('answers the same call with its first result and sends nothing', async () => {
    const it = await shop();
    await it.bought();
    const again = await it.call('initiate_purchase', wish);
    expect([again.outcome, again.replayed, it.sent.length]).toEqual(['done', true, 2]);
  });

  it.each<[string, object]>([
    ['another limit', { limit: { amount: '40.01', currency: 'EUR' } }],
    ['another currency', { limit: { amount: '40.00', currency: 'USD' } }],
    ['another card', { card: 'card_cleo' }],
    ['another end', { until: new Date(start + 60_000).toISOString() }],
    ['another text', { description: 'Two headphones' }],
    ['one more argument', { quantity: 2 }],
  ])('is refused for a call with %s', async (_, change) => {
    const it = await shop();
    await it.bought();
    const other = await it.call('initiate_purchase', { ...wish, ...change });
    expect([other.outcome, other.error?.code, other.error?.rule, it.sent.length]).toEqual([
      'refused',
      'CONFLICT',
      'EN-03',
      2,
    ]);
  });

  it('answers nobody else: another principal’s same call is a conflict', async () => {
    const it = await shop();
    await it.bought();
    const other = await it.call('initiate_purchase', wish, { ...agent, principal: 'another agent' });
    expect([other.outcome, other.error?.code, other.replayed]).toEqual(['refused', 'CONFLICT', undefined]);
  });

  it('is free again once its call has failed', async () => {
    const it = await shop();
    await it.call('enroll_card', { card: 'card_ada' });
    await it.fault('initiatePurchase', 'decline');
    const no = await it.approved('initiate_purchase', wish);
    expect(no).toMatchObject({ outcome: 'declined', error: { code: 'DECLINED', retry: 'never' } });
    expect((await it.approved('initiate_purchase', { ...wish, description: 'Earphones' })).outcome).toBe('done');
  });
});

it('keeps the platform’s words to the field that says they are untrusted', async () => {
  const it = await shop();
  await it.fault('enrollCard', '429', { afterSeconds: 7 });
  const held = await it.call('enroll_card', { card: 'card_ada' });
  expect(held).toMatchObject({ outcome: 'declined', error: { code: 'RATE_LIMITED', retry: 'after', wait: 7 } });
  expect(held.said).toBe('The platform takes no more calls just now. Nothing was changed.');
});
