import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Shop } from './sandbox.ts';

// A second reading of how invoices add up and are paid, on purpose apart from the sandbox's: exact fractions of whole
// numbers, one step after the other.

/** An exact fraction. */
interface Exact {
  readonly over: bigint;
  readonly under: bigint;
}

const exact = (text: string): Exact => {
  const [whole = '0', decimals = ''] = text.split('.');
  return { over: BigInt(whole + decimals), under: 10n ** BigInt(decimals.length) };
};
const times = (one: Exact, other: Exact): Exact => ({ over: one.over * other.over, under: one.under * other.under });
/** To the nearest of so many parts of one, halves upwards. */
const rounded = ({ over, under }: Exact, digits: number): bigint => {
  const scaled = over * 10n ** BigInt(digits);
  const floor = scaled / under;
  return (scaled % under) * 2n >= under ? floor + 1n : floor;
};
const written = (minor: bigint, digits: number): string => {
  const text = minor.toString().padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
};

const currencies = [
  ['USD', 2],
  ['JPY', 0],
  ['KWD', 3],
] as const;

const cents = (most: number) => fc.integer({ min: 1, max: most }).map(BigInt);
const rate = fc.integer({ min: 0, max: 9_999 }).map((basis) => written(BigInt(basis), 2));
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const lines = fc.array(
  fc.record({
    quantity: fc.integer({ min: 1, max: 40 }),
    price: cents(50_000),
    discount: maybe(rate),
    tax: maybe(rate),
  }),
  { maxLength: 4 },
);
const order = fc.record({
  currency: fc.constantFrom(...currencies),
  lines,
  onTotal: fc.boolean(),
  sub: cents(1_000_000),
  discount: maybe(rate),
  tax: maybe(rate),
  freight: maybe(fc.record({ amount: cents(5_000), taxable: fc.boolean(), taxRate: rate })),
});
type Order = typeof order extends fc.Arbitrary<infer T> ? T : never;

const reduced = (sum: bigint, discount: string | undefined, tax: string | undefined): bigint => {
  const off = (percent: string | undefined, of: bigint) =>
    percent === undefined ? 0n : rounded(times({ over: of, under: 100n }, exact(percent)), 0);
  const left = sum - off(discount, sum);
  return left + off(tax, left);
};

/** The request of an order, and what it comes to. */
function modelled({ currency: [currency, digits], ...it }: Order) {
  const text = (minor: bigint) => written(minor, digits);
  const items = it.lines.map(({ quantity, price, discount, tax }, index) => {
    const own = it.onTotal ? {} : { discountRate: discount, taxRate: tax };
    const total = reduced(price * BigInt(quantity), own.discountRate, own.taxRate);
    return {
      total,
      productSku: `S${index}`,
      productName: 'Thing',
      quantity,
      unitPrice: text(price),
      totalAmount: text(total),
      ...own,
    };
  });
  const goods = items.length > 0 ? items.reduce((sum, { total }) => sum + total, 0n) : it.sub;
  // Rates on the total stand beside lines only where the lines have none.
  const whole =
    it.onTotal || items.length === 0 ? { discount: it.discount, tax: it.tax } : { discount: undefined, tax: undefined };
  const { freight } = it;
  const shipping =
    freight === undefined
      ? 0n
      : freight.amount + (freight.taxable ? reduced(freight.amount, undefined, freight.taxRate) - freight.amount : 0n);
  const total = reduced(goods, whole.discount, whole.tax) + shipping;
  return {
    total,
    text,
    amounts: {
      currency,
      totalAmount: text(total),
      ...(items.length === 0 ? { subAmount: text(goods) } : {}),
      ...(whole.discount === undefined ? {} : { discountPercent: whole.discount }),
      ...(whole.tax === undefined ? {} : { taxDetails: { rate: whole.tax } }),
      ...(freight === undefined ? {} : { freight: { ...freight, amount: text(freight.amount) } }),
    },
    items: items.map(({ total: _, ...item }) => item),
  };
}

const parts = fc.array(
  fc.record({ share: fc.integer({ min: 0, max: 130 }), card: fc.constantFrom('approved', 'declined') }),
  {
    maxLength: 6,
  },
);

it('adds up and is paid as a straightforward model says', async () => {
  await fc.assert(
    fc.asyncProperty(
      order,
      parts,
      fc.integer({ min: 0, max: 60 }),
      fc.boolean(),
      async (asked, payments, leastShare, inParts) => {
        const { total, text, amounts, items } = modelled(asked);
        fc.pre(total > 0n);
        const least = (total * BigInt(leastShare)) / 100n;
        const shop = new Shop();
        const change = (amount: bigint) => ({
          information: { allowPartialPayments: inParts },
          amounts: {
            ...amounts,
            totalAmount: text(amount),
            ...(least > 0n ? { minimumPartialAmount: text(least) } : {}),
          },
          ...(items.length === 0 ? {} : { lines: items }),
        });
        expect((await shop.create('send', change(total + 1n))).status).toBe(400);
        const { id, link } = await shop.billed('send', change(total));
        let left = total;
        for (const { share, card } of payments) {
          const amount = (total * BigInt(share)) / 100n;
          const allowed = amount === left || (inParts && amount >= least);
          const taken = left > 0n && amount > 0n && amount <= left && allowed && card === 'approved';
          const { status } = await shop.pay(link, { amount: text(amount), card });
          expect(status === 200).toBe(taken);
          if (taken) left -= amount;
        }
        const { body } = await shop.read(id);
        const state = left === 0n ? 'PAID' : left === total ? 'SENT' : 'PARTIAL';
        expect([body.status, body.orderInformation.amountDetails.balanceAmount]).toEqual([state, Number(text(left))]);
        const paid = body.invoiceHistory.filter(({ event }: { event: string }) => event === 'PAYMENT');
        const sum = paid.reduce(
          (all: number, it: { transactionDetails: { amount: number } }) => all + it.transactionDetails.amount,
          0,
        );
        expect(sum).toBeCloseTo(Number(text(total - left)), 5);
      },
    ),
    { seed: 2_611, numRuns: 200 },
  );
});
