import { describe, expect, it } from 'vitest';
import type { Kind } from '../../src/domains/facts.ts';
import { kinds, kindTable } from '../../src/domains/index.ts';
import { handleFor } from '../../src/engine/handles.ts';
import type { PlatformTool } from '../../src/engine/tool.ts';
import type { Caller } from '../../src/ledger/ledger.ts';
import { tools } from '../../tools/index.ts';
import { bill } from '../engine/invoicing.ts';
import { callWith, named } from '../engine/naming.ts';
import { authentication } from '../engine/passkey.ts';
import { agent, bought, change, order, payment, type Said, type World, world } from '../engine/support.ts';
import { type Furnished, furnished, waiting } from './asking.ts';

// Two principals of one tenant. What an approval allows, and all that a call made in Purser, belongs to the one who called.

const other: Caller = { tenant: agent.tenant, principal: 'somebody else' };
const reports = ['reportDefinition', 'reportList', 'reportQueue', 'reportSubscription', 'report'];
const merchants: readonly string[] = [
  ...['shopper', 'card', 'plan', 'subscription', 'followOn', 'invoice'],
  ...reports,
  ...['cardReader', 'devicePayment'],
];

/** Of so many handles of other kinds each tool is tried with one. */
const others = 4;

const bytes = (said: Said): string => JSON.stringify(said);

/** A handle that never was, as long as another. */
const never = (handle: string): string => handle.replace(/[a-z]+$/, (letters) => letters.replaceAll(/[a-z]/g, 'z'));

const kindOf = (handle: string): string => handle.split('_')[0] ?? '';
/** Arguments that are called otherwise than their handles begin. */
const inShort: { readonly [field: string]: string | undefined } = { operation: 'op', approval: 'apr' };

/** The last handle of each kind: that is enough, because none is treated otherwise than its kind. */
const oneOfEach = (handles: readonly string[]): readonly string[] => [
  ...new Map(handles.map((handle) => [kindOf(handle), handle])).values(),
];

/** Every handle of the ledger, by whether the first principal's calls made it in Purser. */
async function handlesOf({ running }: World) {
  const page = { limit: 1_000 };
  return running.engine.parts.ledger.transaction(agent.tenant, async (tx) => {
    const things = (await Promise.all(kinds.map((kind) => tx.observations.list({ kind }, page)))).flatMap(
      (it) => it.rows,
    );
    const [operations, approvals] = [await tx.operations.list({}, page), await tx.approvals.list({}, page)];
    const minted = things.filter(({ kind }) => !merchants.includes(kind));
    const begun = [...operations.rows, ...approvals.rows];
    return {
      own: [...minted.map(({ handle }) => handle), ...begun.map(({ id }) => id)],
      shared: things.filter(({ kind }) => merchants.includes(kind)),
      rows: JSON.stringify([minted, begun]),
    };
  });
}

/** Tools of Purser's own whose argument is a handle that no field of the contract states. */
const pairs = [...named, ['get_limits', 'instruction']] as const;

