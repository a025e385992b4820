import { expect } from 'vitest';
import type { Level, RuleId } from '../../src/core/rules.ts';
import { channels } from '../../src/engine/approval-channels.ts';
import { plan as planArgs } from '../engine/billing.ts';
import { type Agent, type Called, connect, inProcess, says, type User } from '../faces/agents.ts';
import { instrumentOf, type World, world } from '../faces/support.ts';

// An agent that bills, in a world of its own, and the hands of others: the clock, the cards, a person.

export type Story = Awaited<ReturnType<typeof billing>>;

/** A fresh world, in which rules may be levelled and the clock stands at 15 January 2027, and an agent whose user says yes to whatever is asked. */
export async function billing(levels: { readonly [R in RuleId]?: Level } = {}, user: User = says.yes) {
  const here = await world({
    configuration: { channels },
    replace: { frozenAt: Date.parse('2027-01-15T09:00:00Z') },
    configure: ({ engine }) => Object.assign(engine.parts.settings, { levels }),
  });
  return storyOf(here, await connect(inProcess(here), { pin: '2026-07-28' }, user));
}

function storyOf(here: World, agent: Agent) {
  /** Makes a call that must succeed. */
  const does = async (tool: string, args: object = {}): Promise<Called['answer']['data']> => {
    const { answer } = await agent.call(tool, args);
    expect(answer, tool).toMatchObject({ outcome: 'done' });
    return answer.data;
  };

  /** Sets the sandbox's clock to a moment, and lets happen what falls due until then. */
  const at = async (moment: string | number): Promise<void> => {
    const now = typeof moment === 'number' ? moment : Date.parse(moment);
    expect((await here.http('POST', '/sandbox/clock', undefined, { now })).status).toBe(200);
  };

  /** Tells how a card behaves from now on. */
  const card = async (handle: string, change: object): Promise<void> => {
    const { body } = await here.http('GET', '/sandbox/fixtures');
    const found = (body.cards as readonly { readonly instrumentIdentifierId: string }[]).find(
      ({ instrumentIdentifierId }) => instrumentIdentifierId === instrumentOf(handle),
    );
    const { status } = await here.http('POST', '/sandbox/fixtures', undefined, { cards: [{ ...found, ...change }] });
    expect(status).toBe(200);
  };

  const outbox = async (): Promise<readonly { readonly template: string }[]> =>
    (await here.http('GET', '/sandbox/outbox')).body.emails;

  /** The handle of a stored plan. */
  const plan = async (more: object = {}): Promise<string> => (await does('create_plan', planArgs(more))).plan;

  /** The handle of a plan that was active and is no more. */
  const inactive = async (): Promise<string> => {
    const made = await plan();
    await does('deactivate_plan', { plan: made });
    return made;
  };

  /** The handle of a new subscription, which begins on the last day of January. */
  const subscription = async (more: object = {}): Promise<string> =>
    (await does('create_subscription', subscriptionArgs(more))).subscription;

  const state = async (handle: string): Promise<string> =>
    (await does('get_subscription', { subscription: handle })).state;

  /** The payments of a subscription that came to their end, newest first: cycle, type, status, minute. */
  const payments = async (handle: string): Promise<readonly string[]> =>
    (await does('list_subscription_payments', { subscription: handle, scheduled: 0 })).items.map(
      ({ cycle, type, status, date }: Listed) => `${cycle} ${type} ${status} ${date.slice(0, 16)}`,
    );

  return { here, agent, does, at, card, outbox, plan, inactive, subscription, state, payments };
}

interface Listed {
  readonly cycle: number;
  readonly type: string;
  readonly status: string;
  readonly date: string;
}

const subscribing = {
  card: 'card_ada',
  name: 'Gold for Ada',
  start: '2027-01-31T10:00:00Z',
  reference: 'subscription-1',
} as const;

/** A subscription with terms of its own. */
export const subscriptionArgs = (more: object = {}) => ({
  ...subscribing,
  ...{ every: 1, unit: 'month', amount: '7.50', currency: 'GBP' },
  ...more,
});

/** A subscription on a stored plan. */
export const onPlan = (plan: string, more: object = {}) => ({ ...subscribing, plan, ...more });
