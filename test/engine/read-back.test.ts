import { describe, expect, it } from 'vitest';
import { type UnitWord, unitWords } from '../../src/core/schedule.ts';
import { contract } from '../../src/domains/index.ts';
import { defaultPlatformLimits } from '../../src/engine/platform-slots.ts';
import { recover } from '../../src/engine/recover.ts';
import type { SpendingPolicy } from '../../src/engine/spending-policy.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { tools } from '../../tools/index.ts';
import { followed, plan, planned, running, subscribed, subscription } from './billing.ts';
import { bill } from './invoicing.ts';
import { agent, bought, change, order, type Said, settle, until, type World, world } from './support.ts';

// What the engine does past the quiet period about calls whose answer was lost: it asks the platform.

/** Lets the quiet period pass and looks after what was left behind. */
async function later(it: World, ledger: Partial<Ledger> = {}): Promise<void> {
  await it.advance(121);
  const { parts } = it;
  await recover({ ...parts, ledger: { ...parts.ledger, ...ledger } });
}

/** Makes a call, through a person where one must approve, of which the answer is lost after the platform has done it. */
async function losing(it: World, operation: string, tool: string, args: object): Promise<Said> {
  await it.fault(operation, 'timeout-after-commit');
  const said = await it.through(tool, args);
  expect(said.outcome).toBe('unknown');
  return said;
}

const told = async (it: World, { operation }: Said) => (await it.call('get_operation', { operation })).data;

/** Counts what is asked of the platform, and lets it be gone. */
function line() {
  const state = { asked: [] as string[], gone: false };
  return Object.assign(state, {
    replace: {
      platform: (real: (request: Request) => Promise<Response>) => async (request: Request) => {
        if (request.method === 'GET') state.asked.push(new URL(request.url).pathname);
        if (state.gone) throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
        return real(request);
      },
    },
  });
}

describe('an update of which only the name is as it was', () => {
  it.each([{ payments: 7 }, { setup_fee: '5.00' }])(
    'is left to a person, since nothing shows the rest: %s',
    async (change) => {
      const it = await world();
      const args = { subscription: await subscribed(it), name: 'Gold for Ada', ...change };
      await it.fault('updateSubscription', '5xx');
      const said = await it.through('update_subscription', args);
      expect(said.outcome).toBe('unknown');
      await later(it);
      expect(await told(it, said)).toMatchObject({ state: 'UNKNOWN' });
    },
  );
});

describe('a change that the machine does not know, because its rule is turned off', () => {
  it('is left to a person: the subscription is in the state that it was in', async () => {
    const it = await world();
    Object.assign(it.parts.settings, { levels: { 'SB-09': 'off' } });
    const waiting = await subscribed(it, { start: '2026-01-20T09:00:00Z' });
    await it.fault('suspendSubscription', '5xx');
    const said = await it.call('suspend_subscription', { subscription: waiting });
    expect(said.outcome).toBe('unknown');
    await later(it);
    expect(await told(it, said)).toMatchObject({ state: 'UNKNOWN' });
  });
});

