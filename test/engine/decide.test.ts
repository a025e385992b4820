import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/canonical-json.ts';
import type { Guard } from '../../src/domains/guard.ts';
import { card } from '../../src/domains/purchase/machines.ts';
import { check } from '../../src/engine/check.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { gatherFacts, settleByClock } from '../../src/engine/gather-facts.ts';
import { toolsPulling } from '../../src/engine/next.ts';
import { Refused } from '../../src/engine/refusal.ts';
import { storedRequest } from '../../src/engine/request-secrets.ts';
import type { PlatformTool } from '../../src/engine/tool.ts';
import { withParts } from '../support/tool-parts.ts';
import { agent, type Shop, shop, start, wish } from './shop.ts';

const pay = { amount: '39.90', currency: 'EUR' };

const toolOf = ({ parts }: Shop, name: string): PlatformTool => {
  const tool = parts.tools.find((one) => one.name === name);
  if (tool?.kind !== 'platform') throw new Error(`There is no platform tool ${name}.`);
  return tool;
};
/** What is known of a call. */
const factsOf = (it: Shop, name: string, args: Readonly<Record<string, unknown>>) =>
  it.parts.ledger.transaction('default', (tx) =>
    gatherFacts(toolOf(it, name), args, tx, it.parts.settings, it.parts.ports),
  );
/** What something is refused with. */
function refused(act: () => unknown): unknown {
  try {
    act();
    return 'passed';
  } catch (error) {
    return error instanceof Refused ? error.refusal : error;
  }
}
async function refusalOf(it: Shop, name: string, args: Readonly<Record<string, unknown>>): Promise<unknown> {
  const facts = await factsOf(it, name, args);
  return refused(() => check(toolOf(it, name), facts, it.parts.settings, agent, false));
}
const change = (it: Shop, handle: string, given: { readonly state?: string; readonly body?: JsonObject }) =>
  it.parts.ledger.transaction('default', async (tx) => {
    const row = await tx.observations.find(handle);
    if (row === undefined) throw new Error(`There is no ${handle}.`);
    await tx.observations.update(row, { ...given, body: { ...row.body, ...given.body } }, start);
  });

/** A shop with an enrolled card, a purchase that a person would have to approve, and what is known of it. */
async function wished() {
  const it = await shop();
  await it.call('enroll_card', { card: 'card_ada' });
  return { it, tool: toolOf(it, 'initiate_purchase'), facts: await factsOf(it, 'initiate_purchase', wish) };
}

describe('a handle', () => {
  it.each([
    ['enroll_card', { card: 'card_none' }, 'card', 'list_cards'],
    ['enroll_card', { card: 'shopper_ada' }, 'card', 'list_cards'],
    ['cancel_purchase', { instruction: 'card_ada' }, 'instruction', 'list_purchases'],
  ])(
    'that names nothing of its kind is refused, and where to find one is said: %s %j',
    async (name, args, kind, finder) => {
      const it = await shop();
      await expect(factsOf(it, name, args)).rejects.toMatchObject({
        refusal: {
          code: 'NOT_FOUND',
          rule: 'EN-02',
          field: kind,
          because: `There is no ${kind === 'instruction' ? 'purchase' : kind} with this handle.`,
          instead: [finder],
        },
      });
    },
  );

  it('brings everything that it points to', async () => {
    const it = await shop();
    const instruction = await it.bought();
    const released = await it.call('retrieve_credentials', { instruction, ...pay });
    const paid = await it.pay(instruction);
    const { things, reference } = await factsOf(it, 'cancel_purchase', { instruction });
    expect(Object.fromEntries(Object.entries(things).map(([kind, one]) => [kind, one.handle]))).toEqual({
      instruction,
      card: 'card_ada',
      shopper: 'shopper_ada',
      credentials: released.data?.credentials,
      receipt: paid.ok && paid.value.receipt,
    });
    expect([reference, things.card]).toMatchObject([
      '',
      { kind: 'card', owner: 'shopper_ada', state: 'ACTIVE', createdAt: start, body: { lastFour: '1111' } },
    ]);
  });

  it('that an argument names goes before one that is pointed to', async () => {
    const it = await shop();
    const instruction = await it.bought();
    const { things } = await factsOf(it, 'retrieve_credentials', { instruction, card: 'card_cleo', ...pay });
    expect(things.card?.handle).toBe('card_cleo');
  });

  it('that points to nothing, or to something of another kind, is not followed', async () => {
    const it = await shop();
    const instruction = await it.bought();
    await change(it, instruction, { body: { card: 'shopper_bo', receipt: 7, credentials: '' } });
    const { things } = await factsOf(it, 'cancel_purchase', { instruction });
    expect(Object.keys(things).toSorted()).toEqual(['instruction', 'shopper']);
  });
});

