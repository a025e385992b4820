import { expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/canonical-json.ts';
import { sandboxSeed } from '../../src/sandbox/index.ts';
import { type Agent, type Called, connect, inProcess } from './agents.ts';
import { footprint, nextWeek, type World, world } from './support.ts';

// Every rule of the purchase flow, broken through MCP: what is answered, what leads out, and that nothing happened.

/** An agent, and what it needs to get somewhere. */
type Story = ReturnType<typeof storyOf>;

function storyOf(here: World, agent: Agent) {
  /** Makes a call that must succeed; a person approves where one is asked. */
  const does = async (tool: string, args: object): Promise<Called['answer']> => {
    const { answer } = await agent.call(tool, args);
    if (answer.approval === undefined) {
      expect(answer, tool).toMatchObject({ outcome: 'done' });
      return answer;
    }
    await here.http('POST', `/approvals/${answer.approval.id}`, 'person', { decision: 'approve' });
    return does(tool, args);
  };

  const order = async (card: string, more: object = {}): Promise<object> => {
    const terms = { reference: 'order-1', limit: { amount: '40.00', currency: 'GBP' }, description: 'A cable' };
    return { card, ...terms, until: await nextWeek(here), ...more };
  };

  /** A purchase with Ada's card, or another. */
  const purchase = async (more: object = {}, card = 'card_ada'): Promise<string> => {
    await does('enroll_card', { card });
    return (await does('initiate_purchase', await order(card, more))).data.instruction;
  };

  /** A purchase whose credentials were released. */
  const released = async (): Promise<string> => {
    const instruction = await purchase();
    await does('retrieve_credentials', { instruction, amount: '40.00', currency: 'GBP' });
    return instruction;
  };

  const receipt = async (instruction: string, more: object = {}): Promise<void> => {
    const paid = { transactionType: 'PURCHASE', transactionStatus: 'APPROVED', amount: '40.00', currency: 'GBP' };
    expect((await here.http('POST', '/receipts', 'app', { instruction, ...paid, ...more })).status).toBe(201);
  };

  /** A purchase that is over. */
  const completed = async (): Promise<string> => {
    const instruction = await released();
    await receipt(instruction);
    await does('confirm_transaction', { instruction });
    return instruction;
  };

  /** Puts into the ledger what no registration would let in. */
  const plant = (handle: string, change: (body: JsonObject) => JsonObject): Promise<void> =>
    here.running.engine.parts.ledger.transaction('default', async (tx) => {
      const found = await tx.observations.find(handle);
      if (found !== undefined) await tx.observations.update(found, { body: change(found.body) }, 0);
    });

  return { here, agent, does, order, purchase, released, receipt, completed, plant };
}

interface Breach {
  readonly rule: string;
  /** By default another argument or another tool leads out. */
  readonly retry?: 'never' | 'same_call';
  readonly when: string;
  readonly field?: string;
  readonly next: readonly string[];
  /** Whether the passkey service is configured; it is where nothing is said. */
  readonly configured?: false;
  readonly call: (story: Story) => Promise<readonly [tool: string, args: object]>;
}

const pays = (instruction: string, more: object = {}) =>
  ['retrieve_credentials', { instruction, amount: '40.00', currency: 'GBP', ...more }] as const;
const { shopper_ada: ada } = sandboxSeed.shoppers;

const cancelled = async (it: Story): Promise<string> => {
  const instruction = await it.purchase();
  await it.does('cancel_purchase', { instruction });
  return instruction;
};
/** A new purchase with an enrolled card, and something else than usual. */
const ordered = async (it: Story, more: object) => {
  await it.does('enroll_card', { card: 'card_ada' });
  return ['initiate_purchase', await it.order('card_ada', more)] as const;
};
/** The confirmation of a purchase whose receipt differs from its payment. */
const confirmed = async (it: Story, instruction: string, more: object = {}) => {
  await it.receipt(instruction, more);
  return ['confirm_transaction', { instruction }] as const;
};
const pence = (amount: string) => ({ limit: { amount, currency: 'GBP' } });
const over = { retry: 'never', field: 'instruction', next: ['initiate_purchase'] } as const;
const enrolling = { field: 'card', next: ['enroll_card', 'list_cards'] } as const;
const receipt = { field: 'instruction', next: ['get_purchase'] } as const;
const lookUp = ['find_shopper'];
const widen = ['update_purchase'];

// biome-ignore format: a table
const breaches: readonly Breach[] = [
  { rule: 'AP-01', when: 'a shopper session lacks the fingerprint of its device', retry: 'never', field: 'deviceInformation.fingerprintSessionId', next: lookUp, call: withoutFingerprint },
  { rule: 'AP-02', when: 'an assurance has an ISO timestamp', retry: 'never', field: 'assuranceData[0].verificationTimestamp', next: lookUp, call: withIsoTimestamp },
  { rule: 'AP-03', when: 'the card waits for its customer', field: 'card', next: ['enroll_card'], call: async (it) => {
    await it.does('enroll_card', { card: 'card_bo' });
    return ['initiate_purchase', await it.order('card_bo')];
  } },
  { rule: 'AP-04', when: 'the card of a new purchase is not enrolled', ...enrolling, call: async (it) => ['initiate_purchase', await it.order('card_ada')] },
  { rule: 'AP-04', when: 'the card of a payment is not enrolled', ...enrolling, call: async (it) => pays(await it.purchase({}, 'card_cleo'), { card: 'card_cleo_declines' }) },
  { rule: 'AP-05', when: 'the passkey service is not configured', retry: 'never', next: [], configured: false, call: async () => ['enroll_card', { card: 'card_ada' }] },
  { rule: 'AP-06', when: 'a cancelled purchase is updated', ...over, call: async (it) => {
    const instruction = await cancelled(it);
    const { card: _, reference: __, ...terms } = (await it.order('card_ada')) as Record<string, unknown>;
    return ['update_purchase', { instruction, ...terms }];
  } },
  { rule: 'AP-07', when: 'a cancelled purchase is cancelled again', ...over, call: async (it) => ['cancel_purchase', { instruction: await cancelled(it) }] },
  { rule: 'AP-08', when: "another shopper's card is to pay", field: 'card', next: ['list_cards'], call: async (it) => {
    await it.does('enroll_card', { card: 'card_cleo' });
    return pays(await it.purchase(), { card: 'card_cleo' });
  } },
  { rule: 'AP-08', when: 'the purchase has expired', field: 'instruction', next: ['initiate_purchase'], call: async (it) => {
    const instruction = await it.purchase();
    await it.here.http('POST', '/sandbox/clock', undefined, { advance: 'P8D' });
    return pays(instruction);
  } },
  { rule: 'AP-09', when: 'the limit is nothing', field: 'limit', next: [], call: (it) => ordered(it, pence('0.00')) },
  { rule: 'AP-09', when: 'the limit has more decimals than its currency', field: 'limit', next: [], call: (it) => ordered(it, pence('40.005')) },
  { rule: 'AP-09', when: 'the end has passed', field: 'until', next: [], call: (it) => ordered(it, { until: '2020-01-01T00:00:00Z' }) },
  { rule: 'AP-09', when: 'the payment is above the limit', field: 'amount', next: widen, call: async (it) => pays(await it.purchase(), { amount: '40.01' }) },
  { rule: 'AP-09', when: 'the payment is of nothing', field: 'amount', next: [], call: async (it) => pays(await it.purchase(), { amount: '0' }) },
  { rule: 'AP-09', when: 'the payment is in another currency', field: 'currency', next: widen, call: async (it) => pays(await it.purchase(), { currency: 'EUR' }) },
  { rule: 'AP-09', when: 'a new purchase names another merchant', field: 'merchant', next: [], call: (it) => ordered(it, { merchant: 'Other Shop' }) },
  { rule: 'AP-09', when: 'an update names another merchant', field: 'merchant', next: [], call: async (it) => {
    const instruction = await it.purchase();
    const { card: _, reference: __, ...terms } = (await it.order('card_ada', { merchant: 'Other Shop' })) as Record<string, unknown>;
    return ['update_purchase', { instruction, ...terms }];
  } },
  { rule: 'AP-09', when: 'the purchase was approved for another merchant', next: widen, call: async (it) => {
    const instruction = await it.purchase();
    await it.plant(instruction, (body) => ({ ...body, merchant: 'Other Shop' }));
    return pays(instruction);
  } },
  { rule: 'AP-10', when: 'no credentials were retrieved', field: 'instruction', next: ['retrieve_credentials'], call: async (it) => ['confirm_transaction', { instruction: await it.purchase() }] },
  { rule: 'AP-10', when: 'no receipt was posted', retry: 'same_call', ...receipt, call: async (it) => ['confirm_transaction', { instruction: await it.released() }] },
  { rule: 'AP-10', when: 'the receipt says that the payment was declined', ...receipt, call: async (it) => confirmed(it, await it.released(), { transactionStatus: 'DECLINED' }) },
  { rule: 'AP-11', when: 'a completed purchase is to pay again', ...over, call: async (it) => pays(await it.completed(), { reference: 'order-1-again' }) },
  { rule: 'AP-11', when: 'a completed purchase is cancelled', ...over, call: async (it) => ['cancel_purchase', { instruction: await it.completed() }] },
  { rule: 'AP-11', when: 'a completed purchase is confirmed with another receipt', ...over, call: async (it) => confirmed(it, await it.completed()) },
  { rule: 'AP-12', when: 'the receipt is over another amount', ...receipt, call: async (it) => confirmed(it, await it.released(), { amount: '39.99' }) },
  { rule: 'AP-12', when: 'the receipt is in another currency', ...receipt, call: async (it) => confirmed(it, await it.released(), { currency: 'EUR' }) },
];

async function withoutFingerprint({ here }: Story) {
  const { fingerprintSessionId: _, ...deviceInformation } = ada.deviceInformation;
  const [card] = ada.cards;
  const cards = [{ ...card, handle: 'card_eve', instrumentIdentifierId: 'FACE00000000000000000000000D0099' }];
  const session = { ...ada, handle: 'shopper_eve', displayName: 'Eve Example', deviceInformation, cards };
  expect((await here.http('POST', '/shoppers', 'app', session)).status).toBe(201);
  return ['enroll_card', { card: 'card_eve' }] as const;
}

async function withIsoTimestamp({ plant }: Story) {
  const [assurance] = ada.assuranceData;
  const assuranceData = [{ ...assurance, verificationTimestamp: '2026-01-01T00:00:00Z' }];
  await plant('shopper_ada', (body) => ({ ...body, assuranceData }));
  return ['enroll_card', { card: 'card_ada' }] as const;
}

it.each(breaches)(
  '$rule, when $when, refuses, with the way out, and nothing happens',
  async ({ rule, retry = 'changed_call', field, next, configured, call }) => {
    const here = await world({
      configure: ({ engine }) => {
        if (configured === false) Object.assign(engine.parts.settings, { domains: {} });
      },
    });
    const story = storyOf(here, await connect(inProcess(here), { pin: '2026-07-28' }));
    const [tool, args] = await call(story);
    const before = await footprint(here);
    const { answer, isError, text } = await story.agent.call(tool, args);
    expect({ isError, answer }).toEqual({
      isError: true,
      answer: {
        outcome: 'refused',
        environment: 'sandbox',
        said: expect.stringMatching(/^.{10,300}$/),
        next,
        error: { code: 'RULE', retry, rule, ...(field === undefined ? {} : { field }) },
      },
    });
    expect(JSON.parse(text)).toEqual(answer);
    expect(await footprint(here)).toEqual(before);
  },
);

it('breaks every rule of the purchase flow', () => {
  const rules = Array.from({ length: 12 }, (_, index) => `AP-${String(index + 1).padStart(2, '0')}`);
  expect([...new Set(breaches.map(({ rule }) => rule))]).toEqual(rules);
});
