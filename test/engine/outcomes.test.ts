import { describe, expect, it } from 'vitest';
import type { Platform } from '../../src/client/platform.ts';
import { operation as machine } from '../../src/core/own-machines.ts';
import { operation } from '../ledger/rows-data.ts';
import { planned } from './billing.ts';
import { agent, begins, bought, change, order, paid, payment, type World, world } from './support.ts';

describe('what a call answers', () => {
  it('done: what is now, what was done, and what is possible next', async () => {
    const it = await world();
    expect(await it.call('enroll_card', { card: 'card_ada' })).toEqual({
      outcome: 'done',
      environment: 'sandbox',
      said: 'The card is active and can be used in purchases.',
      operation: expect.stringMatching(/^op_[a-z]+$/),
      data: { card: 'card_ada', last_four: '1111', expires: '2031-12', state: 'ACTIVE' },
      next: ['initiate_purchase'],
    });
  });

  it('declined: the platform said no, in its own code, its words apart and marked as untrusted', async () => {
    const it = await world();
    await it.fault('enrollCard', 'decline');
    const said = await it.call('enroll_card', { card: 'card_ada' });
    expect(said).toEqual({
      outcome: 'declined',
      environment: 'sandbox',
      said: 'The platform declined: DECLINED. Nothing was changed.',
      operation: expect.any(String),
      next: ['list_cards'],
      error: { code: 'DECLINED', retry: 'never', untrusted: 'The request was declined.' },
    });
    expect((await it.operation(said.operation)).state).toBe('FAILED');
    expect(await it.effects()).toEqual([]);
  });

  it('declined: what the platform says about the state of a thing is learned', async () => {
    const it = await world();
    const instruction = await bought(it);
    await it.fault('cancelPurchase', 'pending');
    expect(await it.call('cancel_purchase', { instruction })).toMatchObject({
      outcome: 'done',
      data: { state: 'PENDING' },
    });
    await it.fault('cancelPurchase', 'decline');
    expect(await it.call('cancel_purchase', { instruction })).toMatchObject({ outcome: 'declined' });
    expect((await it.thing(instruction)).state).toBe('PENDING');
    await it.control('POST', `instructions/${(await it.thing(instruction)).body.instructionId}/verify`);
    expect(await it.call('cancel_purchase', { instruction })).toMatchObject({
      outcome: 'declined',
      said: 'The customer has verified it: the purchase is cancelled already. That is final.',
      next: ['initiate_purchase'],
    });
    expect((await it.thing(instruction)).state).toBe('CANCELLED');
    expect(await it.call('cancel_purchase', { instruction })).toMatchObject({
      outcome: 'refused',
      error: { rule: 'AP-07' },
    });
  });

  it.each([
    ['a text that was cut within a character', { name: 'Gold\ud83d' }, ['done', 'done']],
    ['a state called like what every object has', { status: 'constructor' }, ['refused', 'unknown']],
  ])('an outcome, whatever the platform says: %s', async (_, said, outcomes) => {
    let isOdd = false;
    const it = await world({
      replace: {
        platform: (real) => async (request) => {
          const answer = await real(request);
          if (!isOdd) return answer;
          const { planInformation, ...body } = JSON.parse(await answer.text());
          return Response.json({ ...body, planInformation: { ...planInformation, ...said } });
        },
      },
    });
    const plan = await planned(it);
    isOdd = true;
    const [read, changed] = [await it.call('get_plan', { plan }), await it.call('deactivate_plan', { plan })];
    expect([read.outcome, changed.outcome]).toEqual(outcomes);
    expect((await it.operation(changed.operation)).state).toBe(changed.outcome === 'done' ? 'SUCCEEDED' : 'UNKNOWN');
  });

  it('needs_approval: nothing is sent until a person has read what it is', async () => {
    const it = await world();
    await it.call('enroll_card', { card: 'card_ada' });
    const said = await it.call('initiate_purchase', order());
    expect(said).toEqual({
      outcome: 'needs_approval',
      environment: 'sandbox',
      said: expect.any(String),
      operation: expect.any(String),
      next: ['list_approvals'],
      approval: {
        id: expect.stringMatching(/^apr_[a-z]+$/),
        text: [
          'Allow the agent to buy',
          'Order: "order-1"',
          'At most: "100.00 GBP"',
          'Until: "2026-02-01T00:00:00.000Z"',
          'Description: "Headphones"',
          'Merchant: "Harbour Audio"',
          'Shop: shop.harbour-audio.example.com',
          'Card ending: 1111',
          'Customer: "Ada Example"',
        ].join('\n'),
        expires: '2026-01-15T09:10:00.000Z',
      },
      error: { code: 'APPROVAL_REQUIRED', retry: 'same_call', rule: 'EN-04' },
    });
    expect(await it.effects('initiatePurchase')).toEqual([]);
  });

  it('survives whatever the platform writes into its no', async () => {
    const message = '😀'.repeat(300);
    const it = await world({
      replace: {
        platform: () => async () =>
          Response.json({ error: { status: 'INVALID_REQUEST', reason: 'INVALID_DATA', message } }, { status: 400 }),
      },
    });
    const said = await it.call('enroll_card', { card: 'card_ada' });
    expect(said).toMatchObject({ outcome: 'declined', error: { untrusted: '😀'.repeat(120) } });
    expect((await it.operation(said.operation)).state).toBe('FAILED');
  });
});