describe('the time', () => {
  it('has done its work on a thing before a call sees it', async () => {
    const it = await shop();
    const instruction = await it.bought();
    await it.advance(7_200);
    const { things } = await factsOf(it, 'cancel_purchase', { instruction });
    const known = await it.thing(instruction);
    expect([known?.state, things.instruction?.state, things.instruction?.handle]).toEqual([
      'ACTIVE',
      'EXPIRED',
      instruction,
    ]);
  });

  it('does nothing to what is not there', async () => {
    const it = await shop();
    expect(settleByClock(toolOf(it, 'cancel_purchase'), {}, start, {})).toEqual({});
  });
});

describe('a state', () => {
  it('that does not allow a call refuses it, with the tools that lead out', async () => {
    const it = await shop();
    const instruction = await it.bought();
    await it.call('cancel_purchase', { instruction });
    expect(await refusalOf(it, 'cancel_purchase', { instruction })).toMatchObject({
      code: 'RULE',
      rule: 'AP-07',
      field: 'instruction',
      retry: 'never',
      instead: ['initiate_purchase'],
    });
  });

  it('is left for the one that the machine says', async () => {
    const { it, tool, facts } = await wished();
    const instruction = await it.bought();
    const cancel = toolOf(it, 'cancel_purchase');
    const known = await factsOf(it, 'cancel_purchase', { instruction });
    expect([
      check(tool, facts, it.parts.settings, agent, false).state,
      check(cancel, known, it.parts.settings, agent, false).state,
    ]).toEqual([
      { kind: 'instruction', from: 'none', to: 'ACTIVE' },
      { kind: 'instruction', from: 'ACTIVE', to: 'CANCELLED' },
    ]);
  });

  it('names the tools that pull a trigger of its machine, and of no other', () => {
    expect([toolsPulling(card, ['enroll']), toolsPulling(card, ['cancel']), toolsPulling(card, [])]).toEqual([
      ['enroll_card'],
      [],
      [],
    ]);
  });
});

describe('a rule', () => {
  const guard: Guard = {
    id: 'AP-09',
    rule: 'Never.',
    on: ['enrollCard'],
    holds: () => false,
    sees: () => 'It is wrong.',
    field: 'card',
    instead: ['list_cards'],
  };

  it.each([
    [undefined, 'refused', undefined],
    ['refuse', 'refused', undefined],
    ['warn', 'done', ['AP-09: It is wrong.']],
    ['off', 'done', undefined],
  ] as const)('at level %s makes a call %s', async (level, outcome, warnings) => {
    const it = await shop();
    const levels = level === undefined ? {} : { 'AP-09': level };
    const settings = { ...it.parts.settings, levels, guards: [guard] };
    const engine = createEngine({ ...it.parts, settings });
    const answer = await engine.call('enroll_card', { card: 'card_ada' }, agent);
    expect([answer.outcome, answer.warnings]).toEqual([outcome, warnings]);
    if (outcome === 'refused')
      expect(answer).toMatchObject({
        said: 'It is wrong.',
        next: ['list_cards'],
        error: { code: 'RULE', rule: 'AP-09', field: 'card', retry: 'changed_call' },
      });
  });

  it('is asked of its own operations alone', async () => {
    const it = await shop();
    const settings = { ...it.parts.settings, guards: [{ ...guard, on: ['cancelPurchase'] as const }] };
    const engine = createEngine({ ...it.parts, settings });
    expect((await engine.call('enroll_card', { card: 'card_ada' }, agent)).outcome).toBe('done');
  });

  it('is not asked where the state alone says no', async () => {
    const it = await shop();
    const instruction = await it.bought();
    await it.call('cancel_purchase', { instruction });
    const settings = { ...it.parts.settings, guards: [{ ...guard, on: ['cancelPurchase'] as const }] };
    const engine = createEngine({ ...it.parts, settings });
    expect((await engine.call('cancel_purchase', { instruction }, agent)).error?.rule).toBe('AP-07');
  });
});

