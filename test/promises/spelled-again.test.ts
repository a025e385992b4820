import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { normalised } from '../../src/engine/confusables.ts';
import type { SpendingPolicy } from '../../src/engine/spending-policy.ts';
import { isMandated } from '../../src/engine/terms.ts';
import type { PlatformTool } from '../../src/engine/tool.ts';
import { tools } from '../../tools/index.ts';
import { changing } from '../engine/changing.ts';
import { agent, order, world } from '../engine/support.ts';

// A payment of unknown outcome isn't made again under a mandate because it is written in another way.

const spending = tools.filter((tool): tool is PlatformTool => tool.kind === 'platform' && isMandated(tool));
const mandates: readonly SpendingPolicy[] = (['GBP', 'USD'] as const).map((currency) => ({
  ...{ name: `all ${currency}`, currency, per: [] },
  tools: spending.map(({ name }) => name),
}));

const wide = (text: string): string =>
  text.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));

/** Other ways to write a value. */
function spellings(value: unknown): readonly unknown[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, member]) =>
      spellings(member).map((spelled) => ({ ...value, [name]: spelled })),
    );
  if (typeof value !== 'string') return [];
  const isAmount = /^\d+\.\d+$/.test(value);
  const isMoment = /^\d{4}-.*Z$/.test(value);
  return [
    ...[wide(value), ` ${value}`, `${value} `],
    ...(isAmount ? [value.replace(/0$/, ''), value.replace(/\.0+$/, ''), `0${value}`, `${value}0`] : []),
    ...(isMoment ? [value.replace('Z', '.000Z'), value.replace('Z', '+00:00')] : []),
  ];
}

/** Optional arguments that say what is so without them, or nothing of the money. */
const defaults: { readonly [argument: string]: readonly unknown[] } = {
  merchant: ['Harbour Audio', 'harbour audio', 'Harbour  Audio', 'Harbour Audio.'],
  category: ['Electronics'],
  category_code: ['5732'],
  quantity: [1],
  every: ['month', 1],
  prompt: ['Buy it.'],
  recurring: [false],
  capture: [false],
  pre_authorize: [false],
  setup_fee: ['0', '0.00'],
  surcharge: ['0'],
  surcharge_label: ['Nothing'],
  code: ['OTHER'],
  subtotal: ['40.00'],
  discount: ['0.00'],
  shipping: ['0'],
  handling: ['0'],
  type: ['PURCHASE'],
  delivery: ['SHIP_TO_HOME'],
};

/** A call in all other ways. */
function variantsOf({ input }: PlatformTool, args: Readonly<Record<string, unknown>>): readonly object[] {
  const spelled = Object.entries(args).flatMap(([name, value]) =>
    name === 'reference' ? [] : spellings(value).map((it) => ({ ...args, [name]: it })),
  );
  const said = Object.keys(input.args).flatMap((name) =>
    name in args ? [] : (defaults[name] ?? []).map((it) => ({ ...args, [name]: it })),
  );
  // Without a reference, the same arguments are the same call.
  const isSame = (variant: object): boolean =>
    !('reference' in input.args) && isDeepStrictEqual(normalised(variant), normalised(args));
  return [...spelled, ...said].filter((variant) => !isSame(variant));
}

/** Of what can be paid back at once, a part: otherwise the platform has nothing left for a second one. */
const parts: Readonly<Record<string, object>> = { refundDeviceTransaction: { amount: '10.00' } };

describe.each(spending)('$name', (tool) => {
  it('is not made again by a mandate in any spelling while its outcome is unknown', async () => {
    const it = await world({ configure: { mandates } });
    const name = tool.operation as keyof typeof changing;
    const args = { ...(await changing[name](it)), ...parts[name] };
    await it.fault(name, 'timeout-after-commit');
    expect((await it.through(tool.name, args)).outcome).toBe('unknown');
    const before = await it.effects();
    await it.advance(3_600);
    for (const [at, variant] of variantsOf(tool, args).entries()) {
      // A conversation of its own: what an answer quotes would keep mandates from counting in this one.
      const reference = 'reference' in tool.input.args ? { reference: `again-${at}` } : {};
      const said = await it.call(tool.name, { ...variant, ...reference }, { ...agent, conversation: `again-${at}` });
      expect([variant, said.outcome]).toEqual([variant, expect.stringMatching(/^(refused|needs_approval|unknown)$/)]);
    }
    expect(await it.effects()).toEqual(before);
  });
});

describe('create_subscription on terms of its own', () => {
  const terms = { every: 12, unit: 'month', payments: 2, amount: '10.00', currency: 'GBP' };
  const asked = { card: 'card_ada', name: 'Music', start: '2026-02-27T10:00:00Z', reference: 'music-1', ...terms };

  it.each([
    { every: 1, unit: 'year' },
    { payments: 1, amount: '20.00' },
    { amount: '10' },
    { start: '2026-02-27T10:00:00.000Z' },
    { start: '2026-02-28T10:00:00Z' },
    { setup_fee: '0' },
  ])('is not made again as %o', async (other) => {
    const it = await world({ configure: { mandates } });
    await it.fault('createSubscription', 'timeout-after-commit');
    expect((await it.call('create_subscription', asked)).outcome).toBe('unknown');
    const before = await it.effects();
    const again = await it.call('create_subscription', { ...asked, ...other, reference: 'music-2' });
    expect(again.outcome).toMatch(/^(needs_approval|refused)$/);
    expect(await it.effects()).toEqual(before);
  });
});

describe('a purchase under a mandate, while another one has an unknown outcome', () => {
  it.each([
    ['costs something else', { limit: { amount: '100.01', currency: 'GBP' } }],
    ['is paid in another currency', { limit: { amount: '100.00', currency: 'USD' } }],
  ])('is made where it %s', async (_, other) => {
    const it = await world({ configure: { mandates } });
    await it.call('enroll_card', { card: 'card_ada' });
    await it.fault('initiatePurchase', 'timeout-after-commit');
    expect((await it.call('initiate_purchase', order())).outcome).toBe('unknown');
    const said = await it.call('initiate_purchase', order({ reference: 'order-2', ...other }));
    expect([said.outcome, said.warnings]).toEqual(['done', undefined]);
  });
});
