import { describe, expect, it } from 'vitest';
import { contract } from '../../src/domains/index.ts';
import { recover } from '../../src/engine/recover.ts';
import { toolName } from '../../src/engine/tool.ts';
import { playRowsOneIn } from '../support/drawn.ts';
import { plan, planned, running, subscribed, subscription } from './billing.ts';
import { changing } from './changing.ts';
import { authorized, captured, refunded } from './conversion.ts';
import { bill } from './invoicing.ts';
import { report } from './reporting.ts';
import { order, quiet, type Said, type World, world } from './support.ts';

playRowsOneIn(3);

// Something on the way to the platform sends a request again, and passes on the answer to the second: of what has a name of its own,
// that is refused as a duplicate, although the first has taken effect.

interface Found {
  /** What the platform shows of what it has, where that is changed. */
  readonly found?: (body: object) => object;
}

/** A world in which every POST to a path arrives twice. */
const doubling = (path: RegExp, { found }: Found = {}): Promise<World> =>
  world({
    replace: {
      platform: (real) => async (request) => {
        const { pathname } = new URL(request.url);
        if (request.method === 'GET' && found !== undefined && /invoices\/|subscriptions$/.test(pathname)) {
          const response = await real(request);
          return new Response(JSON.stringify(found((await response.json()) as object)), response);
        }
        if (request.method !== 'POST' || !path.test(pathname)) return real(request);
        const again = request.clone();
        await real(request);
        return real(again);
      },
    },
  });

const atOneTime = subscription({ every: 1, unit: 'month', payments: 3, amount: '5.00', currency: 'USD' });

const operationOf = async (it: World, said: Said) =>
  (await it.call('get_operation', { operation: said.operation })).data;

describe('a creation that arrives twice', () => {
  it.each([
    ['a code of ours', {}],
    ["the agent's code", { code: 'GOLD-ADA' }],
  ])('of a subscription with %s is done once, and answers for its reference', async (_, code) => {
    const it = await doubling(/subscriptions$/);
    const args = subscription({ plan: await planned(it), ...code });
    const said = await it.through('create_subscription', args);
    expect(said).toMatchObject({ outcome: 'done', data: { state: 'PENDING', name: 'Gold for Ada' } });
    expect(await it.call('create_subscription', args)).toMatchObject({ outcome: 'done', replayed: true });
    expect(await it.effects('createSubscription')).toHaveLength(1);
    expect(await operationOf(it, said)).toMatchObject({ state: 'SUCCEEDED' });
    const events = (await it.audit()).filter(({ operationId }) => operationId === said.operation);
    expect(events.map(({ event }) => event).at(-1)).toBe('read back');
  });

  it('of a plan with a code of ours is done once', async () => {
    const it = await doubling(/plans$/);
    const args = plan();
    expect(await it.call('create_plan', args)).toMatchObject({ outcome: 'done', data: { state: 'ACTIVE' } });
    expect(await it.call('create_plan', args)).toMatchObject({ outcome: 'done', replayed: true });
    expect(await it.effects('createPlan')).toHaveLength(1);
  });

  it('of an invoice is done once, and its customer gets one bill', async () => {
    const it = await doubling(/invoices$/);
    expect(await it.through('create_invoice', bill())).toMatchObject({ outcome: 'done', data: { state: 'SENT' } });
    expect(await it.call('create_invoice', bill())).toMatchObject({ outcome: 'done', replayed: true });
    expect(await it.effects('createInvoice')).toHaveLength(1);
  });

  it('is unknown where a code of ours is taken and nothing is found: nobody else can have taken it', async () => {
    const it = await doubling(/subscriptions$/, { found: (body) => ({ ...body, subscriptions: [], totalCount: 0 }) });
    const args = subscription({ plan: await planned(it) });
    const said = await it.through('create_subscription', args);
    expect(said).toMatchObject({ outcome: 'unknown', error: { code: 'OUTCOME_UNKNOWN', rule: 'EN-06' } });
    expect(await it.call('create_subscription', args)).toMatchObject({ outcome: 'unknown' });
    expect(await it.effects('createSubscription')).toHaveLength(1);
  });
});

