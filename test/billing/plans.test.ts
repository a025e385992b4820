import { expect, it } from 'vitest';
import { plan as planArgs } from '../engine/billing.ts';
import { type Guarded, provesRules } from './rules.ts';
import { billing, onPlan } from './story.ts';

// The rules of plans, through MCP and a real sandbox.

const monthly = { every: 1, unit: 'month' };

// biome-ignore format: a table
const guarded: readonly Guarded[] = [
  { rule: 'PL-01', refuses: { when: 'a code has a sign that is none of it', field: 'code' },
    breach: async () => ['create_plan', planArgs({ code: 'GOLD_1' })],
    allows: 'a code of ten letters, digits, hyphens and full stops',
    served: async () => ['create_plan', planArgs({ code: 'Gold-2027.' })],
    shows: { code: 'Gold-2027.', state: 'ACTIVE' },
    platform: {
      reason: 'DUPLICATE',
      field: 'code',
      breach: async ({ plan }) => {
        await plan({ code: 'GOLD-1' });
        return ['create_plan', planArgs({ code: 'GOLD-1' })];
      },
    } },
  { rule: 'PL-02', refuses: { when: 'an amount has more decimals than its currency', field: 'amount' },
    breach: async () => ['create_plan', planArgs({ amount: '999.5', currency: 'JPY' })],
    allows: 'an amount of its currency',
    served: async () => ['create_plan', planArgs({ amount: '999', currency: 'JPY' })],
    shows: { amount: '999', currency: 'JPY' }, platform: { reason: 'INVALID_DATA', field: 'amount' } },
  { rule: 'PL-03', refuses: { when: 'payments are 13 months apart', field: 'every' },
    breach: async () => ['create_plan', planArgs({ every: 13, unit: 'month' })],
    allows: 'payments that are 12 months apart',
    served: async () => ['create_plan', planArgs({ every: 12, unit: 'month' })], shows: { every: 12, unit: 'month' },
    platform: { reason: 'INVALID_DATA', field: 'every' } },
  { rule: 'PL-05', refuses: { when: 'an active plan gets another amount', field: 'plan', next: ['create_plan'] },
    breach: async ({ plan }) => ['amend_plan', { plan: await plan(), apply_to: 'NEW', amount: '1.00' }],
    allows: 'period, number of payments and currency',
    served: async ({ plan }) => [
      'amend_plan',
      {
        ...{ plan: await plan({ payments: 6 }), apply_to: 'NEW' },
        ...{ every: 2, unit: 'week', payments: 12, currency: 'EUR' },
      },
    ],
    shows: { every: 2, unit: 'week', payments: 12, currency: 'EUR', amount: '9.99', state: 'ACTIVE' },
    platform: { reason: 'VALIDATION_ERROR', field: 'amount' } },
  { rule: 'PL-06', refuses: { when: 'an inactive plan is amended', field: 'plan', next: ['activate_plan'] },
    breach: async ({ inactive }) => ['amend_plan', { plan: await inactive(), apply_to: 'NEW', ...monthly }],
    allows: 'the same once it is active again',
    served: async ({ inactive, does }) => {
      const plan = await inactive();
      await does('activate_plan', { plan });
      return ['amend_plan', { plan, apply_to: 'NEW', every: 3, unit: 'month' }];
    },
    shows: { every: 3, unit: 'month', state: 'ACTIVE' }, platform: { reason: 'VALIDATION_ERROR' } },
  { rule: 'PL-07', refuses: { when: 'a plan gets fewer payments', field: 'payments', next: ['create_plan'] },
    breach: async ({ plan }) => ['amend_plan', { plan: await plan({ payments: 12 }), apply_to: 'NEW', payments: 11 }],
    allows: 'one more',
    served: async ({ plan }) => ['amend_plan', { plan: await plan({ payments: 12 }), apply_to: 'NEW', payments: 13 }],
    shows: { payments: 13 }, platform: { reason: 'VALIDATION_ERROR', field: 'payments' } },
  {
    rule: 'PL-08',
    refuses: { when: 'an amendment is for neither all nor new subscriptions', field: 'apply_to' },
    breach: async ({ plan }) => ['amend_plan', { plan: await plan(), apply_to: 'SOME', ...monthly }],
    allows: 'one for all',
    served: async ({ plan }) => ['amend_plan', { plan: await plan(), apply_to: 'ALL', every: 2, unit: 'month' }],
    shows: { every: 2, unit: 'month' },
    platform: {
      reason: 'INVALID_DATA',
      field: 'processingInformation.subscriptionBillingOptions.applyTo',
      asked: async (bench) => bench.amend(await bench.plan(), { every: '2', unit: 'M' }, 'SOME' as 'NEW'), // what the type forbids
    },
  },
  { rule: 'PL-09', refuses: { when: 'a draft is deactivated', field: 'plan', next: ['activate_plan'] },
    breach: async ({ plan }) => ['deactivate_plan', { plan: await plan({ draft: true }) }], allows: 'activating it',
    served: async ({ plan }) => ['activate_plan', { plan: await plan({ draft: true }) }], shows: { state: 'ACTIVE' },
    platform: { reason: 'VALIDATION_ERROR' } },
  { rule: 'PL-10', refuses: { when: 'a plan had a subscription', field: 'plan', next: ['deactivate_plan'] },
    breach: async ({ plan, does }) => {
      const used = await plan();
      const { subscription } = await does('create_subscription', onPlan(used));
      await does('cancel_subscription', { subscription });
      return ['delete_plan', { plan: used }];
    },
    allows: 'deleting an inactive one that never had any',
    served: async ({ inactive }) => ['delete_plan', { plan: await inactive() }], shows: { state: 'deleted' },
    platform: { reason: 'VALIDATION_ERROR' } },
  { rule: 'PL-12', refuses: { when: 'more than 100 plans are wanted at once', field: 'limit' },
    breach: async () => ['list_plans', { limit: 101 }], allows: 'a hundred, by a filter of two terms',
    served: async ({ plan }) => {
      await plan({ code: 'GOLD' });
      await plan({ code: 'DRAFT', draft: true });
      return ['list_plans', { limit: 100, filters: 'name:Gold AND status:ACTIVE' }];
    },
    shows: { items: [{ code: 'GOLD' }], total: 1 },
    platform: {
      reason: 'INVALID_DATA',
      field: 'limit',
      asked: (bench) => bench.call('GET', '/rbs/v1/plans?limit=101'),
    } },
];