describe('what somebody else has changed since', () => {
  const sent = async (it: World, subscription: string) =>
    String(((await it.thing(subscription)).body as { readonly subscriptionId?: string }).subscriptionId);

  it('is no proof that nothing was charged: a move to another plan is left to a person', async () => {
    const terms = { tools: ['update_subscription'], total: '1000.00', per: [], until };
    const mandate: SpendingPolicy = { name: 'moves', currency: 'GBP', ...terms };
    const it = await world({ configure: { mandates: [mandate] } });
    const found = await running(it);
    const { onPlan } = (await it.thing(found)).body as { readonly onPlan: string };
    const { planId } = (await it.thing(onPlan)).body;
    const other = await planned(it, { amount: '20.00', name: 'Platinum' });
    const said = await losing(it, 'updateSubscription', 'update_subscription', { subscription: found, plan: other });
    await it.parts.client.updateSubscription({
      id: await sent(it, found),
      body: { subscriptionInformation: { planId } },
    } as never);
    await later(it);
    expect(await told(it, said)).toMatchObject({ state: 'UNKNOWN' });
    expect(await it.call('update_subscription', { subscription: found, plan: other })).toMatchObject({
      outcome: 'unknown',
    });
    expect(await it.effects('updateSubscription')).toHaveLength(2);
  });

  it('is no proof that a name was not given: it was changed to a third one', async () => {
    const it = await world();
    const found = await subscribed(it);
    const said = await losing(it, 'updateSubscription', 'update_subscription', { subscription: found, name: 'Silver' });
    await it.parts.client.updateSubscription({
      id: await sent(it, found),
      body: { subscriptionInformation: { name: 'Bronze' } },
    } as never);
    await later(it);
    expect(await told(it, said)).toMatchObject({ state: 'UNKNOWN' });
  });

  it('is no proof that what was missed is collected: somebody may have reactivated it without', async () => {
    const it = await world();
    const found = await running(it);
    await it.call('suspend_subscription', { subscription: found });
    await it.advance(40 * 86_400);
    await it.fault('reactivateSubscription', '5xx');
    const said = await it.through('reactivate_subscription', { subscription: found, collect_missed: true });
    const id = await sent(it, found);
    await it.parts.client.reactivateSubscription({ id, query: { processMissedPayments: 'false' } } as never);
    await later(it);
    expect(await told(it, said)).toMatchObject({ state: 'UNKNOWN' });
  });
});

describe('a proposal', () => {
  it('of a call whose outcome is unknown says so, and sends nothing', async () => {
    const it = await world();
    const args = change(await bought(it), { limit: { amount: '30.00', currency: 'GBP' } });
    await losing(it, 'updatePurchase', 'update_purchase', args);
    const before = it.sent.length;
    expect(await it.running.engine.propose('update_purchase', args, agent)).toMatchObject({ outcome: 'unknown' });
    expect(it.sent).toHaveLength(before);
  });

  it('of a call that is approved says so', async () => {
    const it = await world();
    await it.call('enroll_card', { card: 'card_ada' });
    await it.approve(await it.call('initiate_purchase', order()));
    const before = it.sent.length;
    const said = await it.running.engine.propose('initiate_purchase', order(), agent);
    expect([said.outcome, said.said, it.sent.length]).toEqual(['done', 'It is approved, and was not made.', before]);
  });
});

describe('that nothing happened', () => {
  // The request may be on its way: it is another process's, whose clock says that it was sent just now.
  it.each([
    [-200_000, 'UNKNOWN'],
    [200_000, 'UNKNOWN'],
    [undefined, 'UNKNOWN'],
    [20_000, 'FAILED'],
  ])("is concluded where the platform's clock agrees with ours: %s milliseconds, %s", async (skew, state) => {
    const it = await world();
    await it.fault('createInvoice', 'late-apply', { afterSeconds: 3_600 });
    const said = await it.through('create_invoice', bill());
    await it.advance(121);
    await recover({ ...it.parts, ports: { ...it.parts.ports, skew: () => skew } });
    expect(await told(it, said)).toMatchObject({ state });
  });
});

