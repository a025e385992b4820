import { describe, expect, it } from 'vitest';
import type { Facts, Kind, Things } from '../../src/domains/facts.ts';
import { modelFields, needsApproval } from '../../src/engine/approval-scope.ts';
import { assemble } from '../../src/engine/assemble.ts';
import type { PlatformTool } from '../../src/engine/tool.ts';
import { removable } from '../../tools/purchase/mandate.ts';
import { bought, change, order, payment, world } from '../engine/support.ts';
import { changing, everyPiece, everything, factsOf, fullArgs, replaced, valuesFor } from '../support/every-call.ts';

// What a person approved is what is done: any change of what the model authored asks again, but for what is proven to be less.

const requestOf = (tool: PlatformTool, facts: Facts) => assemble(tool, facts);
const asks = (tool: PlatformTool, args: Facts['args'], things?: Things): boolean => {
  const facts = factsOf(tool, args, things);
  return needsApproval(tool, facts, requestOf(tool, facts), { role: 'agent' });
};
const named = (name: string): PlatformTool => {
  const tool = changing.find((it) => it.name === name);
  if (tool === undefined) throw new Error(`There is no ${name}.`);
  return tool;
};

/** Whether a tool brings a thing into being, and some call of it asks a person. */
const makesWithYes = (tool: PlatformTool): boolean =>
  tool.observe.moves !== undefined &&
  !Object.values(tool.input.args).some(({ kind }) => kind === tool.observe.moves?.kind) &&
  everyPiece
    .filter((it) => it.tool === tool)
    .some(({ name, arg }) =>
      valuesFor(arg.schema).some((value) => asks(tool, { ...fullArgs(tool, name), [name]: value })),
    );

/** The kinds of things that a person's yes brings into being. */
const approvedKinds = new Set<Kind>(
  changing.flatMap((tool) => (tool.observe.moves !== undefined && makesWithYes(tool) ? [tool.observe.moves.kind] : [])),
);

/** The tools that say something new of a thing that was approved. */
const rewording = changing.filter((tool) => {
  const facts = factsOf(tool, fullArgs(tool));
  const isAbout = Object.values(tool.input.args).some(({ kind }) => kind !== undefined && approvedKinds.has(kind));
  return isAbout && Object.keys(modelFields(tool, requestOf(tool, facts))).length > 0;
});

describe('a change of what was approved', () => {
  it('is looked at for every kind of thing that a yes brings into being', () => {
    expect([...approvedKinds].toSorted(), 'every kind that a yes brings into being is listed here').toEqual([
      'charge',
      'devicePayment',
      'instruction',
      'invoice',
      'subscription',
    ]);
    expect(rewording.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['update_purchase', 'update_subscription', 'update_invoice']),
    );
  });

  it('asks, whichever field it is about, unless an ordering proves that it is less', () => {
    const agreed = (tool: PlatformTool): Things => {
      const facts = factsOf(tool, fullArgs(tool));
      return replaced(
        everything,
        ['instruction', 'body', 'agreed'],
        modelFields(tool, requestOf(tool, facts)),
      ) as Things;
    };
    const unasked = everyPiece
      .filter(({ tool }) => rewording.includes(tool))
      .flatMap(({ at, tool, name, arg, piece }) => {
        // What is taken off is not given, too (EN-09).
        const { category, category_code, quantity, every, prompt, ...untouched } = fullArgs(tool, name);
        const base = name === 'remove' ? untouched : fullArgs(tool, name);
        const things = agreed(tool);
        return valuesFor(piece.schema).flatMap((value) => {
          const whole = replaced(base[name], piece.steps, value);
          const isSame = JSON.stringify(whole) === JSON.stringify(base[name]);
          if (isSame || !arg.schema.safeParse(whole).success) return [];
          return asks(tool, { ...base, [name]: whole }, things) ? [] : [`${at} ${JSON.stringify(value)}`];
        });
      });
    expect(unasked).toEqual([
      'update_purchase.limit.amount "39.50"',
      'update_purchase.quantity 2',
      'update_purchase.remove.0 "every"',
      // Every cycle that is not skipped was approved with the subscription.
      'skip_subscription_payments.cycles.0 2',
    ]);
  });

  it('asks where a field is taken off that was approved, unless that is less; what is left out stays', () => {
    const tool = named('update_purchase');
    const { remove: _, ...args } = fullArgs(tool);
    const facts = factsOf(tool, args);
    const agreed = modelFields(tool, requestOf(tool, facts));
    const things = replaced(everything, ['instruction', 'body', 'agreed'], agreed) as Things;
    const names = Object.keys(args).filter((name) => tool.input.args[name]?.kind === undefined && name !== 'merchant');
    const left = names.map((name) => ({ ...args, [name]: undefined }));
    const off = removable.filter((name) => !asks(tool, { ...args, [name]: undefined, remove: [name] }, things));
    expect(names).toEqual(expect.arrayContaining(['limit', 'until', 'description', ...removable]));
    expect([asks(tool, args, things), left.map((it) => asks(tool, it, things)), off]).toEqual([
      false,
      names.map(() => false),
      ['every'],
    ]);
    for (const it of left) expect(requestOf(tool, factsOf(tool, it, things)).body).toEqual(requestOf(tool, facts).body);
  });

  it('asks where nobody knows what was approved', () => {
    const tool = named('update_purchase');
    expect(asks(tool, fullArgs(tool), everything)).toBe(true);
  });

  it('asks before it takes what is held, where nobody approved the hold, and counts it', () => {
    const tool = named('capture_preauthorization');
    const foreign = replaced(everything, ['devicePayment', 'body', 'approved'], undefined) as Things;
    const held = [everything, foreign].map((things) => {
      const spent = tool.policy.spend?.(factsOf(tool, fullArgs(tool), things));
      return [asks(tool, fullArgs(tool), things), typeof spent === 'object' ? spent.held : spent];
    });
    expect(held).toEqual([
      [false, { chargeDevice: '40.00', incrementPreauthorization: '0.00' }],
      [true, undefined],
    ]);
  });
});

