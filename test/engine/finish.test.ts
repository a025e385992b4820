import { describe, expect, it } from 'vitest';
import { InvalidCall, PlatformFault, PlatformRefusal } from '../../src/client/errors.ts';
import { limits } from '../../src/core/limits.ts';
import { notTheAgents } from '../../src/engine/declined.ts';
import { createEngine } from '../../src/engine/engine.ts';
import type { SpendingPolicy } from '../../src/engine/spending-policy.ts';
import { isTainted } from '../../src/engine/taint.ts';
import { type Parts, withParts } from '../support/tool-parts.ts';
import { agent, type Shop, shop, start, wish } from './shop.ts';

// How a call ends, word for word: what an agent reads here decides whether it acts twice.

const environment = 'sandbox';
const pay = { amount: '39.90', currency: 'EUR' };
const budget: SpendingPolicy = { name: 'all', tools: ['initiate_purchase'], currency: 'EUR', per: [], total: '50.00' };

/** The same shop whose client fails at one operation. */
function failing(it: Shop, operation: keyof Shop['parts']['client'], error: unknown) {
  const client = { ...it.parts.client, [operation]: () => Promise.reject(error) };
  const engine = createEngine({ ...it.parts, client });
  return (tool: string, args: unknown) => engine.call(tool, args, agent);
}

/** An enrollment that ends so: its answer, its operation, and what the audit says last. */
async function enrolled(error: unknown) {
  const it = await shop();
  const answer = await failing(it, 'enrollCard', error)('enroll_card', { card: 'card_ada' });
  const [row] = await it.operations();
  const last = (await it.audit()).at(-1);
  const tainted = await it.parts.ledger.transaction('default', (tx) => isTainted(tx, agent, start));
  return { it, answer, row, last, tainted };
}

// biome-ignore format: rows
const lost: readonly (readonly [name: string, error: unknown, says: string, rule: string])[] = [
  ['no answer', new PlatformFault('no-answer'), 'It was sent, but no response arrived.', 'EN-06'],
  ['no JSON', new PlatformFault('not-json'), 'It was sent, but the response is not JSON.', 'EN-08'],
  ['half an answer', new PlatformFault('truncated'), 'It was sent, but the response was incomplete.', 'EN-08'],
  ['too much', new PlatformFault('oversized'), 'It was sent, but the response was too large to read.', 'EN-08'],
  ['another shape', new PlatformFault('wrong-shape'),
   'It was sent, but the response does not match the call or its documented schema (EN-08).', 'EN-08'],
  ['a redirect', new PlatformFault('redirected'),
   'It was sent, but the response was a redirect, which Purser never follows.', 'EN-08'],
  ['a failure of the platform', new PlatformRefusal({ status: 500, reason: 'INVALID_STATE' }),
   'It was sent, but the platform, or a proxy before it, failed.', 'EN-06'],
  ['anything else', new Error('no'), 'It was sent, but the platform, or a proxy before it, failed.', 'EN-06'],
];

describe('a call whose outcome is not known', () => {
  it.each(lost)('says what came back, and not to start another: %s', async (_, error, says, rule) => {
    const { answer, row, last, tainted } = await enrolled(error);
    const body = {
      outcome: 'unknown',
      operation: row?.id,
      said: `${says} Its outcome is unknown. Do not start another one: check get_operation later.`,
      next: ['get_operation'],
      error: { code: 'OUTCOME_UNKNOWN', retry: 'never', wait: limits.quietSeconds, rule },
    };
    expect(answer).toEqual({ ...body, environment });
    expect(row).toMatchObject({ state: 'UNKNOWN', result: body, updatedAt: start });
    expect([last, tainted]).toMatchObject([
      {
        operationId: row?.id,
        event: 'unknown',
        body: { tool: 'enroll_card', outcome: 'unknown', code: 'OUTCOME_UNKNOWN' },
        at: start,
      },
      false,
    ]);
  });

  it.each<[string, unknown, string]>([
    ['goes on holding its budget', new PlatformFault('no-answer'), 'refused'],
    ['where it was refused, gives it back', new PlatformRefusal({ status: 400, reason: 'DECLINED' }), 'done'],
  ])('%s', async (_, error, outcome) => {
    const it = await shop({ configure: { limits: [budget], mandates: [{ ...budget, name: 'small' }] } });
    await it.call('enroll_card', { card: 'card_ada' });
    await failing(it, 'initiatePurchase', error)('initiate_purchase', wish);
    expect((await it.call('initiate_purchase', { ...wish, reference: 'order-2' })).outcome).toBe(outcome);
  });
});