describe('what was read back', () => {
  it('answers as the lost answer would have: the handle of what was made, and what leads on', async () => {
    const it = await world();
    const said = await losing(it, 'createPlan', 'create_plan', plan());
    await later(it);
    const { state, answer } = await told(it, said);
    expect([state, answer]).toMatchObject(['SUCCEEDED', { outcome: 'done', data: { state: 'ACTIVE', name: 'Gold' } }]);
    expect(answer.next).toContain('create_subscription');
    expect(await it.call('get_plan', { plan: answer.data.plan })).toMatchObject({ outcome: 'done' });
  });

  it('answers for its reference: the same call again is a replay, and nothing is made twice', async () => {
    const it = await world();
    const args = subscription({ plan: await planned(it) });
    await losing(it, 'createSubscription', 'create_subscription', args);
    await later(it);
    expect(await it.call('create_subscription', args)).toMatchObject({ outcome: 'done', replayed: true });
    expect(await it.effects('createSubscription')).toHaveLength(1);
  });

  it('is told truly where the first payment was declined', async () => {
    const it = await world();
    const declined = await planned(it, { amount: '9.51' });
    const args = subscription({ plan: declined, start: '2026-01-15T09:00:00Z' });
    const said = await losing(it, 'createSubscription', 'create_subscription', args);
    await later(it);
    const { state, answer } = await told(it, said);
    expect([state, answer.data.state, answer.said]).toEqual([
      'SUCCEEDED',
      'FAILED',
      "The customer's card was declined; nothing is charged. Have the customer give another card, then create another one.",
    ]);
  });

  it('is told truly where a move to another plan was declined', async () => {
    const it = await world();
    const found = await running(it);
    const declined = await planned(it, { amount: '3.51' });
    const said = await losing(it, 'updateSubscription', 'update_subscription', { subscription: found, plan: declined });
    await later(it);
    const { state, answer } = await told(it, said);
    expect([state, answer.data.state]).toEqual(['SUCCEEDED', 'DELINQUENT']);
    expect(answer.next).toEqual(['list_subscription_payments', 'cancel_subscription']);
  });

  it('is found in an invoice that says everything that an invoice can say', async () => {
    const it = await world();
    const lines = [
      { sku: 'C-1', name: 'Cone', quantity: 2, price: '15.00', total: '30.00' },
      { sku: 'C-2', name: 'Cable', quantity: 1, price: '10.00', total: '10.00' },
    ];
    const whole = {
      ...{ customer_id: 'C-1', company: 'Example Audio', transaction: 'T-1', expires: '2026-04-01' },
      ...{ partial_payments: true, minimum_part: '5.00', ask_phone: true, ask_address: true, lines },
      ...{ fields: [{ id: 1, value: 'ToolHandler 4' }] },
    };
    const said = await losing(it, 'createInvoice', 'create_invoice', bill(whole));
    await later(it);
    expect(await told(it, said)).toMatchObject({ state: 'SUCCEEDED' });
  });

  it('stands in the audit, in a chain that is whole', async () => {
    const it = await world();
    const said = await losing(it, 'createInvoice', 'create_invoice', bill());
    await later(it);
    const own = (await it.audit()).filter(({ operationId }) => operationId === said.operation);
    expect(own.map(({ event }) => event)).toEqual(['proposed', 'approved', 'sent', 'unknown', 'read back']);
    expect(await it.parts.ledger.verify()).toMatchObject({ ok: true });
  });

  it('keeps its budget used up; what came to nothing gives it back', async () => {
    const tools = ['update_subscription'];
    const it = await world({
      configure: { limits: [{ name: 'raises', tools, currency: 'GBP', total: '100.00', per: [] }] },
    });
    const left = async () => (await it.call('get_limits')).data.limits[0].left;
    const found = await subscribed(it, { payments: 12 });
    await losing(it, 'updateSubscription', 'update_subscription', { subscription: found, amount: '10.99' });
    expect(await left()).toBe('88.00 GBP');
    await later(it);
    expect(await left()).toBe('88.00 GBP');
    await it.fault('updateSubscription', '5xx');
    await it.through('update_subscription', { subscription: found, amount: '11.99' });
    expect(await left()).toBe('76.00 GBP');
    await later(it);
    expect(await left()).toBe('88.00 GBP');
  });
});

describe('what came to nothing', () => {
  it('can be made again under the same reference', async () => {
    const it = await world();
    await it.fault('createInvoice', '5xx');
    const said = await it.through('create_invoice', bill());
    expect(said.outcome).toBe('unknown');
    await later(it);
    expect(await told(it, said)).toMatchObject({ state: 'FAILED', answer: { outcome: 'declined' } });
    const again = await it.through('create_invoice', bill());
    expect([again.outcome, again.operation === said.operation]).toEqual(['done', false]);
    expect(await it.effects('createInvoice')).toHaveLength(1);
  });

  it('frees the thing it was about', async () => {
    const it = await world();
    const found = await running(it);
    await it.fault('suspendSubscription', '5xx');
    await it.call('suspend_subscription', { subscription: found });
    expect(await it.call('suspend_subscription', { subscription: found })).toMatchObject({ outcome: 'unknown' });
    await later(it);
    expect(await it.call('suspend_subscription', { subscription: found })).toMatchObject({ outcome: 'done' });
  });
});

