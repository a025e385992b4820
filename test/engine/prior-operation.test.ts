import { describe, expect, it } from 'vitest';
import { recordDecision } from '../../src/engine/approval-service.ts';
import { clerk, type Shop, shop, start, wish } from './shop.ts';

// What an earlier operation means for a call, word for word: what an agent reads here decides whether it acts twice.

const environment = 'sandbox';
const unknownError = { code: 'OUTCOME_UNKNOWN', retry: 'never', wait: 120, rule: 'EN-06' };

/** An enrollment that a process has left behind when it died. */
async function leftBehind(): Promise<readonly [Shop, string]> {
  let dies = true;
  const it = await shop({
    replace: {
      failpoint: (point) => {
        if (point === 'F2' && dies) throw new Error('killed');
      },
    },
  });
  await expect(it.call('enroll_card', { card: 'card_ada' })).rejects.toThrow('killed');
  dies = false;
  const [{ id = '' } = {}] = await it.operations();
  return [it, id];
}

describe('an earlier call', () => {
  it('under way answers with its operation and how long to wait', async () => {
    const [it, operation] = await leftBehind();
    await it.advance(20);
    expect(await it.call('enroll_card', { card: 'card_ada' })).toEqual({
      environment,
      operation,
      outcome: 'unknown',
      said: 'The same call is already in progress. This operation will have its result.',
      next: ['get_operation'],
      error: { code: 'IN_FLIGHT', retry: 'after', wait: 100, rule: 'EN-07' },
    });
    expect((await it.operation(operation))?.state).toBe('SENDING');
  });

  it('whose silence has lasted too long becomes UNKNOWN, is written down so, and is not sent again', async () => {
    const [it, operation] = await leftBehind();
    await it.advance(120);
    expect(await it.call('enroll_card', { card: 'card_ada' })).toEqual({
      environment,
      operation,
      outcome: 'unknown',
      said: 'It was sent, but its outcome is unknown. Do not start another one: check get_operation later.',
      next: ['get_operation'],
      error: unknownError,
    });
    expect([(await it.operation(operation))?.state, it.sent]).toEqual(['UNKNOWN', []]);
    expect((await it.audit()).at(-1)).toMatchObject({ event: 'unknown', body: { because: 'no answer was recorded' } });
  });

  it('that may be repeated is sent once more, exactly, and the audit tells which attempt it was', async () => {
    const it = await shop();
    const instruction = await it.bought();
    await it.fault('cancelPurchase', 'timeout-after-commit');
    const lost = await it.call('cancel_purchase', { instruction });
    await it.call('cancel_purchase', { instruction });
    const [first, second] = it.sent.slice(-2);
    expect([lost.outcome, second]).toEqual(['unknown', first]);
    const sendings = (await it.audit()).filter(
      ({ event, operationId }) => event === 'sent' && operationId === lost.operation,
    );
    expect(sendings.map(({ body }) => body.attempt)).toEqual([1, 2]);
  });

  it('under the same reference is a conflict, and the refusal names it', async () => {
    const it = await shop();
    await it.bought();
    const [{ id = '' } = {}] = await it.operations();
    expect(await it.call('initiate_purchase', { ...wish, quantity: 2 })).toEqual({
      environment,
      operation: id,
      outcome: 'refused',
      said: 'This reference already belongs to another call. Use a new reference for a different call.',
      next: ['get_operation'],
      error: { code: 'CONFLICT', retry: 'changed_call', field: 'reference', rule: 'EN-03' },
    });
  });

  it('that waits for a person leads to it, until it is denied: then its reference is free', async () => {
    const it = await shop();
    await it.call('enroll_card', { card: 'card_ada' });
    const { approval } = await it.call('initiate_purchase', wish);
    const other = { ...wish, quantity: 2 };
    expect(await it.call('initiate_purchase', other)).toMatchObject({
      outcome: 'refused',
      next: ['list_approvals', 'withdraw_operation'],
      error: { code: 'CONFLICT', field: 'reference', rule: 'EN-03' },
    });
    await recordDecision(it.parts, approval?.id ?? '', 'deny', clerk);
    expect(await it.call('initiate_purchase', other)).toMatchObject({ outcome: 'needs_approval' });
  });

  it('of unknown outcome keeps every other call off the same thing, and the refusal names it', async () => {
    const it = await shop();
    const instruction = await it.bought();
    await it.fault('updatePurchase', 'timeout-after-commit');
    const { card: _, reference: __, ...purchase } = wish;
    const lost = await it.call('update_purchase', { ...purchase, instruction });
    expect(await it.call('cancel_purchase', { instruction })).toEqual({
      environment,
      operation: lost.operation,
      outcome: 'refused',
      said: 'An earlier call for the same thing has an unknown outcome. Nothing else is sent for it until that is resolved.',
      next: ['get_operation'],
      error: { code: 'OUTCOME_UNKNOWN', retry: 'never', rule: 'EN-06' },
    });
  });

  it('under way keeps every other call off the same thing for a while, and the refusal says how long', async () => {
    let dies = false;
    const it = await shop({
      replace: {
        failpoint: (point) => {
          if (point === 'F2' && dies) throw new Error('killed');
        },
      },
    });
    const instruction = await it.bought();
    dies = true;
    const { card: _, reference: __, ...purchase } = wish;
    const narrower = { ...purchase, instruction, limit: { amount: '30.00', currency: 'EUR' } };
    await expect(it.call('update_purchase', narrower)).rejects.toThrow('killed');
    const [{ id = '' } = {}] = await it.operations();
    await it.advance(20);
    expect(await it.call('cancel_purchase', { instruction })).toEqual({
      environment,
      operation: id,
      outcome: 'refused',
      said: 'Another call for the same thing is in progress.',
      next: ['get_operation'],
      error: { code: 'IN_FLIGHT', retry: 'after', wait: 100, rule: 'EN-07' },
    });
    await it.advance(100);
    expect(await it.call('cancel_purchase', { instruction })).toMatchObject({
      operation: id,
      outcome: 'refused',
      error: { code: 'OUTCOME_UNKNOWN', retry: 'never', rule: 'EN-06' },
    });
  });

  it('that holds no thing keeps nobody off: two purchases may be begun beside each other', async () => {
    const [it] = await leftBehind();
    expect((await it.call('enroll_card', { card: 'card_cleo' })).outcome).toBe('done');
    await it.fault('initiatePurchase', 'timeout-after-commit');
    const lost = await it.approved('initiate_purchase', { ...wish, card: 'card_cleo' });
    const other = await it.approved('initiate_purchase', { ...wish, card: 'card_cleo', reference: 'order-2' });
    expect([lost.outcome, other.outcome]).toEqual(['unknown', 'done']);
  });

  it('that a person let lapse ends, and a person is asked anew', async () => {
    const it = await shop();
    await it.call('enroll_card', { card: 'card_ada' });
    const first = await it.call('initiate_purchase', wish);
    await it.advance(600);
    const second = await it.call('initiate_purchase', wish);
    expect([second.outcome, second.operation === first.operation]).toEqual(['needs_approval', false]);
    expect((await it.operation(String(first.operation)))?.state).toBe('EXPIRED');
    expect((await it.audit()).map(({ event }) => event)).toContain('expired');
  });

  it('that was asked about is told in the audit by what binds it', async () => {
    const it = await shop();
    await it.call('enroll_card', { card: 'card_ada' });
    const asked = await it.call('initiate_purchase', wish);
    const approval = asked.approval?.id ?? '';
    await recordDecision(it.parts, approval, 'approve', clerk);
    await it.call('initiate_purchase', wish);
    const told = (await it.audit()).filter(({ operationId }) => operationId === asked.operation);
    expect(told.map(({ event, body }) => [event, body])).toMatchObject([
      [
        'proposed',
        {
          tool: 'initiate_purchase',
          approval,
          digest: expect.stringMatching(/^[0-9a-f]{64}$/),
          argsDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      ],
      ['approved', { approval, approver: 'clerk', channel: 'cli' }],
      ['sent', { attempt: 1, approval }],
      ['answered', { tool: 'initiate_purchase', outcome: 'done', code: null }],
    ]);
  });
});

describe('a refusal of the engine', () => {
  it('for money that is none stands whatever the level of the rule', async () => {
    const it = await shop({ configure: { levels: { 'AP-09': 'off' } } });
    const instruction = await it.bought();
    expect(await it.call('retrieve_credentials', { instruction, amount: '1.005', currency: 'EUR' })).toEqual({
      environment,
      outcome: 'refused',
      said: expect.stringContaining('EUR'),
      next: [],
      error: { code: 'RULE', retry: 'changed_call', field: 'arguments', rule: 'AP-09' },
    });
  });

  it('for clocks that differ says who must do what', async () => {
    const it = await shop();
    await it.fault('enrollCard', 'wrong-date');
    await it.call('enroll_card', { card: 'card_ada' });
    expect(await it.call('initiate_purchase', wish)).toEqual({
      environment,
      outcome: 'refused',
      said: "The clocks of Purser and the platform differ too much, so no money moves. An operator must set Purser's clock.",
      next: ['list_operations'],
      error: { code: 'RULE', retry: 'never', rule: 'EN-15' },
    });
  });

  it('for a limit of a day counts the day in Greenwich', async () => {
    const daily = {
      name: 'daily',
      tools: ['initiate_purchase'],
      currency: 'EUR',
      total: '50.00',
      per: ['day'],
    } as const;
    const it = await shop({ configure: { limits: [daily] } });
    await it.bought();
    const until = new Date(start + 3 * 86_400_000).toISOString();
    const next = { ...wish, reference: 'order-2', until };
    await it.advance(15 * 3_600 - 1);
    expect(await it.call('initiate_purchase', next)).toMatchObject({ error: { rule: 'EN-11', retry: 'changed_call' } });
    await it.advance(1);
    expect((await it.call('initiate_purchase', next)).outcome).toBe('needs_approval');
  });

  it.each([
    [true, true, 'EN-14'],
    [true, false, 'EN-04'],
    [false, false, 'EN-04'],
  ])('asks by the rule that asks: text from outside %s, a mandate %s', async (outside, mandated, rule) => {
    const small = { name: 'small', tools: ['initiate_purchase'], currency: 'EUR', per: [] } as const;
    const it = await shop({ configure: { mandates: mandated ? [small] : [] } });
    await it.call('enroll_card', { card: 'card_ada' });
    if (outside) {
      await it.fault('enrollCard', 'decline');
      await it.call('enroll_card', { card: 'card_cleo' });
    }
    expect(await it.call('initiate_purchase', wish)).toMatchObject({
      outcome: 'needs_approval',
      error: { code: 'APPROVAL_REQUIRED', rule },
    });
  });
});