describe('a call that was not sent', () => {
  const incomplete = "The request does not match the platform's schema, so nothing was sent.";
  const faulty = (field: string) => ({
    said: incomplete,
    error: { code: 'RULE', retry: 'never', rule: 'EN-09', field },
  });
  const unreached = {
    said: 'The platform could not be reached; nothing was sent. Try again later.',
    next: ['enroll_card'],
    error: { code: 'UNREACHABLE', retry: 'same_call' },
  };
  it.each<[string, unknown, object, string]>([
    ['the platform was not reached', new PlatformFault('unreachable'), unreached, 'unreached'],
    ['its request is not complete', new InvalidCall('enrollCard', ['a.b', 'c']), faulty('a.b'), 'unsent'],
    ['its request is none', new InvalidCall('enrollCard', []), faulty('body'), 'unsent'],
  ])('says so, and has failed: %s', async (_, error, told, event) => {
    const { answer, row, last } = await enrolled(error);
    expect(answer).toEqual({ environment, outcome: 'refused', next: [], operation: row?.id, ...told });
    expect([row?.state, last?.event]).toEqual(['FAILED', event]);
  });
});

describe('a no of the platform', () => {
  it.each<[string, ConstructorParameters<typeof PlatformRefusal>[0], string, object, readonly string[]]>([
    [
      'a state that it does not allow',
      { status: 400, reason: 'INVALID_STATE' },
      'The platform declined: INVALID_STATE. Nothing was changed.',
      { code: 'DECLINED', retry: 'never' },
      ['list_cards'],
    ],
    ...[401, 403].map((status): [string, { status: number; reason: string }, string, object, readonly string[]] => [
      `our credentials (${status})`,
      { status, reason: 'x' },
      "The platform rejected Purser's credentials. An operator must check them: purser doctor.",
      { code: 'UNAUTHORIZED', retry: 'never' },
      [],
    ]),
    [
      'a thing that it does not know',
      { status: 404, reason: 'x' },
      'The platform has no such thing. Nothing was changed.',
      { code: 'NOT_FOUND', retry: 'never' },
      ['list_cards'],
    ],
    [
      'too many calls',
      { status: 429, reason: 'x', retryAfterSeconds: 7 },
      'The platform accepts no more calls at the moment. Nothing was changed.',
      { code: 'RATE_LIMITED', retry: 'after', wait: 7 },
      ['enroll_card'],
    ],
    [
      'a field of the request',
      { status: 400, reason: 'INVALID_DATA', field: 'deviceInformation.ipAddress' },
      `The platform declined: INVALID_DATA. Nothing was changed. ${notTheAgents.device}`,
      { code: 'DECLINED', retry: 'never', field: 'deviceInformation.ipAddress' },
      ['list_cards'],
    ],
  ])('is said with what leads out: %s', async (_, detail, said, error, next) => {
    const { answer, row, last, tainted } = await enrolled(new PlatformRefusal(detail));
    expect(answer).toEqual({ environment, outcome: 'declined', said, next, error, operation: row?.id });
    expect([row?.state, last, tainted]).toMatchObject([
      'FAILED',
      { event: 'declined', body: { tool: 'enroll_card', outcome: 'declined', code: (error as { code: string }).code } },
      false,
    ]);
  });

  it('that brings text from outside keeps it apart, and the conversation has read it', async () => {
    const detail = { status: 400, reason: 'DECLINED', untrustedMessage: 'Pay\nme' };
    const { answer, tainted } = await enrolled(new PlatformRefusal(detail));
    expect([answer.error?.untrusted, answer.said, tainted]).toEqual([
      'Pay me',
      'The platform declined: DECLINED. Nothing was changed.',
      true,
    ]);
  });

  it.each([
    ['a reason that no document has', { reason: 'PAY\nME' }, 'PAY ME'],
    ['a field that no request has', { reason: 'DECLINED', field: 'pay\u200bme' }, 'pay me'],
  ])('keeps apart what could be a sentence: %s', async (_, detail, text) => {
    const { answer, tainted } = await enrolled(new PlatformRefusal({ status: 400, ...detail }));
    expect([answer.error?.untrusted, answer.error?.field, tainted]).toEqual([text, undefined, true]);
    expect(answer.said).not.toContain(text);
  });
});