describe('an update that the platform answers, and has not made', () => {
  const statuses = ['INVALID_REQUEST', 'DECLINED', 'PENDING_REVIEW'] as const;
  it.each(statuses)('is not told as done where it says %s, and then is what is read back', async (status) => {
    let says: string | undefined;
    const it = await world({
      replace: {
        platform: (real) => async (request) => {
          if (says === undefined || request.method !== 'PATCH') return real(request);
          const id = new URL(request.url).pathname.split('/').at(-1);
          const about = { _links: {}, id, submitTimeUtc: '2026-01-15T09:00:00Z', status: says };
          return Response.json({ ...about, subscriptionInformation: { code: 'S', status: 'ACTIVE' } });
        },
      },
    });
    const found = await running(it);
    says = status;
    const said = await it.through('update_subscription', { subscription: found, amount: '12.00' });
    says = undefined;
    expect(said).toMatchObject({ outcome: 'unknown', error: { rule: 'EN-08' } });
    await later(it);
    expect(await told(it, said)).toMatchObject({ state: 'FAILED', answer: { outcome: 'declined' } });
    expect((await it.call('get_subscription', { subscription: found })).data).toMatchObject({ amount: '9.99' });
  });
});

describe('what can not be told', () => {
  const waits = async (it: World, said: Said) => {
    await later(it);
    expect(await told(it, said)).toMatchObject({ state: 'UNKNOWN' });
  };

  it('waits where a new subscription is not listed: it might be charged all the same', async () => {
    const it = await world();
    await it.fault('createSubscription', '5xx');
    await waits(it, await it.through('create_subscription', subscription({ plan: await planned(it) })));
  });

  it('waits where a subscription is still suspended, and missed payments were to be collected', async () => {
    const it = await world();
    const found = await running(it);
    await it.call('suspend_subscription', { subscription: found });
    await it.fault('reactivateSubscription', '5xx');
    await waits(it, await it.through('reactivate_subscription', { subscription: found, collect_missed: true }));
  });

  it('waits where somebody else has cancelled what was to be reactivated', async () => {
    const it = await world();
    const found = await running(it);
    await it.call('suspend_subscription', { subscription: found });
    await it.fault('reactivateSubscription', '5xx');
    const said = await it.through('reactivate_subscription', { subscription: found, collect_missed: false });
    const { subscriptionId } = (await it.thing(found)).body;
    await it.advance(700);
    await it.parts.client.cancelSubscription({ id: String(subscriptionId) }, { requestId: 'portal' });
    await waits(it, said);
  });

  it('waits where another plan has the code that the agent chose', async () => {
    const it = await world();
    await planned(it, { code: 'GOLD' });
    await it.fault('createPlan', 'timeout-after-commit');
    const said = await it.call('create_plan', plan({ code: 'GOLD', amount: '8.00' }));
    await waits(it, said);
  });

  it('waits where plans are listed without their codes', async () => {
    let isSilent = false;
    const it = await world({
      replace: {
        platform: (real) => async (request) => {
          const answer = await real(request);
          const text = await answer.text();
          return new Response(isSilent ? text.replaceAll(/"code":"[^"]*",?/g, '') : text, answer);
        },
      },
    });
    await planned(it, { code: 'GOLD' });
    await it.fault('createPlan', 'timeout-after-commit');
    const said = await it.call('create_plan', plan({ code: 'SILVER' }));
    isSilent = true;
    await waits(it, said);
  });

  /** Another invoice than `bill` asks for under its number, in one thing alone. */
  const another = (at: 'customerInformation' | 'invoiceInformation' | 'amountDetails', change: object) => {
    const same = {
      customerInformation: { name: 'Ada Example', email: 'ada@example.com' },
      invoiceInformation: {
        ...{ invoiceNumber: 'A-1', description: 'Repair of a loudspeaker', dueDate: '2026-03-01' },
        ...{ deliveryMode: 'email' as const, sendImmediately: true },
      },
      amountDetails: { totalAmount: '40.00', currency: 'USD' },
    };
    const { amountDetails, ...more } = { ...same, [at]: { ...same[at], ...change } };
    return { ...more, orderInformation: { amountDetails } };
  };

  it.each([
    ['over another total', another('amountDetails', { totalAmount: '41.00' })],
    ["with another customer's name", another('customerInformation', { name: 'Mallory Example' })],
    ["for another customer's address", another('customerInformation', { email: 'mallory@example.com' })],
    ['for a customer with a number', another('customerInformation', { merchantCustomerId: 'C-7' })],
    ['due on another day', another('invoiceInformation', { dueDate: '2026-09-01' })],
    ['that is not e-mailed', another('invoiceInformation', { deliveryMode: 'none' })],
    ['for something else', another('invoiceInformation', { description: 'Another' })],
  ])('waits where another invoice has the number, %s', async (_, body) => {
    const it = await world();
    await it.fault('createInvoice', '5xx');
    const said = await it.through('create_invoice', bill());
    // Somebody else writes one, in the portal.
    await it.parts.client.createInvoice({ body }, { requestId: 'portal' });
    await waits(it, said);
  });

  const portal = (it: World) => it.parts.client;
  const terms = { code: 'A.1', every: 1, unit: 'month', amount: '7.50', currency: 'GBP' };

  it.each([
    ['charges another customer', 'create_subscription', 'C0002', {}],
    ['charges more', 'create_subscription', 'C0001', { amount: '900.00' }],
    ['charges less often', 'create_subscription', 'C0001', { every: 2 }],
    ["charges another payment's customer", 'create_follow_on_subscription', 'C0002', {}],
    ["charges a payment's customer more", 'create_follow_on_subscription', 'C0001', { amount: '900.00' }],
  ] as const)('waits where a subscription of the same code and reference %s', async (_, tool, customer, change) => {
    const it = await world();
    const { card, ...unpaid } = subscription(terms);
    const payer = tool === 'create_subscription' ? { card } : { follow_on: await followed(it) };
    await it.fault(tool === 'create_subscription' ? 'createSubscription' : 'createFollowOnSubscription', '5xx');
    const said = await it.through(tool, { ...unpaid, ...payer });
    expect(said.outcome).toBe('unknown');
    const { code, every, unit, amount, currency } = { ...terms, ...change };
    await portal(it).createSubscription(
      {
        body: {
          clientReferenceInformation: { code: 'subscription-1' },
          subscriptionInformation: { code, name: 'Gold for Ada', startDate: '2026-02-01T10:00:00Z' },
          planInformation: { billingPeriod: { length: String(every), unit: unitWords[unit as UnitWord] } },
          orderInformation: { amountDetails: { currency, billingAmount: amount } },
          paymentInformation: { customer: { id: `FACE00000000000000000000000${customer}` } },
        },
      },
      { requestId: 'portal' },
    );
    await waits(it, said);
  });

  it('waits where what was asked for was so before', async () => {
    const it = await world();
    const found = await subscribed(it);
    await it.through('update_subscription', { subscription: found, name: 'Silver' });
    await it.fault('updateSubscription', '5xx');
    await waits(it, await it.through('update_subscription', { subscription: found, name: 'Silver' }));
  });

  it('waits where one part of an update is there and another is not', async () => {
    const it = await world();
    const found = await subscribed(it);
    await it.fault('updateSubscription', '5xx');
    const said = await it.through('update_subscription', { subscription: found, name: 'Silver', code: 'S-9' });
    expect(said.outcome).toBe('unknown');
    // Somebody else gives it the name, in the portal.
    const { subscriptionId } = (await it.thing(found)).body;
    await it.parts.client.updateSubscription(
      { id: String(subscriptionId), body: { subscriptionInformation: { name: 'Silver' } } },
      { requestId: 'portal' },
    );
    await waits(it, said);
  });
});

describe('a platform that is gone', () => {
  it('is asked until it is taken for gone, not for each call that was lost, and again once it is back', async () => {
    const wire = line();
    const it = await world({ replace: wire.replace });
    const invoices = ['A-1', 'A-2', 'A-3', 'A-4', 'A-5', 'A-6', 'A-7'];
    const said = [];
    for (const reference of invoices) {
      said.push(await losing(it, 'createInvoice', 'create_invoice', bill({ reference })));
      await it.advance(11); // past the pause that calls without an answer have
    }
    const { parts } = it;
    // Leases are told by the machine's own clock, which does not move with the one of this world.
    const claimUnknown: Ledger['claimUnknown'] = (now, names, holder) =>
      parts.ledger.claimUnknown(now, names, holder, 0);
    wire.gone = true;
    wire.asked.length = 0;
    await later(it, { claimUnknown });
    expect(wire.asked).toHaveLength(defaultPlatformLimits.failures);
    wire.gone = false;
    await later(it, { claimUnknown });
    expect(await Promise.all(said.map(async (one) => (await told(it, one)).state))).toEqual(
      invoices.map(() => 'SUCCEEDED'),
    );
  });
});

describe('one that can not be read back', () => {
  /** Answers what is asked of plans as said, and lets nothing but plans be read so. */
  const ill = (answer: () => Response | Promise<Response>) => ({
    platform: (real: (request: Request) => Promise<Response>) => async (request: Request) =>
      request.method === 'GET' && new URL(request.url).pathname.includes('plans') ? answer() : real(request),
  });

  it.each([
    ['forbidden', () => Response.json({}, { status: 403 })],
    ['refused', () => Response.json({}, { status: 400 })],
    ['failing', () => Response.json({}, { status: 503 })],
    ['of a wrong shape', () => Response.json({ plans: 7 })],
    ['no JSON', () => new Response('<html>', { status: 200 })],
    ['never answered', () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } }))],
  ])('stops no other one behind it: %s', async (_, answer) => {
    const it = await world({ replace: ill(answer) });
    const first = await losing(it, 'createPlan', 'create_plan', plan());
    await it.advance(1);
    const second = await losing(it, 'createInvoice', 'create_invoice', bill());
    await later(it);
    expect([(await told(it, first)).state, (await told(it, second)).state]).toEqual(['UNKNOWN', 'SUCCEEDED']);
  });

  it('is not asked about while the platform is taken for gone, and the break ends for both', async () => {
    const wire = line();
    const it = await world({ replace: wire.replace });
    const said = await losing(it, 'createPlan', 'create_plan', plan());
    await it.advance(121);
    wire.gone = true;
    for (let call = 0; call < 5; call += 1) await it.call('list_plans');
    wire.gone = false;
    wire.asked.length = 0;
    await it.running.engine.recover();
    expect([wire.asked, (await told(it, said)).state]).toEqual([[], 'UNKNOWN']);
  });
});

