import { describe, expect, it } from 'vitest';
import type { Platform } from '../../src/client/platform.ts';
import { billing } from '../../src/domains/billing/contract.ts';
import { recover } from '../../src/engine/recover.ts';
import { operationOf } from '../../src/engine/tool.ts';
import { tools } from '../../tools/index.ts';
import { followed, plan, planned, running, subscribed, subscription } from '../engine/billing.ts';
import { type World, world } from '../engine/support.ts';

// An answer about another plan or subscription, or about another change than the one that was asked for, proves nothing (EN-08).

// biome-ignore lint/suspicious/noExplicitAny: answers of every kind
type Change = (body: any) => void;

/** A world whose platform answers the changes of a path as told, while it is told; it does what it is asked. */
async function altered(path: RegExp) {
  let change: Change | undefined;
  const platform =
    (real: Platform): Platform =>
    async (request) => {
      const answer = await real(request);
      if (change === undefined || request.method === 'GET' || !path.test(new URL(request.url).pathname)) return answer;
      const body = JSON.parse(await answer.text());
      change(body);
      return Response.json(body, { status: answer.status });
    };
  const here = await world({ replace: { platform } });
  return {
    here,
    answers: (how: Change | undefined) => {
      change = how;
    },
  };
}

const codePart = (body: object) => ('planInformation' in body ? 'planInformation' : 'subscriptionInformation');
const anotherId: Change = (body) => Object.assign(body, { id: '7000000000' });
const anotherCode: Change = (body) => Object.assign(body[codePart(body)], { code: 'OTHER' });
const inState =
  (status: string): Change =>
  (body) =>
    Object.assign(body[codePart(body)], { status });
const withStatus =
  (status: string): Change =>
  (body) =>
    Object.assign(body, { status });

const suspended = async (it: World) => {
  const one = await running(it);
  await it.call('suspend_subscription', { subscription: one });
  await it.advance(40 * 86_400);
  return one;
};
const inactive = async (it: World) => {
  const one = await planned(it);
  await it.call('deactivate_plan', { plan: one });
  return one;
};
const following = async (it: World) => {
  const { card: _, ...asked } = subscription({ plan: await planned(it), follow_on: await followed(it) });
  return asked;
};
/** One that is not about to be charged. */
const quiet = async (it: World) => {
  const one = await running(it);
  await it.advance(3_600);
  return one;
};

type Row = readonly [
  tool: string,
  path: RegExp,
  args: (it: World) => Promise<object>,
  contradictions: Readonly<Record<string, Change>>,
];
const [id, code] = [{ 'another id': anotherId }, { 'another code': anotherCode }];
const isSkipping =
  (...cycles: readonly number[]): Change =>
  (body) =>
    Object.assign(body, { billingCyclesToSkip: cycles });
const isUnfinished = { declined: withStatus('DECLINED'), reviewed: withStatus('PENDING_REVIEW') };
const isDeclined = { 'a declined one that is pending': withStatus('DECLINED') };
const isFailed = { 'a completed one that has failed': inState('FAILED') };

