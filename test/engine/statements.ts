import { DatabaseSync, StatementSync } from 'node:sqlite';
import type { SpendingPolicy } from '../../src/engine/spending-policy.ts';
import { planned, subscription } from './billing.ts';
import { bill, billed } from './invoicing.ts';
import { order, payment, type Said, until, type World } from './support.ts';

// How many SQL statements of the ledger a call takes, whatever the machine. Those of the embedded sandbox don't count.

/** Standing mandates, so that no call waits for a person. */
export const mandates: readonly SpendingPolicy[] = [
  { name: 'small', tools: ['initiate_purchase'], currency: 'GBP', per: [], perCall: '100.00', until },
  { name: 'regular', tools: ['create_subscription'], currency: 'GBP', per: [], until },
];

/** Counts the statements of ledgers that are opened from now on. */
export function countStatements() {
  const { prepare } = DatabaseSync.prototype;
  const { all, run } = StatementSync.prototype;
  const own = new WeakSet<StatementSync>();
  let count = 0;
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, ...given: Parameters<typeof prepare>) {
    const statement = prepare.apply(this, given);
    if (isLedger(this)) own.add(statement);
    return statement;
  };
  const counted = <Given extends unknown[], Answer>(execute: (...given: Given) => Answer) =>
    function (this: StatementSync, ...given: Given): Answer {
      if (own.has(this)) count += 1;
      return execute.apply(this, given);
    };
  StatementSync.prototype.all = counted(all as (...given: never[]) => unknown) as typeof all;
  StatementSync.prototype.run = counted(run as (...given: never[]) => unknown) as typeof run;
  return {
    of: async (work: () => Promise<unknown>): Promise<number> => {
      const before = count;
      await work();
      return count - before;
    },
    restore: (): void => {
      DatabaseSync.prototype.prepare = prepare;
      Object.assign(StatementSync.prototype, { all, run });
    },
  };
}

const isLedger = (database: DatabaseSync): boolean => (database.location() ?? '').endsWith('sandbox.sqlite');

/** A call that is measured: its tool, and its arguments in a world that is ready for it. */
export interface Story {
  readonly title: string;
  readonly tool: string;
  readonly prepare: (it: World) => Promise<object>;
  readonly outcome: Said['outcome'];
}

const opened = async (it: World): Promise<string> => {
  await it.call('enroll_card', { card: 'card_ada' });
  return (await it.call('initiate_purchase', order())).data.instruction;
};

const released = async (it: World): Promise<string> => {
  const instruction = await opened(it);
  await it.call('retrieve_credentials', payment(instruction));
  return instruction;
};

const approvedUpdate = async (it: World): Promise<object> => {
  const args = { invoice: await billed(it, bill()), total: '41.00' };
  await it.approve(await it.call('update_invoice', args));
  return args;
};

const nobody = { instruction: 'instruction_none' };

export const stories: readonly Story[] = [
  {
    title: 'a purchase under a mandate',
    tool: 'initiate_purchase',
    prepare: async (it) => {
      await opened(it);
      return order({ reference: 'order-2', limit: { amount: '20.00', currency: 'GBP' } });
    },
    outcome: 'done',
  },
  {
    title: 'released credentials',
    tool: 'retrieve_credentials',
    prepare: async (it) => payment(await opened(it)),
    outcome: 'done',
  },
  {
    title: 'a subscription under a mandate',
    tool: 'create_subscription',
    prepare: async (it) => {
      await it.call('enroll_card', { card: 'card_ada' });
      return subscription({ plan: await planned(it) });
    },
    outcome: 'done',
  },
  { title: 'an approved update of an invoice', tool: 'update_invoice', prepare: approvedUpdate, outcome: 'done' },
  {
    title: 'a look at a purchase',
    tool: 'get_purchase',
    prepare: async (it) => ({ instruction: await released(it) }),
    outcome: 'done',
  },
  {
    title: 'an enrollment',
    tool: 'enroll_card',
    prepare: async () => ({ card: 'card_ada' }),
    outcome: 'done',
  },
  {
    title: 'a preview of a purchase',
    tool: 'preview_call',
    prepare: async (it) => {
      await opened(it);
      const args = order({ reference: 'order-2', limit: { amount: '20.00', currency: 'GBP' } });
      return { tool: 'initiate_purchase', arguments: args };
    },
    outcome: 'done',
  },
  {
    title: 'a list that one page holds',
    tool: 'list_cards',
    prepare: async () => ({ shopper: 'shopper_ada' }),
    outcome: 'done',
  },
  {
    title: 'a refusal, the first of its kind',
    tool: 'cancel_purchase',
    prepare: async () => nobody,
    outcome: 'refused',
  },
  {
    title: 'a refusal once more',
    tool: 'cancel_purchase',
    prepare: async (it) => {
      await it.call('cancel_purchase', nobody);
      return nobody;
    },
    outcome: 'refused',
  },
  {
    title: 'a refusal by a guard, once more',
    tool: 'initiate_purchase',
    prepare: async (it) => {
      await it.call('enroll_card', { card: 'card_ada' });
      const late = { ...order(), until: '2020-01-01T00:00:00Z' };
      await it.call('initiate_purchase', late);
      return late;
    },
    outcome: 'refused',
  },
];
