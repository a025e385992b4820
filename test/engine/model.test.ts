import fc from 'fast-check';
import { expect, it } from 'vitest';
import { recordDecision } from '../../src/engine/approval-service.ts';
import type { OperationRow } from '../../src/ledger/rows.ts';
import * as model from './model.ts';
import {
  approvalOf,
  begin,
  both,
  type Command,
  command,
  type Domain,
  holds,
  limitOf,
  nothing,
  often,
  pick,
  play,
  pounds,
  type Real,
  wanted,
} from './modelled.ts';
import { order, person, until } from './support.ts';
import { cancel, confirm, enroll, initiate, retrieve, update } from './wanted.ts';

// Random calls of purchases, people, faults, crashes and time against an engine and a sandbox in memory.

const index = fc.nat(20);
const pence = fc.constantFrom(2_500, 5_000, 7_500, 10_000, 12_500);

const commands: readonly fc.Arbitrary<Command>[] = [
  index.map((at) =>
    command(`enroll(${at})`, async (it, real) => {
      const card = pick(it.cards, at);
      return card === undefined ? nothing : both(it, real, () => enroll(card), { card: card.handle });
    }),
  ),
  index.map((at) =>
    command(`verify(${at})`, async (it, { world }) => {
      const card = pick(it.cards, at);
      if (!card?.enrolled || card.verified) return nothing;
      await verify(card, { world });
      return undefined;
    }),
  ),
  ...often(
    1,
    fc.tuple(fc.nat(5), fc.nat(9), pence).map(([number, odd, other]) =>
      command(`initiate(order-${number}${odd === 0 ? `, ${other}` : ''})`, async (it, real) => {
        const card = pick(it.cards, number);
        if (!card) return nothing;
        const reference = `order-${number}`;
        const limit = odd === 0 ? other : 5_000 + number * 2_500;
        const args = order({ card: card.handle, reference, limit: limitOf(limit) });
        return both(it, real, () => initiate(it, card, reference, limit), args);
      }),
    ),
  ),
  fc.tuple(index, pence).map(([at, limit]) =>
    command(`update(${at}, ${limit})`, async (it, real) => {
      const purchase = pick(it.purchases, at);
      if (!purchase) return nothing;
      const args = { instruction: purchase.handle, limit: limitOf(limit), until, description: 'Headphones' };
      return both(it, real, () => update(it, purchase, limit), args);
    }),
  ),
  index.map((at) =>
    command(`cancel(${at})`, async (it, real) => {
      const purchase = pick(it.purchases, at);
      return purchase ? both(it, real, () => cancel(purchase), { instruction: purchase.handle }) : nothing;
    }),
  ),
  ...often(
    4,
    fc.tuple(index, fc.nat(3), pence).map(([at, number, sum]) =>
      command(`retrieve(${at}, ${number}, ${sum})`, async (it, real) => {
        const purchase = pick(it.purchases, at);
        if (!purchase) return nothing;
        const reference = `payment-${purchase.reference}-${number}`;
        const args = { instruction: purchase.handle, reference, amount: pounds(sum), currency: 'GBP' };
        return both(it, real, () => retrieve(it, purchase, reference, sum), args);
      }),
    ),
  ),
  ...often(
    3,
    fc.tuple(index, pence, fc.nat(4), fc.nat(4)).map(([at, other, wrong, no]) =>
      command(`receipt(${at}, ${other}, ${wrong}, ${no})`, async (it, { world }) => {
        const [right, approved] = [wrong !== 0, no !== 0];
        const purchase = pick(it.purchases, at);
        if (!purchase) return nothing;
        const sum = right ? (purchase.lastReleased ?? other) : other;
        const transactionStatus = approved ? 'APPROVED' : 'DECLINED';
        await world.receipt(purchase.handle, { amount: pounds(sum), transactionStatus });
        purchase.receipt = { id: it.receipts++, pence: sum, approved };
        return undefined;
      }),
    ),
  ),
  ...often(
    3,
    index.map((at) =>
      command(`confirm(${at})`, async (it, real) => {
        const purchase = pick(it.purchases, at);
        return purchase ? both(it, real, () => confirm(purchase), { instruction: purchase.handle }) : nothing;
      }),
    ),
  ),
];

