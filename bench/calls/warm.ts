import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { registerShopper } from '../../src/engine/register.ts';
import { shoppers } from '../../src/sandbox/shoppers.ts';
import { mandates } from '../../test/engine/statements.ts';
import { agent, openWorld, order } from '../../test/engine/support.ts';
import { openShop } from '../eval/work.ts';

// Calls in one process, with a ledger and an embedded sandbox on disk, as often as somebody wants.

/** A call that can be made any number of times. */
export interface Work {
  (): Promise<unknown>;
  /** What has to be done before each call, and isn't measured. */
  readonly prepare?: () => Promise<void>;
}

const prepared = (prepare: () => Promise<void>, work: () => Promise<unknown>): Work => Object.assign(work, { prepare });

/** A purchase that no other one looks like, so that none is a near-duplicate. */
function purchases() {
  let count = 0;
  return () => {
    count += 1;
    const amount = ((count % 9_000) / 100 + 1).toFixed(2);
    return order({ reference: `order-w${count}`, limit: { amount, currency: 'GBP' } });
  };
}

/** Opens a world for the calls of the table, by name: on disk, or in memory, where no call waits for a disk. */
export async function openWarm({ memory = false }: { readonly memory?: boolean | undefined } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'purser-warm-'));
  const data = memory ? ':memory:' : folder;
  const it = await openWorld({ configure: { data, mandates } });
  await it.call('enroll_card', { card: 'card_ada' });
  let enrolled = 0;
  const next = purchases();
  const shop = await openShop();
  let stories = 0;
  const demanded = async (outcome: string, tool: string, args: unknown): Promise<void> => {
    const answer = await it.call(tool, args);
    if (answer.outcome !== outcome) throw new Error(`${tool}: ${JSON.stringify(answer)}`);
  };
  const works: Readonly<Record<string, Work>> = {
    'read from memory: get_limits': () => demanded('done', 'get_limits', {}),
    'read from memory: list_cards': () => demanded('done', 'list_cards', { shopper: 'shopper_ada' }),
    'refused argument': () => demanded('refused', 'cancel_purchase', { instruction: 7 }),
    'refused guard': () => demanded('refused', 'initiate_purchase', { ...order(), until: '2020-01-01T00:00:00Z' }),
    preview_call: () => demanded('done', 'preview_call', { tool: 'initiate_purchase', arguments: next() }),
    enroll_card: prepared(
      async () => {
        enrolled += 1;
        const { cards, ...session } = shoppers.shopper_ada;
        const again = {
          ...session,
          handle: `shopper_w${enrolled}`,
          cards: cards.map((card) => ({ ...card, handle: `card_w${enrolled}` })),
        };
        const registered = await registerShopper(it.parts, agent.tenant, again);
        if (!registered.ok) throw new Error(JSON.stringify(registered.faults));
      },
      () => demanded('done', 'enroll_card', { card: `card_w${enrolled}` }),
    ),
    'purchase under a mandate': () => demanded('done', 'initiate_purchase', next()),
    'purchases under a mandate, 16 at once': () =>
      Promise.all(Array.from({ length: 16 }, () => demanded('done', 'initiate_purchase', next()))),
    'scenario of the evals': () => {
      stories += 1;
      return shop.tell(stories);
    },
  };
  return {
    works,
    close: async () => {
      await shop.close();
      await it.running.close();
      rmSync(folder, { recursive: true });
    },
  };
}