it('is asked before the state where only a condition of the machine fails: it tells more closely', async () => {
  const it = await shop();
  const instruction = await it.bought();
  const tool = toolOf(it, 'confirm_transaction');
  const facts = await factsOf(it, 'confirm_transaction', { instruction });
  const by = (guards: readonly Guard[]) =>
    refused(() => check(tool, facts, { ...it.parts.settings, guards }, agent, false));
  const closer: Guard = {
    id: 'AP-09',
    rule: 'Never.',
    on: ['confirmTransaction'],
    holds: () => false,
    sees: () => 'Nobody paid.',
    instead: [],
  };
  expect([by([closer]), by([])]).toMatchObject([
    { rule: 'AP-09', because: 'Nobody paid.' },
    { rule: 'AP-10', field: 'instruction', instead: ['retrieve_credentials', 'update_purchase', 'cancel_purchase'] },
  ]);
});

it.each([
  ['initiate_purchase', wish, 'EN-09'],
  ['enroll_card', { card: 'card_cleo' }, 'AP-01'],
])('holds a request against the shape of its operation before anything is sent: %s', async (name, args, rule) => {
  const { it } = await wished();
  const facts = await factsOf(it, name, args);
  const { shopper } = facts.things;
  if (shopper === undefined) throw new Error('Nobody shops.');
  const { deviceInformation: _, ...body } = shopper.body as unknown as JsonObject; // as the sandbox registers it
  const bare = { ...facts, things: { ...facts.things, shopper: { ...shopper, body } } } as unknown as typeof facts;
  expect(refused(() => check(toolOf(it, name), bare, it.parts.settings, agent, false))).toMatchObject({
    ...{ code: 'RULE', rule, field: 'deviceInformation' },
    because: expect.stringMatching(/^deviceInformation is missing\./),
  });
});

it('lets a call that moves nothing pass from no state to none', async () => {
  const { it, tool, facts } = await wished();
  expect(
    check(withParts(tool, { observe: { moves: undefined } }), facts, { ...it.parts.settings, guards: [] }, agent, false)
      .state,
  ).toEqual({
    kind: '',
    from: '',
    to: '',
  });
});

it('sends nothing about a purchase that the platform has given no name', async () => {
  const it = await shop();
  const instruction = await it.bought();
  await change(it, instruction, { body: { instructionId: '' } });
  expect(await refusalOf(it, 'cancel_purchase', { instruction })).toEqual({
    code: 'RULE',
    rule: 'EN-09',
    because: "The platform's id of this is unknown, so it can't be called.",
    retry: 'never',
    instead: ['list_operations'],
  });
});