describe('a purchase', () => {
  it('goes through, one effect for each of its steps', async () => {
    const it = await world();
    const instruction = await paid(it);
    const confirmed = await it.call('confirm_transaction', { instruction });
    expect(confirmed).toMatchObject({ outcome: 'done', data: { state: 'COMPLETED' }, next: [] });
    expect((await it.effects()).map(({ operation }) => operation)).toEqual([
      'enrollCard',
      'initiatePurchase',
      'retrieveCredentials',
      'confirmTransaction',
    ]);
    expect(await it.parts.ledger.verify()).toMatchObject({ ok: true });
  });

  it.each(['REFUND', 'REVERSAL', 'VERIFICATION', 'CHARGEBACK', 'FRAUD'])(
    'is not completed by a receipt of a %s',
    async (transactionType) => {
      const it = await world();
      const instruction = await bought(it);
      await it.call('retrieve_credentials', payment(instruction));
      await it.receipt(instruction, { transactionType });
      expect(await it.call('confirm_transaction', { instruction })).toMatchObject({
        outcome: 'refused',
        error: { rule: 'AP-10' },
      });
      expect([(await it.thing(instruction)).state, await it.effects('confirmTransaction')]).toEqual(['ACTIVE', []]);
    },
  );

  it('whose release waits for the customer is released by the same call, once the customer has verified', async () => {
    const it = await world();
    const instruction = await bought(it, { card: 'card_dan' });
    const asked = await it.call('retrieve_credentials', payment(instruction));
    expect(asked).toMatchObject({ outcome: 'done', said: expect.stringContaining('make the same call again') });
    expect(asked.data.credentials).toBeUndefined();
    await it.control('POST', `instructions/${(await it.thing(instruction)).body.instructionId}/verify`, {});
    const released = await it.call('retrieve_credentials', payment(instruction));
    expect(released).toMatchObject({ outcome: 'done', data: { credentials: expect.any(String) } });
    expect(released.replayed).toBeUndefined();
    const again = await it.call('retrieve_credentials', payment(instruction));
    expect(again).toMatchObject({ ...released, replayed: true, next: expect.any(Array), said: expect.any(String) });
    expect(again.said).toContain(released.said);
  });

  it.each([
    ['initiatePurchase', (it: World) => it.through('initiate_purchase', order())],
    ['updatePurchase', async (it: World) => it.through('update_purchase', change(await bought(it), { quantity: 2 }))],
    ['cancelPurchase', async (it: World) => it.call('cancel_purchase', { instruction: await bought(it) })],
    ['retrieveCredentials', async (it: World) => it.call('retrieve_credentials', payment(await bought(it)))],
  ] as const)('waits for the customer after a 202 of %s with no more than public models require', async (on, act) => {
    const it = await world({ replace: { platform: (real) => async (request) => told(await real(request), 202) } });
    await it.call('enroll_card', { card: 'card_ada' });
    await it.fault(on, 'pending');
    const { outcome, data } = await act(it);
    expect([outcome, (await it.thing(data.instruction)).state]).toEqual(['done', 'PENDING']);
  });

  describe.each([
    ['its status', { pendingEvents: undefined }],
    ['its events', { status: undefined }],
  ])('waits for the customer after a 200 that says so by %s', (_, without) => {
    it.each([
      ['initiatePurchase', (it: World) => it.through('initiate_purchase', order())],
      ['updatePurchase', async (it: World) => it.through('update_purchase', change(await bought(it), { quantity: 2 }))],
      ['cancelPurchase', async (it: World) => it.call('cancel_purchase', { instruction: await bought(it) })],
    ] as const)('of %s', async (on, act) => {
      const it = await world({
        replace: { platform: (real) => async (request) => asOk(await real(request), without) },
      });
      await it.call('enroll_card', { card: 'card_ada' });
      await it.fault(on, 'pending');
      const { outcome, said, data } = await act(it);
      const { state, body } = await it.thing(data.instruction);
      expect([outcome, data.state, state, body.waiting]).toEqual([
        ...['done', 'PENDING', 'PENDING'],
        on.slice(0, -'Purchase'.length),
      ]);
      expect(said).toContain('verify');
    });
  });

  it.each([202, 200])(
    'waits for the customer where a cancellation of one that waits is answered so by %i',
    async (status) => {
      const platform =
        (real: Platform): Platform =>
        async (request) =>
          status === 200 ? asOk(await real(request), {}) : real(request);
      const it = await world({ replace: { platform } });
      const instruction = await bought(it);
      await it.fault('updatePurchase', 'pending');
      await it.through('update_purchase', change(instruction, { quantity: 2 }));
      await it.fault('cancelPurchase', 'pending');
      expect(await it.call('cancel_purchase', { instruction })).toMatchObject({
        outcome: 'done',
        data: { state: 'PENDING' },
      });
      expect((await it.thing(instruction)).body.waiting).toBe('cancel');
      await it.control('POST', `instructions/${(await it.thing(instruction)).body.instructionId}/verify`);
      expect(await it.call('cancel_purchase', { instruction })).toMatchObject({ outcome: 'declined' });
      expect((await it.thing(instruction)).state).toBe('CANCELLED');
    },
  );

  it('has its credentials after a 200 that does not say that it is completed', async () => {
    const it = await world({ replace: { platform: (real) => async (request) => told(await real(request), 200) } });
    const instruction = await bought(it);
    expect(await it.call('retrieve_credentials', payment(instruction))).toMatchObject({
      outcome: 'done',
      data: { credentials: expect.stringMatching(/^credentials_/) },
    });
  });

  it('that an earlier version kept without its id can be asked nothing: no call of it is sent, none is unknown', async () => {
    const it = await world();
    const instruction = await bought(it);
    await it.parts.ledger.transaction(agent.tenant, async (tx) => {
      const row = await tx.observations.find(instruction);
      if (row !== undefined) await tx.observations.update(row, { body: { ...row.body, instructionId: '' } }, begins);
    });
    const calls = [
      ['cancel_purchase', { instruction }],
      ['update_purchase', change(instruction)],
      ['retrieve_credentials', payment(instruction)],
      ['preview_call', { tool: 'cancel_purchase', arguments: { instruction } }],
    ] as const;
    for (const [tool, args] of calls) {
      const said = await it.call(tool, args);
      expect(said.data?.verdict ?? said).toMatchObject({ outcome: 'refused', error: { rule: 'EN-09' } });
    }
  });
});