describe('of two principals that are separate', { timeout: 60_000 }, () => {
  it("one gets for each handle of the other's, in every tool, what a handle gets that never was", async () => {
    const it = await world();
    const own = await furnished(it);
    const { own: handles, rows } = await handlesOf(it);
    const effects = await it.effects();
    expect(oneOfEach(handles).map(kindOf).toSorted()).toEqual([
      ...[
        'apr',
        'authentication',
        'capture',
        'charge',
        'credentials',
        'instruction',
        'offer',
        'op',
        'receipt',
        'refund',
      ],
    ]);
    const each = oneOfEach(handles);
    // Those of its own kind, and in turn some of the others: a tool treats all others alike.
    for (const [at, [tool, field]] of pairs.entries())
      for (const handle of each.filter(
        (one, place) => kindOf(one) === (inShort[field] ?? field) || (place + at) % others === 0,
      )) {
        const called = await tried(it, tool, (given) => callWith(tool, field, given, own), handle);
        expect([tool, field, handle, ...called]).toEqual([tool, field, handle, called[1], called[1]]);
      }
    expect(await it.effects()).toEqual(effects);
    expect((await handlesOf(it)).rows).toBe(rows);
  });

  it('one sees the things of the merchant, which the other has made', async () => {
    const it = await world();
    const own = await furnished(it);
    for (const [tool, field, handle] of [
      ['list_cards', 'shopper', own.shopper],
      ['get_plan', 'plan', own.plan],
      ['get_subscription', 'subscription', own.subscription],
      ['get_invoice', 'invoice', own.invoice],
      ['get_report', 'report', own.report],
      ['get_report_subscription', 'report_subscription', own.report_subscription],
      ['lookup_device_transaction', 'transaction', own.transaction],
    ] as const)
      expect(await it.call(tool, { [field]: handle }, other)).toMatchObject({ outcome: 'done' });
  });

  it('every thing that has a random handle belongs to a principal, and no other does', async () => {
    const it = await world();
    await furnished(it);
    const { shared } = await handlesOf(it);
    const ofId = (kind: string, body: Readonly<Record<string, unknown>>) =>
      String(body[String(kindTable[kind as Kind].platformId)] ?? body[`${kind}Id`] ?? body.requestId ?? 'own');
    for (const { kind, handle, body } of shared.filter(({ kind }) => kind !== 'shopper' && kind !== 'card'))
      expect([kind, handle, body.madeBy]).toEqual([kind, handleFor(kind as Kind, ofId(kind, body)), undefined]);
  });

  it("one has empty lists, and no answer of any tool names what is the other's", async () => {
    const it = await world();
    const own = await furnished(it);
    const { own: handles } = await handlesOf(it);
    for (const tool of ['list_operations', 'list_approvals', 'list_purchases', 'list_payments'])
      expect((await it.call(tool, {}, other)).data).toEqual({ items: [], total: 0 });
    const { more } = (await it.call('list_operations', { limit: 1 })).data;
    expect((await it.call('list_operations', { limit: 1, cursor: more }, other)).error?.code).toBe('INVALID_ARGUMENT');
    for (const { tool, args } of everyCall(own))
      for (const [name, given] of [
        [tool, args],
        ['preview_call', { tool, arguments: args }],
      ] as const) {
        const told = bytes(await it.call(name, given, other));
        const asked = JSON.stringify(given);
        expect([tool, handles.filter((one) => told.includes(one) && !asked.includes(one))]).toEqual([tool, []]);
      }
  });

  it("one replays nothing by the reference of the other's call, and makes nothing twice", async () => {
    const it = await world();
    const own = await furnished(it);
    const earlier = new Map<string, object>();
    for (const [tool, args] of Object.entries(waiting)) earlier.set(tool, args(own));
    earlier.set('create_invoice', bill());
    const referenced = tools.filter(
      (one): one is PlatformTool => one.kind === 'platform' && one.input.reference !== undefined,
    );
    for (const { name } of referenced.filter((one) => earlier.has(one.name))) {
      const args = earlier.get(name) ?? {};
      await it.call(name, args);
      const effects = await it.effects();
      const said = await it.call(name, args, other);
      expect([name, said.outcome, said.operation, said.replayed]).toEqual([name, 'refused', undefined, undefined]);
      expect(['CONFLICT', 'NOT_FOUND']).toContain(said.error?.code);
      expect(await it.effects()).toEqual(effects);
    }
  });

  it('one does not join the very same call of the other while it is under way', async () => {
    const it = await world();
    await it.call('enroll_card', { card: 'card_ada' });
    const draft = bill({ how: 'draft' });
    const both = await Promise.all([it.call('create_invoice', draft), it.call('create_invoice', draft, other)]);
    expect(both.map(({ outcome }) => outcome).toSorted()).toEqual(['done', 'refused']);
    const refused = both.find(({ outcome }) => outcome === 'refused');
    expect(refused).toMatchObject({ error: { code: 'CONFLICT', rule: 'EN-03' } });
    expect(refused).not.toHaveProperty('operation');
    expect(await it.effects('createInvoice')).toHaveLength(1);
  });

  it('one is warned of a call that is nearly the same, without learning which', async () => {
    const it = await world();
    const instruction = await bought(it);
    const said = await it.call('initiate_purchase', order({ reference: 'order-2' }), other);
    expect(said.warnings).toEqual([expect.stringContaining('by another principal')]);
    expect(bytes(said)).not.toMatch(new RegExp(`order-1|${instruction}`));
  });

  it('one begins an authentication of its own for a card, and goes on with it under any reference', async () => {
    const it = await world();
    const begin = async (reference: string, by: Caller): Promise<string> =>
      (await it.call('create_authentication_options', authentication({ card: 'card_bo', reference }), by)).data
        .authentication;
    const [own, others] = [await begin('a-1', agent), await begin('b-1', other)];
    expect(others).not.toBe(own);
    expect([await begin('a-1', agent), await begin('a-2', agent), await begin('b-2', other)]).toEqual([
      own,
      own,
      others,
    ]);
    expect((await it.call('get_authentication', { authentication: own }, other)).error?.code).toBe('NOT_FOUND');
  });

  it("one gives an approval of its own, which the other can't use", async () => {
    const it = await world();
    await it.call('enroll_card', { card: 'card_ada' });
    await it.approve(await it.call('initiate_purchase', order()));
    expect(await it.call('initiate_purchase', order(), other)).toMatchObject({
      outcome: 'refused',
      error: { code: 'CONFLICT' },
    });
    expect(await it.effects('initiatePurchase')).toEqual([]);
    expect(await it.call('initiate_purchase', order())).toMatchObject({ outcome: 'done' });
  });
});

