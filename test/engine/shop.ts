import type { Replacements } from '../../src/cli/compose.ts';
import type { Configuration } from '../../src/cli/configuration.ts';
import type { Person } from '../../src/engine/person.ts';
import { registerReceipt } from '../../src/engine/register.ts';
import { agent, begins, world } from './support.ts';

/** 2026-01-15T09:00:00Z: the moment at which every test begins. */
export const start = begins;
export { agent, withOther } from './support.ts';
export const clerk: Person = { tenant: 'default', approver: 'clerk', channel: 'cli' };

/** A purchase that every rule lets pass once a person approved it. */
export const wish = {
  card: 'card_ada',
  reference: 'order-1',
  limit: { amount: '40.00', currency: 'EUR' },
  until: new Date(start + 120 * 60_000).toISOString(),
  description: 'Headphones',
} as const;

export interface ShopOptions {
  readonly configure?: Partial<Configuration>;
  readonly replace?: Replacements;
}

/** A `world` for the tests of single steps, which look at the parts of the engine. */
export async function shop(options: ShopOptions = {}) {
  const it = await world(options);
  const { engine, sandbox } = it.running;
  if (sandbox === undefined) throw new Error('These tests run on the embedded sandbox.');
  return {
    ...{ ...it, engine, sandbox, approved: it.through },
    /** An open purchase; its handle. */
    bought: async (change: object = {}): Promise<string> => {
      const args = { ...wish, ...change };
      await it.call('enroll_card', { card: args.card });
      return (await it.through('initiate_purchase', args)).data.instruction;
    },
    pay: (instruction: string, change: object = {}) =>
      registerReceipt(it.parts, agent.tenant, {
        ...{ instruction, transactionType: 'PURCHASE', transactionStatus: 'APPROVED' },
        ...{ amount: '39.90', currency: 'EUR', ...change },
      }),
  };
}

export type Shop = Awaited<ReturnType<typeof shop>>;