describe('a yes to headphones', () => {
  const attack = {
    description: '500 gift cards',
    category: 'Gambling',
    category_code: '7995',
    quantity: 500,
  };

  it.each([
    ['all of it', attack],
    ...Object.entries(attack).map(([name, value]) => [name, { [name]: value }] as const),
  ] as const)('is no yes to another purchase: %s', async (_, more) => {
    const it = await world();
    const instruction = await bought(it, { quantity: 1, merchant: 'Harbour Audio' });
    const said = await it.call(
      'update_purchase',
      change(instruction, { quantity: 1, merchant: 'Harbour Audio', ...more }),
    );
    expect([said.outcome, said.error?.rule, await it.effects('updatePurchase')]).toEqual([
      'needs_approval',
      'EN-04',
      [],
    ]);
  });

  it('is no yes to another merchant, whom nobody can approve', async () => {
    const it = await world();
    const instruction = await bought(it);
    const said = await it.call('update_purchase', change(instruction, { ...attack, merchant: 'Lucky Casino' }));
    expect([said.outcome, said.error?.rule, said.error?.field]).toEqual(['refused', 'AP-09', 'merchant']);
    const off = await world({ configure: { levels: { 'AP-09': 'off' } } });
    const other = await off.call('update_purchase', change(await bought(off), { merchant: 'Lucky Casino' }));
    expect([other.outcome, other.error?.rule]).toEqual(['needs_approval', 'EN-04']);
  });

  it('stays one where less may be paid, until earlier, for fewer', async () => {
    const it = await world();
    const instruction = await bought(it, { quantity: 2 });
    const less = { limit: { amount: '60.00', currency: 'GBP' }, until: '2026-01-20T00:00:00Z', quantity: 1 };
    expect((await it.call('update_purchase', change(instruction, less))).outcome).toBe('done');
    // Back to what it was is more than what holds now.
    expect((await it.call('update_purchase', change(instruction, { quantity: 2 }))).outcome).toBe('needs_approval');
  });

  it('is no yes to another kind of payment', async () => {
    const it = await world();
    const instruction = await bought(it);
    for (const more of [
      { type: 'P2P', reference: 'payment-1' },
      { delivery: 'To the agent', reference: 'payment-2' },
    ])
      expect((await it.call('retrieve_credentials', payment(instruction, more))).outcome).toBe('needs_approval');
    expect((await it.call('retrieve_credentials', payment(instruction))).outcome).toBe('done');
  });

  it('leads around no limit of payees', async () => {
    const limits = [
      {
        name: 'ours',
        tools: ['initiate_purchase', 'update_purchase'],
        currency: 'GBP',
        per: [],
        payees: ['Harbour Audio'],
      },
    ] as const;
    const it = await world({ configure: { limits, levels: { 'AP-09': 'off' } } });
    const instruction = await bought(it);
    const said = await it.call('update_purchase', change(instruction, { merchant: 'Lucky Casino' }));
    expect([said.outcome, said.error?.rule]).toEqual(['refused', 'EN-11']);
  });
});

describe('the payee that a person reads and a limit counts', () => {
  it.each(changing.filter(({ policy }) => policy.spend !== undefined).map((tool) => [tool.name, tool] as const))(
    'is the one in the request of %s, or the merchant that the account is',
    (_, tool) => {
      for (const merchant of [undefined, 'Quay Records']) {
        const args = fullArgs(tool);
        const facts = factsOf(tool, 'merchant' in tool.input.args ? { ...args, merchant } : args);
        const moved = tool.policy.spend?.(facts);
        // What pays nobody yet, such as the price of a plan, names no payee.
        if (typeof moved !== 'object' || moved.payee === '') continue;
        const { payee } = moved;
        const body = JSON.stringify(requestOf(tool, facts).body ?? {});
        const isNamed = /"(preferredMerchantName|merchantName)":"([^"]*)"/.exec(body)?.[2];
        expect(isNamed ?? facts.merchant.name).toBe(payee);
      }
    },
  );

  it('is sent, though the agent named none', async () => {
    const it = await world();
    await it.call('enroll_card', { card: 'card_ada' });
    const { data } = await it.through('preview_call', { tool: 'initiate_purchase', arguments: order() });
    expect(JSON.stringify(data.request)).toContain('"preferredMerchantName":"Harbour Audio"');
  });
});