it("what is left of a limit for a purchase is its principal's to know", async () => {
  const limit = {
    name: 'each',
    tools: ['retrieve_credentials'],
    currency: 'GBP',
    total: '90.00',
    per: ['instruction'],
  } as const;
  const it = await world({ configure: { limits: [limit] } });
  const instruction = await bought(it);
  await it.call('retrieve_credentials', payment(instruction));
  const asked = (given: string, by: Caller) => it.call('get_limits', { instruction: given }, by);
  expect((await asked(instruction, agent)).data.limits[0].left).toBe('50.00 GBP');
  const refused = await asked(instruction, other);
  expect(refused).toMatchObject({ outcome: 'refused', error: { code: 'NOT_FOUND', rule: 'EN-02' } });
  expect(await asked(never(instruction), other)).toEqual(refused);
});

it('principals that work together use what the other was allowed', async () => {
  const it = await world({ configure: { principals: 'together' } });
  const instruction = await bought(it);
  expect((await it.call('list_operations', {}, other)).data.total).toBe(2);
  expect(await it.call('retrieve_credentials', payment(instruction), other)).toMatchObject({ outcome: 'done' });
  expect(await it.call('update_purchase', change(instruction), other)).toMatchObject({ outcome: 'done' });
});

/** What the other principal gets for a handle and for one that never was, called and previewed, as bytes. */
async function tried(it: World, tool: string, args: (handle: string) => object, handle: string) {
  const told = async (given: string): Promise<string> => {
    const called = await it.call(tool, args(given), other);
    const previewed = await it.call('preview_call', { tool, arguments: args(given) }, other);
    return bytes(called) + bytes(previewed);
  };
  return [await told(handle), await told(never(handle))].map((text, at) =>
    text.replaceAll(at === 0 ? handle : never(handle), 'HANDLE'),
  );
}

/** A call of every tool that takes a handle, with the first principal's things, and of all that ask a person. */
const everyCall = (own: Furnished) => [
  ...Object.entries(waiting).map(([tool, args]) => ({ tool, args: args(own) })),
  ...named.flatMap(([tool, field]) =>
    Object.values(own).map((handle) => ({ tool, args: callWith(tool, field, handle, own) })),
  ),
];
