import { expect, it } from 'vitest';
import { billing } from './story.ts';

// What a look at plans leads to: what their state allows, and nothing that would be refused.

it('a plan leads on to what its state allows', async () => {
  const story = await billing();
  const plans = {
    DRAFT: await story.plan({ draft: true }),
    ACTIVE: await story.plan(),
    INACTIVE: await story.inactive(),
  };
  const next: Record<string, readonly string[]> = {};
  for (const [state, plan] of Object.entries(plans)) {
    const { answer } = await story.agent.call('get_plan', { plan });
    expect(answer.data.state).toBe(state);
    next[state] = answer.next;
  }
  expect(next).toEqual({
    DRAFT: ['activate_plan', 'amend_plan'],
    ACTIVE: ['create_subscription', 'amend_plan', 'deactivate_plan'],
    INACTIVE: ['activate_plan'],
  });
});

it('a list leads on to a subscription where it has a plan for one', async () => {
  const story = await billing();
  await story.inactive();
  const leads = async (args: object = {}) => (await story.agent.call('list_plans', args)).answer.next;
  expect(await leads()).toEqual(['get_plan']);
  await story.plan();
  expect(await leads()).toEqual(['get_plan', 'create_subscription']);
  expect(await leads({ state: 'INACTIVE' })).toEqual(['get_plan']);
  expect(await leads({ state: 'DRAFT' })).toEqual([]);
});