it('is told by the tool of every operation of that class', () => {
  const silent = tools.filter(
    (tool) => tool.kind === 'platform' && contract[tool.operation].recovery === 'readBack' && !tool.reconcile.readBack,
  );
  const asking = tools.flatMap((tool) =>
    tool.kind === 'platform' && tool.reconcile.readBack ? [tool.reconcile.readBack.asks] : [],
  );
  expect([silent.map(({ name }) => name), asking.filter((name) => contract[name].effect !== 'read')]).toEqual([[], []]);
});

describe('who looks', () => {
  it('is one process alone: of two that look at once, one asks', async () => {
    const wire = line();
    const it = await world({ replace: wire.replace });
    await losing(it, 'createInvoice', 'create_invoice', bill());
    await it.advance(121);
    wire.asked.length = 0;
    await Promise.all([recover(it.parts), recover(it.parts)]);
    expect(wire.asked).toHaveLength(1);
  });

  it('does not undo what a person has settled meanwhile', async () => {
    const held = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const it = await world({
      replace: {
        platform: (real) => async (request) => {
          if (request.method !== 'GET') return real(request);
          asked.resolve();
          await held.promise;
          return real(request);
        },
      },
    });
    await it.fault('createInvoice', '5xx');
    const said = await it.through('create_invoice', bill());
    await it.advance(121);
    const looking = recover(it.parts);
    await asked.promise;
    expect(await settle(it, said.operation, true)).toMatchObject({ ok: true });
    held.resolve();
    await looking;
    expect((await it.operation(said.operation)).state).toBe('RESOLVED');
  });

  it('asks about nothing twice: what was ended is not looked at again', async () => {
    const wire = line();
    const it = await world({ replace: wire.replace });
    await followed(it);
    await losing(it, 'createPlan', 'create_plan', plan());
    await later(it);
    wire.asked.length = 0;
    await later(it);
    expect(wire.asked).toEqual([]);
  });
});