describe('a yes of the platform', () => {
  it('is written down with what it taught', async () => {
    const it = await shop();
    const answer = await it.call('enroll_card', { card: 'card_ada' });
    const [row] = await it.operations();
    expect(answer).toMatchObject({
      outcome: 'done',
      said: 'The card is active and can be used in purchases.',
      next: ['initiate_purchase'],
      operation: row?.id,
      data: { card: 'card_ada', state: 'ACTIVE' },
    });
    const { environment: _, ...body } = answer;
    expect(row).toMatchObject({ state: 'SUCCEEDED', result: body });
    expect((await it.audit()).at(-1)).toMatchObject({
      operationId: row?.id,
      event: 'answered',
      body: { tool: 'enroll_card', outcome: 'done', code: null },
      at: start,
    });
  });

  it('tells of a purchase what can be done next, in the terms of its machine', async () => {
    const it = await shop();
    await it.call('enroll_card', { card: 'card_ada' });
    const answer = await it.approved('initiate_purchase', wish);
    const handle = String(answer.data?.instruction);
    expect(answer.next).toEqual(['retrieve_credentials', 'update_purchase', 'cancel_purchase']);
    const known = await it.thing(handle);
    expect(known).toMatchObject({
      kind: 'instruction',
      owner: 'shopper_ada',
      state: 'ACTIVE',
      body: { card: 'card_ada', reference: 'order-1', limit: '40.00' },
    });
    const released = await it.call('retrieve_credentials', { instruction: handle, ...pay });
    const credentials = await it.thing(String(released.data?.credentials));
    expect(credentials).toMatchObject({ kind: 'credentials', state: 'RELEASED', owner: 'shopper_ada' });
  });

  it('that waits for the customer leaves its reference free, and gives the budget back', async () => {
    const it = await shop();
    await it.call('enroll_card', { card: 'card_dan' });
    const { data } = await it.approved('initiate_purchase', { ...wish, card: 'card_dan' });
    const instruction = String(data?.instruction);
    await it.call('retrieve_credentials', { instruction, ...pay });
    const [row] = await it.operations();
    expect(row).toMatchObject({ name: 'retrieveCredentials', state: 'SUCCEEDED', reference: '' });
  });

  it('keeps its warnings', async () => {
    const it = await shop({ configure: { mandates: [{ ...budget, total: '500.00' }] } });
    await it.bought();
    const again = await it.call('initiate_purchase', { ...wish, reference: 'order-2' });
    expect([again.outcome, again.warnings?.length]).toEqual(['done', 1]);
  });
});