describe('an operation that only another build knows', () => {
  it.each(machine.existing)('is shown, and leads to no tool of its own: %s', async (state) => {
    const it = await world();
    const row = operation({ id: 'op_other', name: 'payTheRent', state, principal: agent.principal });
    await it.parts.ledger.transaction(agent.tenant, (tx) => tx.operations.insert(row));
    const { outcome, data, next } = await it.call('get_operation', { operation: row.id });
    expect({ outcome, data }).toMatchObject({ outcome: 'done', data: { tool: 'pay_the_rent', state } });
    expect(['list_approvals', 'get_operation', 'withdraw_operation']).toEqual(expect.arrayContaining([...next]));
    expect(await it.call('list_operations')).toMatchObject({ outcome: 'done', data: { total: 1 } });
  });
});

/** An answer about an instruction, or its credentials, without what public models don't require. */
async function told(answer: Response, status: number): Promise<Response> {
  const body = JSON.parse(await answer.clone().text());
  if (answer.status !== status || !('instructionId' in body)) return answer;
  const { status: _, pendingEvents: __, ...rest } = body;
  return Response.json(rest, { status });
}

/** An answer that something waits, as a 200 that says so in its body alone. */
async function asOk(answer: Response, without: object): Promise<Response> {
  if (answer.status !== 202) return answer;
  return Response.json({ ...JSON.parse(await answer.text()), ...without }, { status: 200 });
}