describe('what a person approves', () => {
  it('is what moves money, and whatever else a tool says; text from outside makes it every movement', async () => {
    const { it, tool, facts } = await wished();
    const instruction = await it.bought();
    const release = toolOf(it, 'retrieve_credentials');
    const known = await factsOf(it, 'retrieve_credentials', { instruction, ...pay });
    const enroll = toolOf(it, 'enroll_card');
    const enrolled = await factsOf(it, 'enroll_card', { card: 'card_ada' });
    const { settings } = it.parts;
    const asks = [
      check(tool, facts, settings, agent, false),
      check(release, known, settings, agent, false),
      check(release, known, settings, agent, true),
      check(enroll, enrolled, settings, agent, true),
    ];
    expect(asks.map(({ approval, tainted }) => [approval !== undefined, tainted])).toEqual([
      [true, false],
      [false, false],
      [true, true],
      [false, false],
    ]);
  });

  it('is read line by line', async () => {
    const { it, tool, facts } = await wished();
    const { approval } = check(tool, facts, it.parts.settings, agent, false);
    expect(approval?.text.split('\n').slice(0, 2)).toEqual(['Allow the agent to buy', 'Order: "order-1"']);
  });

  it('is asked by the title of the operation where a tool has no words of its own', async () => {
    const { it, tool, facts } = await wished();
    expect(
      check(withParts(tool, { policy: { approval: undefined } }), facts, it.parts.settings, agent, false).approval
        ?.text,
    ).toMatch(/^Initiate a purchase intent\nOrder: "order-1"\n/);
  });

  it('is bound to everything that would be sent and to who asks, and to nothing that is made afresh', async () => {
    const { it, tool, facts } = await wished();
    const digest = (given = facts, caller = agent, by: PlatformTool = tool) =>
      check(by, given, { ...it.parts.settings, guards: [] }, caller, false).approval?.digest;
    const { shopper, card: ada } = facts.things;
    if (shopper === undefined || ada === undefined) throw new Error('Nobody shops.');
    const another = { correlationId: it.parts.ports.ids.uuid(), mandateId: it.parts.ports.ids.uuid() };
    const others = [
      digest(facts, { ...agent, tenant: 'other' }),
      digest(facts, { ...agent, principal: 'other' }),
      digest(facts, agent, { ...tool, name: 'other' }),
      digest({ ...facts, args: { ...facts.args, description: 'Other' } }),
      digest({ ...facts, args: { ...facts.args, limit: { amount: '40.01', currency: 'EUR' } } }),
      digest({ ...facts, args: { ...facts.args, limit: { amount: '40.00', currency: 'USD' } } }),
      digest({ ...facts, reference: 'order-2' }),
      digest({ ...facts, merchant: { ...facts.merchant, id: 'other' } }),
      digest({ ...facts, merchant: { ...facts.merchant, name: 'Other' } }),
      digest({ ...facts, things: { ...facts.things, card: { ...ada, handle: 'card_other' } } }),
      digest({ ...facts, things: { ...facts.things, card: { ...ada, body: { ...ada.body, expires: '01/2040' } } } }),
      digest({ ...facts, things: { ...facts.things, shopper: { ...shopper, handle: 'shopper_other' } } }),
      digest({
        ...facts,
        things: { ...facts.things, shopper: { ...shopper, body: { ...shopper.body, displayName: 'Other' } } },
      }),
      digest(
        facts,
        agent,
        withParts(tool, { policy: { approval: { needed: () => true, title: () => 'Other', text: () => [] } } }),
      ),
      digest(facts, agent, withParts(tool, { policy: { spend: () => undefined } })),
      ...[{ amount: '1.00' }, { currency: 'USD' }, { payee: 'Other' }, { instrument: 'card_other' }].map((moved) =>
        digest(
          facts,
          agent,
          withParts(tool, {
            policy: {
              spend: () => ({ amount: '40.00', currency: 'EUR', payee: 'Shop', instrument: 'card_ada', ...moved }),
            },
          }),
        ),
      ),
    ];
    expect([...new Set([...others, digest()])]).toHaveLength(others.length + 1);
    expect(digest({ ...facts, now: start + 1, new: another })).toBe(digest());
    // What a purchase has led to since is none of what is asked.
    const later = { ...ada, handle: 'later_one' };
    for (const kind of ['receipt', 'credentials'])
      expect(digest({ ...facts, things: { ...facts.things, [kind]: later } })).toBe(digest());
    expect(
      digest({ ...facts, things: { ...facts.things, card: { ...ada, state: 'ACTIVE', createdAt: start + 9 } } }),
    ).toBe(digest());
  });
});

it('keeps a request with the identifiers that were made for it, and the state it is meant to reach', async () => {
  const { it, tool, facts } = await wished();
  const stored = storedRequest(tool, check(tool, facts, it.parts.settings, agent, false));
  expect(stored).toMatchObject({ names: {}, reaches: 'ACTIVE', new: facts.new });
  expect(JSON.stringify(stored.body)).toContain(facts.new.mandateId);
});