provesRules('PL', guarded, ['PL-04', 'PL-11', 'PL-13']);

it('PL-13: codes that nobody chose do not disturb the next one (D-49)', async () => {
  const { plan, subscription, does } = await billing();
  await plan({ code: 'GOLD-09' });
  await subscription({ code: 'S-41' });
  await plan();
  await subscription({ reference: 'order-2' });
  expect([await does('get_plan_code'), await does('get_subscription_code')]).toEqual([
    { code: 'GOLD-10' },
    { code: 'S-42' },
  ]);
});

it('PL-10: names no way out that the state of the plan forbids', async () => {
  const { plan, does, agent } = await billing();
  const used = await plan();
  const { subscription } = await does('create_subscription', onPlan(used));
  await does('cancel_subscription', { subscription });
  await does('deactivate_plan', { plan: used });
  const { answer } = await agent.call('delete_plan', { plan: used });
  expect(answer).toMatchObject({ outcome: 'refused', error: { rule: 'PL-10' }, next: ['get_plan'] });
});

it('PL-08: an amendment is for new subscriptions unless it says otherwise, and keeps what it leaves out of the period', async () => {
  const { plan, does, agent } = await billing();
  const made = await plan({ every: 12, unit: 'month' });
  const { subscription } = await does('create_subscription', onPlan(made));
  expect(await does('amend_plan', { plan: made, every: 3 })).toMatchObject({ every: 3, unit: 'month' });
  expect(await does('get_plan', { plan: made })).toMatchObject({ every: 3, unit: 'month' });
  expect(await does('get_subscription', { subscription })).toMatchObject({ every: 12, unit: 'month' });
  const { answer } = await agent.call('amend_plan', { plan: made, unit: 'year' });
  expect(answer).toMatchObject({ outcome: 'refused', error: { rule: 'PL-03' } });
});

it('SB-04: a subscription overrides a part of the period of its plan, which the plan completes', async () => {
  const { plan, does } = await billing();
  const { subscription } = await does(
    'create_subscription',
    onPlan(await plan({ every: 1, unit: 'month' }), { every: 2 }),
  );
  expect(await does('get_subscription', { subscription })).toMatchObject({ every: 2, unit: 'month' });
});

it('shows the description of a plan, which an amendment can change', async () => {
  const { plan, does } = await billing();
  const draft = await plan({ draft: true, description: 'For the whole house' });
  expect(await does('get_plan', { plan: draft })).toMatchObject({ description: 'For the whole house' });
  await does('amend_plan', { plan: draft, description: 'For one room' });
  expect((await does('list_plans')).items).toMatchObject([{ description: 'For one room' }]);
});