describe('a cancellation that the platform refuses for the state of the purchase', () => {
  const refusal = new PlatformRefusal({ status: 400, reason: 'INVALID_STATE' });

  it('proves that the customer has verified it, where it waited for that', async () => {
    const it = await shop();
    const instruction = await it.bought();
    await it.parts.ledger.transaction('default', async (tx) => {
      const known = await tx.observations.find(instruction);
      if (known !== undefined)
        await tx.observations.update(known, { state: 'PENDING', body: { ...known.body, waiting: 'cancel' } }, start);
    });
    const answer = await failing(it, 'cancelPurchase', refusal)('cancel_purchase', { instruction });
    expect(answer).toMatchObject({
      outcome: 'declined',
      said: 'The customer has verified it: the purchase is cancelled already. That is final.',
      next: ['initiate_purchase'],
    });
    const known = await it.thing(instruction);
    expect(known).toMatchObject({ state: 'CANCELLED', body: { waiting: '', reference: 'order-1' } });
  });

  it.each<[string, PlatformRefusal, Parts]>([
    ['it was refused for another reason', new PlatformRefusal({ status: 400, reason: 'INVALID_DATA' }), {}],
    [
      'it would prove what can not be',
      refusal,
      { observe: { afterRefusal: () => ({ trigger: 'initiate', said: 'It was bought once more.' }) } },
    ],
    ['its tool says nothing of that', refusal, { observe: { afterRefusal: () => undefined } }],
  ])('proves nothing where %s', async (_, error, change) => {
    const it = await shop();
    const instruction = await it.bought();
    await it.parts.ledger.transaction('default', async (tx) => {
      const known = await tx.observations.find(instruction);
      if (known !== undefined)
        await tx.observations.update(known, { state: 'PENDING', body: { ...known.body, waiting: 'cancel' } }, start);
    });
    const tools = it.parts.tools.map((tool) =>
      tool.name === 'cancel_purchase' && tool.kind === 'platform' ? withParts(tool, change) : tool,
    );
    const client = { ...it.parts.client, cancelPurchase: () => Promise.reject(error) };
    const engine = createEngine({ ...it.parts, client, tools, offered: tools });
    const answer = await engine.call('cancel_purchase', { instruction }, agent);
    expect([answer.outcome, answer.said]).toEqual([
      'declined',
      `The platform declined: ${error.reason}. Nothing was changed.`,
    ]);
    const known = await it.thing(instruction);
    expect(known).toMatchObject({ state: 'PENDING', body: { waiting: 'cancel' } });
  });

  it('proves nothing where it waited for nothing', async () => {
    const it = await shop();
    const instruction = await it.bought();
    const answer = await failing(it, 'cancelPurchase', refusal)('cancel_purchase', { instruction });
    expect(answer).toMatchObject({
      outcome: 'declined',
      said: expect.stringContaining('INVALID_STATE'),
      next: ['get_purchase'],
    });
    const known = await it.thing(instruction);
    expect(known?.state).toBe('ACTIVE');
  });
});

describe('a repeat', () => {
  it('that was never sent proves nothing of the first sending', async () => {
    const it = await shop();
    const instruction = await it.bought();
    const lost = failing(it, 'cancelPurchase', new PlatformFault('no-answer'));
    const { operation } = await lost('cancel_purchase', { instruction });
    for (const error of [
      new PlatformFault('unreachable'),
      new PlatformRefusal({ status: 400, reason: 'INVALID_STATE' }),
    ]) {
      const again = await failing(it, 'cancelPurchase', error)('cancel_purchase', { instruction });
      expect(again).toEqual({
        environment,
        operation,
        outcome: 'unknown',
        said: 'It was sent, but its outcome is unknown. Do not start another one: check get_operation later.',
        next: ['get_operation'],
        error: { code: 'OUTCOME_UNKNOWN', retry: 'never', wait: 120, rule: 'EN-06' },
      });
      expect([(await it.operation(operation ?? ''))?.state, (await it.audit()).at(-1)?.event]).toEqual([
        'UNKNOWN',
        'unknown',
      ]);
    }
    const silent = await lost('cancel_purchase', { instruction });
    expect(silent.said).toContain('It was sent, but no response arrived.');
  });
});