describe('a look that takes longer than the quiet period', () => {
  it('is no proof: what another process has recorded meanwhile counts, and nothing halts', async () => {
    let looks = 0;
    const it: World = await world({
      replace: {
        platform: (real) => async (request) => {
          const { pathname } = new URL(request.url);
          if (request.method === 'POST' && pathname.endsWith('/invoices')) await real(request.clone());
          if (request.method !== 'GET' || !/invoices\//.test(pathname)) return real(request);
          looks += 1;
          if (looks > 1) return real(request);
          await it.advance(121);
          await recover(it.parts);
          return new Response('{}', { status: 404 });
        },
      },
    });
    const said = await it.through('create_invoice', bill());
    expect([said.outcome, (await operationOf(it, said)).state]).toEqual(['unknown', 'SUCCEEDED']);
    expect(await it.call('create_invoice', bill())).toMatchObject({ outcome: 'done', replayed: true });
    expect(await it.call('create_plan', plan())).toMatchObject({ outcome: 'done' });
  });
});

/** Those that the platform refuses the second time, and can't be asked about. A refusal of a part of a sum has no other explanation. */
const unasked: Readonly<Record<string, 'declined' | 'unknown'>> = {
  cancelPurchase: 'declined',
  confirmTransaction: 'declined',
  capturePayment: 'unknown',
  refundCapture: 'unknown',
};

describe('every operation over HTTP that changes something', () => {
  const names = Object.keys(changing) as (keyof typeof changing)[];

  it.each(names.filter((name) => contract[name].transport === 'http'))(
    'is told as done where it arrives twice: %s',
    async (name) => {
      const it = await world();
      const args = await changing[name](it);
      await it.fault(name, 'twice');
      const said = await it.through(toolName(name), args);
      expect([said.outcome, (await it.effects(name)).length > 0]).toEqual([unasked[name] ?? 'done', true]);
    },
  );
});

describe('a look that the platform answers with an error', () => {
  it.each([
    [
      'create_subscription',
      /subscriptions$/,
      async (it: World) => subscription({ plan: await planned(it), code: 'ADA' }),
    ],
    ['create_invoice', /invoices$/, async () => bill()],
    ['void_capture', /captures\/.*voids$/, async (it: World) => ({ capture: await captured(it) })],
    ['suspend_subscription', /suspend$/, async (it: World) => ({ subscription: await running(it) })],
  ] as const)('proves nothing, and the outcome is found later: %s', async (tool, path, given) => {
    for (const status of [429, 503]) {
      let isDoubled = false;
      let looks = 0;
      const it = await world({
        replace: {
          platform: (real) => async (request) => {
            if (isDoubled && request.method === 'GET' && looks === 0) {
              looks += 1;
              return new Response('{}', { status });
            }
            if (isDoubled || request.method !== 'POST' || !path.test(new URL(request.url).pathname))
              return real(request);
            isDoubled = true;
            await real(request.clone());
            return real(request);
          },
        },
      });
      const said = await it.through(tool, await given(it));
      expect([tool, status, said.outcome]).toEqual([tool, status, 'unknown']);
      await quiet(it);
      expect((await operationOf(it, said)).state).toBe('SUCCEEDED');
    }
  });
});

describe('a thing that somebody else has changed meanwhile', () => {
  it('is no proof that what was missed is collected: the outcome is unknown', async () => {
    let isAsked = false;
    const it: World = await world({
      replace: {
        platform: (real) => async (request) => {
          const [, id = ''] = /subscriptions\/([^/]+)\/activate$/.exec(new URL(request.url).pathname) ?? [];
          if (id !== '' && !isAsked) {
            isAsked = true;
            await it.parts.client.reactivateSubscription({ id, query: { processMissedPayments: 'false' } } as never);
          }
          return real(request);
        },
      },
    });
    const missing = await running(it);
    await it.call('suspend_subscription', { subscription: missing });
    await it.advance(40 * 86_400);
    const said = await it.through('reactivate_subscription', { subscription: missing, collect_missed: true });
    expect([isAsked, said.outcome]).toEqual([true, 'unknown']);
    await quiet(it);
    expect((await operationOf(it, said)).state).toBe('UNKNOWN');
  });
});

/** A world that refuses every request of a kind that changes something, and what it was asked since. */
async function refusing(path: RegExp, status: number) {
  const asked: string[] = [];
  const it = await world({
    replace: {
      platform: (real) => async (request) => {
        const { pathname } = new URL(request.url);
        if (asked.length === 0 && (request.method === 'GET' || !path.test(pathname))) return real(request);
        asked.push(request.method);
        if (request.method === 'GET') return real(request);
        return Response.json({ status: 'INVALID_REQUEST', reason: 'VALIDATION_ERROR', message: 'No.' }, { status });
      },
    },
  });
  return { it, asked };
}

describe('a refusal of what did not happen', () => {
  it.each([
    { setup_fee: '5.00' },
    { payments: 7 },
    { surcharge: '1.00', surcharge_label: 'Delivery' },
    { start: '2026-03-01T09:00:00Z' },
    { amount: '11.00' },
  ])('is told, although a name in the update is as it was: %s', async (change) => {
    const { it } = await refusing(/subscriptions\/[^/]+$/, 400);
    const args = { subscription: await subscribed(it), name: 'Gold for Ada', ...change };
    expect(await it.through('update_subscription', args)).toMatchObject({ outcome: 'declined' });
  });

  it('is told of a report, where another one has its name', async () => {
    const it = await world();
    await it.parts.client.requestReport({ body: otherReport } as never);
    expect(await it.through('request_report', report())).toMatchObject({ outcome: 'declined' });
    expect(await it.effects('requestReport')).toHaveLength(1);
  });

  it.each([401, 403, 429])('is told without another request, where it is not about the thing: %i', async (status) => {
    const { it, asked } = await refusing(/suspend$/, status);
    const args = { subscription: await running(it) };
    expect(await it.through('suspend_subscription', args)).toMatchObject({ outcome: 'declined' });
    expect(asked).toEqual(['POST']);
  });
});

describe('what can be undone once', () => {
  it.each([
    [/captures\/.*voids$/, 'void_capture', async (it: World) => ({ capture: await captured(it) }), 'voidCapture'],
    [/refunds\/.*voids$/, 'void_refund', async (it: World) => ({ refund: await refunded(it) }), 'voidRefund'],
    [/reversals$/, 'reverse_payment', async (it: World) => ({ charge: await authorized(it) }), 'reversePayment'],
  ] as const)('is undone, and told so, where that arrives twice: %s', async (path, tool, given, operation) => {
    const it = await doubling(path);
    expect(await it.through(tool, await given(it))).toMatchObject({
      outcome: 'done',
      data: { state: operation === 'reversePayment' ? 'REVERSED' : 'VOIDED' },
    });
    expect(await it.effects(operation)).toHaveLength(1);
  });

  it('is declined where it is not undone', async () => {
    const it = await world();
    const capture = await captured(it);
    await it.fault('voidCapture', 'decline');
    expect(await it.through('void_capture', { capture })).toMatchObject({ outcome: 'declined' });
  });
});

describe('a duplicate that is one', () => {
  it('of another subscription is declined, and can be made with another code', async () => {
    const it = await world();
    const first = subscription({ plan: await planned(it), code: 'A.1' });
    await it.through('create_subscription', first);
    const second = { ...first, reference: 'subscription-2' };
    expect(await it.through('create_subscription', second)).toMatchObject({
      outcome: 'declined',
      error: { retry: 'changed_call', field: 'code' },
    });
    expect(await it.through('create_subscription', { ...second, code: 'A.2' })).toMatchObject({ outcome: 'done' });
  });

  it('of an invoice with other content is declined', async () => {
    const it = await doubling(/invoices$/, { found: (body) => ({ ...body, orderInformation: others }) });
    expect(await it.through('create_invoice', bill())).toMatchObject({ outcome: 'declined' });
    expect(await it.effects('createInvoice')).toHaveLength(1);
  });
});

/** The name of the agent's report, and the days of another month. */
const otherReport = {
  ...{ reportName: 'January', reportDefinitionName: 'TransactionRequestClass', reportMimeType: 'text/csv' },
  ...{ reportFields: ['Request.RequestID'], reportStartTime: '2025-12-01T00:00:00Z' },
  reportEndTime: '2026-01-01T00:00:00Z',
};

const others = { amountDetails: { totalAmount: 41, currency: 'USD', balanceAmount: 41 } };

/** A world that answers every POST to a path as it answered the first: a connection is out of step. */
const late = (path: RegExp): Promise<World> => {
  let first: Response | undefined;
  return world({
    replace: {
      platform: (real) => async (request) => {
        const response = await real(request);
        if (request.method !== 'POST' || !path.test(new URL(request.url).pathname)) return response;
        first ??= response.clone();
        return first.clone();
      },
    },
  });
};

describe('the answer to the creation before (D-182)', () => {
  const unknown = { outcome: 'unknown', error: { rule: 'EN-08' } };

  it.each([
    [/subscriptions$/, 'create_subscription', { ...atOneTime, reference: 'one' }, { ...atOneTime, reference: 'two' }],
    [/plans$/, 'create_plan', plan({ reference: 'one' }), plan({ reference: 'two' })],
    [/invoices$/, 'create_invoice', bill({ reference: 'A-1' }), bill({ reference: 'A-2' })],
  ] as const)('is no success, and what was made is found: %s', async (path, tool, one, two) => {
    const it = await late(path);
    const first = await it.through(tool, one);
    const second = await it.through(tool, two);
    expect([first.outcome, second]).toMatchObject(['done', unknown]);
    await it.advance(121);
    await recover(it.parts);
    const { state, answer } = await operationOf(it, second);
    const [[, made]] = Object.entries(first.data) as [[string, string]];
    const [[, other]] = Object.entries(answer.data) as [[string, string]];
    expect([state, other === made]).toEqual(['SUCCEEDED', false]);
  });

  it('is no success of a purchase', async () => {
    const it = await late(/instructions$/);
    await it.call('enroll_card', { card: 'card_ada' });
    const first = await it.through('initiate_purchase', order());
    expect(first.outcome).toBe('done');
    expect(await it.through('initiate_purchase', order({ reference: 'order-2' }))).toMatchObject(unknown);
    expect((await it.call('list_purchases')).data.total).toBe(1);
  });
});
