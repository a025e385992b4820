import { deepStrictEqual } from 'node:assert';
import { agentCaller } from '../../evals/harness/world/settings.ts';
import { openTestHarness } from '../../evals/harness/world/world.ts';
import { recordDecision } from '../../src/engine/approval-service.ts';

// The work that every runner does: stories of five calls and an approval, each in a fresh world of Purser behind MCP.

export const callsOfStory = 5;

const orderOf = (number: number) => ({
  card: 'card_ada',
  reference: `order-${number}`,
  limit: { amount: '40.00', currency: 'GBP' },
  until: '2026-01-15T12:00:00Z',
  description: 'Headphones',
});

/** A story as a scenario file of Purser. JSON is YAML. */
export function scenarioOf(number: number): { readonly id: string; readonly text: string } {
  const id = `bench-${String(number).padStart(3, '0')}-bought-and-cancelled`;
  const scenario = {
    id,
    title: `Order ${number} is approved, made and cancelled`,
    rules: ['AP-07'],
    steps: [
      {
        user: `Buy Headphones for at most 40.00 GBP with my card until 2026-01-15T12:00:00Z as order-${number}. Then cancel it.`,
      },
      { call: 'enroll_card', args: { card: 'card_ada' }, expect: { outcome: 'done' } },
      { call: 'initiate_purchase', args: orderOf(number), as: 'asked', expect: { outcome: 'needs_approval' } },
      { actor: 'approver', approves: '$asked.approval.id' },
      { call: 'initiate_purchase', args: orderOf(number), as: 'intent', expect: { outcome: 'done' } },
      { call: 'get_purchase', args: { instruction: '$intent.instruction' }, expect: { data: { state: 'ACTIVE' } } },
      { call: 'cancel_purchase', args: { instruction: '$intent.instruction' }, expect: { outcome: 'done' } },
    ],
    expect: { state: { 'instructions.$intent.instruction.status': 'CANCELLED' }, changed: ['cards', 'instructions'] },
    world: { fixture: 'plain' },
  };
  return { id, text: JSON.stringify(scenario) };
}

/** What of an answer the stories look at. */
interface Answered {
  readonly outcome: string;
  readonly approval: { readonly id: string };
  readonly data: { readonly instruction: string; readonly state: string };
}

/** Where stories are told by hand, and the same expected of them. */
export async function openShop(): Promise<{ tell(number: number): Promise<void>; close(): Promise<void> }> {
  const harness = await openTestHarness({
    fixture: () => {
      throw new Error('The stories need no fixture.');
    },
    version: '0',
  });
  return {
    close: () => harness.close(),
    tell: async (number) => {
      const world = await harness.open(undefined);
      const call = async (tool: string, args: object): Promise<Answered> =>
        (await world.tools.callTool(tool, args)).answer as Answered; // by the contract of the tools
      deepStrictEqual((await call('enroll_card', { card: 'card_ada' })).outcome, 'done');
      const asked = await call('initiate_purchase', orderOf(number));
      deepStrictEqual(asked.outcome, 'needs_approval');
      const person = { tenant: agentCaller.tenant, approver: 'pat', channel: 'cli' } as const;
      deepStrictEqual((await recordDecision(world.engine.parts, asked.approval.id, 'approve', person)).ok, true);
      const { outcome, data } = await call('initiate_purchase', orderOf(number));
      deepStrictEqual(outcome, 'done');
      const { instruction } = data;
      deepStrictEqual((await call('get_purchase', { instruction })).data.state, 'ACTIVE');
      deepStrictEqual((await call('cancel_purchase', { instruction })).outcome, 'done');
      const { state } = await world.evidence();
      const end = state.instructions[instruction] as { readonly status: string }; // a record of the state
      deepStrictEqual(end.status, 'CANCELLED');
    },
  };
}