const rows: readonly Row[] = [
  [
    'create_plan',
    /\/plans$/,
    async () => plan(),
    { ...code, ...isUnfinished, draft: inState('DRAFT'), inactive: inState('INACTIVE') },
  ],
  ['create_plan', /\/plans$/, async () => plan({ draft: true }), { active: inState('ACTIVE') }],
  [
    'amend_plan',
    /\/plans\/[^/]+$/,
    async (it) => ({ plan: await planned(it), currency: 'EUR' }),
    { ...id, ...code, ...isUnfinished, draft: inState('DRAFT'), inactive: inState('INACTIVE') },
  ],
  [
    'amend_plan',
    /\/plans\/[^/]+$/,
    async (it) => ({ plan: await planned(it, { draft: true }), amount: '5.00' }),
    { active: inState('ACTIVE') },
  ],
  ['delete_plan', /\/plans\/[^/]+$/, async (it) => ({ plan: await planned(it) }), isUnfinished],
  [
    'activate_plan',
    /\/activate$/,
    async (it) => ({ plan: await inactive(it) }),
    { ...id, ...code, ...isUnfinished, draft: inState('DRAFT'), inactive: inState('INACTIVE') },
  ],
  [
    'deactivate_plan',
    /\/deactivate$/,
    async (it) => ({ plan: await planned(it) }),
    { ...id, ...code, ...isUnfinished, active: inState('ACTIVE') },
  ],
  [
    'create_subscription',
    /\/subscriptions$/,
    async (it) => subscription({ plan: await planned(it) }),
    { ...code, ...isDeclined, ...isFailed },
  ],
  ['create_follow_on_subscription', /\/follow-ons\//, following, { ...code, ...isDeclined, ...isFailed }],
  [
    'update_subscription',
    /\/subscriptions\/[^/]+$/,
    async (it) => ({ subscription: await running(it), amount: '5.00' }),
    { ...id, ...code, pending: inState('PENDING'), cancelled: inState('CANCELLED'), other: inState('OTHER') },
  ],
  [
    'update_subscription',
    /\/subscriptions\/[^/]+$/,
    async (it) => ({ subscription: await suspended(it), name: 'Another' }),
    { active: inState('ACTIVE'), completed: inState('COMPLETED') },
  ],
  [
    'cancel_subscription',
    /\/cancel$/,
    async (it) => ({ subscription: await quiet(it) }),
    { ...id, ...code, active: inState('ACTIVE'), failed: inState('FAILED') },
  ],
  [
    'suspend_subscription',
    /\/suspend$/,
    async (it) => ({ subscription: await running(it) }),
    { ...id, ...code, cancelled: inState('CANCELLED'), pending: inState('PENDING') },
  ],
  [
    'reactivate_subscription',
    /\/activate$/,
    async (it) => ({ subscription: await suspended(it), collect_missed: false }),
    { ...id, ...code, suspended: inState('SUSPENDED'), cancelled: inState('CANCELLED'), pending: inState('PENDING') },
  ],
  [
    'reactivate_subscription',
    /\/activate$/,
    async (it) => ({ subscription: await suspended(it), collect_missed: true }),
    { cancelled: inState('CANCELLED') },
  ],
  [
    'skip_subscription_payments',
    /\/payments$/,
    async (it) => ({ subscription: await running(it), cycles: [3] }),
    { others: isSkipping(5, 6, 7), none: isSkipping(), more: isSkipping(3, 4), ...isUnfinished },
  ],
];

describe.each(rows)('%s', (tool, path, args, contradictions) => {
  it.each(Object.keys(contradictions))('is unknown where the answer says: %s', async (which) => {
    const { here, answers } = await altered(path);
    const given = await args(here);
    answers(contradictions[which]);
    expect(await here.through(tool, given)).toMatchObject({ outcome: 'unknown', error: { rule: 'EN-08' } });
  });
});

it('is tried of every change whose answer says what it is about', () => {
  const changes = tools.filter(
    (tool) => tool.kind === 'platform' && tool.operation in billing && operationOf(tool).effect !== 'read',
  );
  expect([...new Set(rows.map(([tool]) => tool))].toSorted()).toEqual(changes.map(({ name }) => name).toSorted());
});

it('a cancellation that is answered about another subscription leaves ours as it is known, and can be made again', async () => {
  let isLost = true;
  const other = {
    id: '7000000000',
    status: 'COMPLETED',
    subscriptionInformation: { code: 'OTHER', status: 'CANCELLED' },
  };
  const here = await world({
    replace: {
      platform: (real) => async (request) =>
        isLost && request.url.endsWith('/cancel') ? Response.json(other, { status: 202 }) : real(request),
    },
  });
  const one = await quiet(here);
  const said = await here.call('cancel_subscription', { subscription: one });
  expect([said.outcome, (await here.thing(one)).state]).toEqual(['unknown', 'ACTIVE']);
  isLost = false;
  await here.advance(700);
  await recover(here.parts);
  expect((await here.operation(said.operation)).state).toBe('FAILED');
  expect(await here.call('cancel_subscription', { subscription: one })).toMatchObject({ data: { state: 'CANCELLED' } });
});

it('a cancellation that is answered as still active is found out by reading it back', async () => {
  const { here, answers } = await altered(/\/cancel$/);
  const one = await quiet(here);
  answers(inState('ACTIVE'));
  const said = await here.call('cancel_subscription', { subscription: one });
  await here.advance(700);
  await recover(here.parts);
  expect((await here.operation(said.operation)).state).toBe('SUCCEEDED');
});

it('a suspension may be answered with the state before, and any change without a code or with it in lower case', async () => {
  const { here, answers } = await altered(/\/suspend$/);
  const changes = [
    inState('ACTIVE'),
    (body: { subscriptionInformation: { code?: string } }) => delete body.subscriptionInformation.code,
    (body: { subscriptionInformation: { code: string } }) => {
      body.subscriptionInformation.code = body.subscriptionInformation.code.toLowerCase();
    },
  ];
  for (const [at, change] of changes.entries()) {
    const one = await subscribed(here, { start: '2026-01-15T09:00:00Z', reference: `suspended-${at}` });
    answers(change);
    expect(await here.call('suspend_subscription', { subscription: one })).toMatchObject({ outcome: 'done' });
    answers(undefined);
  }
});

it.each(['DELINQUENT', 'SUSPENDED', 'COMPLETED'])(
  'an update may be answered as %s, where the platform goes on meanwhile',
  async (state) => {
    const { here, answers } = await altered(/\/subscriptions\/[^/]+$/);
    const one = await running(here);
    answers(inState(state));
    const said = await here.through('update_subscription', { subscription: one, amount: '5.00' });
    expect(said).toMatchObject({ outcome: 'done', data: { state } });
  },
);

it('an update that is found to be made is done, whatever was done to the subscription since', async () => {
  const { here, answers } = await altered(/\/subscriptions\/[^/]+$/);
  const one = await quiet(here);
  answers(anotherId);
  const said = await here.through('update_subscription', { subscription: one, amount: '5.00' });
  await here.parts.client.cancelSubscription({ id: (await here.thing(one)).body.subscriptionId } as never);
  await here.advance(700);
  await recover(here.parts);
  expect((await here.operation(said.operation)).state).toBe('SUCCEEDED');
});

// Somebody may have amended its plan before the request arrived.
it.each<readonly [string, Change, string]>([
  ['as it was', () => undefined, 'SUCCEEDED'],
  [
    'without the fee of its plan',
    ({ orderInformation: { amountDetails } }) => delete amountDetails.setupFee,
    'SUCCEEDED',
  ],
  [
    'at another price',
    ({ orderInformation: it }) => Object.assign(it.amountDetails, { billingAmount: '99.99' }),
    'UNKNOWN',
  ],
  [
    'in another currency',
    ({ orderInformation: it }) => Object.assign(it.amountDetails, { currency: 'EUR' }),
    'UNKNOWN',
  ],
  ['with another fee', ({ orderInformation: it }) => Object.assign(it.amountDetails, { setupFee: '50.00' }), 'UNKNOWN'],
  [
    'with a surcharge',
    ({ orderInformation: it }) => Object.assign(it.amountDetails, { surcharge: { amount: '1.00' } }),
    'UNKNOWN',
  ],
  ['more often', ({ planInformation: it }) => Object.assign(it.billingPeriod, { unit: 'D' }), 'UNKNOWN'],
  ['with an end', ({ planInformation: it }) => Object.assign(it, { billingCycles: { total: '12' } }), 'UNKNOWN'],
])('a creation whose answer is lost, on a plan, is found: %s', async (_, amended, state) => {
  const here = await world({
    replace: {
      platform: (real) => async (request) => {
        const answer = await real(request);
        if (!request.url.includes('/subscriptions?')) return answer;
        const body = JSON.parse(await answer.text());
        amended(body.subscriptions[0]);
        return Response.json(body);
      },
    },
  });
  const one = await planned(here, { setup_fee: '5.00' });
  await here.fault('createSubscription', 'timeout-after-commit');
  const said = await here.through('create_subscription', subscription({ plan: one }));
  await here.advance(700);
  await recover(here.parts);
  expect((await here.operation(said.operation)).state).toBe(state);
});

it('a new code may be answered as the one before', async () => {
  const { here, answers } = await altered(/\/subscriptions\/[^/]+$/);
  const one = await subscribed(here, { code: 'BEFORE' });
  answers((body) => Object.assign(body.subscriptionInformation, { code: 'BEFORE' }));
  const said = await here.through('update_subscription', { subscription: one, code: 'AFTER' });
  expect(said).toMatchObject({ outcome: 'done', data: { code: 'AFTER' } });
});

it.each([
  ['missed payments are collected', true, 'done'],
  ['none are', false, 'unknown'],
])('a reactivation that is answered as suspended, where %s', async (_, collects, outcome) => {
  const { here, answers } = await altered(/\/activate$/);
  const one = await suspended(here);
  answers(inState('SUSPENDED'));
  expect(await here.through('reactivate_subscription', { subscription: one, collect_missed: collects })).toMatchObject({
    outcome,
  });
});

it('a reactivation that is answered as suspended, where nothing was missed, is unknown', async () => {
  const { here, answers } = await altered(/\/activate$/);
  const one = await running(here);
  await here.call('suspend_subscription', { subscription: one });
  answers(inState('SUSPENDED'));
  expect(await here.through('reactivate_subscription', { subscription: one, collect_missed: true })).toMatchObject({
    outcome: 'unknown',
  });
});

it('a reactivation that collects nothing says nothing of missed payments', async () => {
  const { here, answers } = await altered(/\/activate$/);
  const one = await suspended(here);
  answers(inState('DELINQUENT'));
  const said = await here.through('reactivate_subscription', { subscription: one, collect_missed: false });
  expect(said).toMatchObject({ outcome: 'done', data: { state: 'DELINQUENT' } });
  expect(said.said).not.toContain('missed');
});

it('a payment whose cycle is no number is none that the list shows', async () => {
  let isText = false;
  const here = await world({
    replace: {
      platform: (real) => async (request) => {
        const answer = await real(request);
        if (!isText || request.method !== 'GET' || !request.url.includes('/payments')) return answer;
        return new Response(
          (await answer.text()).replaceAll(/"billingCycle":"(\d+)"/g, '"billingCycle":"$1/12"'),
          answer,
        );
      },
    },
  });
  const one = await running(here);
  isText = true;
  const refused = { outcome: 'refused', error: { rule: 'EN-08' } };
  expect(await here.call('list_subscription_payments', { subscription: one })).toMatchObject(refused);
});