async function newest({ engine }: Real): Promise<string> {
  const page = { limit: 1_000 };
  const { rows } = await engine.parts.ledger.transaction('default', (tx) =>
    tx.observations.list({ kind: 'instruction' }, page),
  );
  return rows.toSorted((one, other) => (one.handle < other.handle ? -1 : 1)).at(-1)?.handle ?? '';
}

/** Both cards enrolled and two purchases open: where most of what can go wrong begins. */
async function warmUp(it: model.Model, real: Real): Promise<void> {
  for (const [number, card] of it.cards.entries()) {
    await both(it, real, () => enroll(card), { card: card.handle });
    if (card.asksCustomer) await verify(card, real);
    await both(it, real, () => enroll(card), { card: card.handle });
    const reference = `warm-${number}`;
    const limit = 10_000;
    const args = order({ card: card.handle, reference, limit: limitOf(limit) });
    const want = () => initiate(it, card, reference, limit);
    await both(it, real, want, args);
    const op = it.ops.at(-1);
    if (op === undefined) throw new Error('A proposed purchase is an operation.');
    model.decide(it, op, true);
    await recordDecision(real.engine.parts, await approvalOf(real.engine, it, op), 'approve', person);
    await both(it, real, want, args);
  }
}

async function verify(card: model.Card, { world }: Pick<Real, 'world'>): Promise<void> {
  const { instrumentIdentifierId } = (await world.thing(card.handle)).body;
  await world.control('POST', `cards/${instrumentIdentifierId}/verify`, {});
  card.verified = true;
}

const isAbout = (row: OperationRow | undefined, { handle, reference }: model.Purchase): boolean =>
  row !== undefined && (row.subject === handle || (row.name === 'initiatePurchase' && row.reference === reference));

const purchases: Domain = {
  modelled: {
    knows: async (it, real, said) => {
      for (const purchase of it.purchases.filter(({ handle }) => handle === ''))
        purchase.handle = said?.data?.instruction ?? (await newest(real));
    },
    demands: async (it, { world }, { rows, consumed }) => {
      const broken: string[] = [];
      for (const purchase of it.purchases) {
        const granted = consumed.filter(({ operationId }) =>
          isAbout(
            rows.find(({ id }) => id === operationId),
            purchase,
          ),
        );
        if (purchase.released > granted.length) broken.push('I7: released as often as approved');
        if ((await world.thing(purchase.handle)).state !== purchase.state) broken.push('what a purchase is');
      }
      return broken;
    },
  },
  warmUp,
  operations: [
    ...(['enrollCard', 'initiatePurchase', 'updatePurchase', 'cancelPurchase'] as const),
    ...(['retrieveCredentials', 'confirmTransaction'] as const),
  ],
  commands,
};

it(`does what an independent model foretells, in ${wanted.calls} calls`, { timeout: wanted.timeout }, () =>
  play(purchases),
);

it('asks anew for a release that was approved under a mandate that an update has replaced', async () => {
  const { model: it, real } = await begin({ calls: 0, outcomes: new Map() }, purchases);
  try {
    const purchase = it.purchases[0];
    if (purchase === undefined) throw new Error('Two purchases are open at the start.');
    const { handle: instruction } = purchase;
    const release = (reference: string) =>
      both(it, real, () => retrieve(it, purchase, reference, 2_500), {
        instruction,
        reference,
        amount: '25.00',
        currency: 'GBP',
      });
    const approve = async () => {
      const op = it.ops.at(-1);
      if (op === undefined) throw new Error('What is asked about is an operation.');
      expect(model.decide(it, op, true)).toBe('APPROVED');
      expect(
        await recordDecision(real.engine.parts, await approvalOf(real.engine, it, op), 'approve', person),
      ).toMatchObject({
        ok: true,
      });
    };
    await release('payment-1');
    await release('payment-2');
    await approve();
    const args = { instruction, limit: limitOf(7_500), until, description: 'Headphones' };
    await both(it, real, () => update(it, purchase, 7_500), args);
    await release('payment-2');
    expect(it.ops.slice(-3).map(({ tool, state }) => [tool, state])).toEqual([
      ['retrieve_credentials', 'EXPIRED'],
      ['update_purchase', 'SUCCEEDED'],
      ['retrieve_credentials', 'PROPOSED'],
    ]);
    await holds(it, real);
    await approve();
    await release('payment-2');
    await release('payment-3');
    expect([purchase.released, it.ops.at(-1)?.state]).toEqual([2, 'PROPOSED']);
    await holds(it, real);
  } finally {
    await real.world.running.close();
  }
});
