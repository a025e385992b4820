import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/canonical-json.ts';
import { sandboxSeed } from '../../src/sandbox/index.ts';
import { type Agent, type Called, connect, inProcess, olderOnPort } from './agents.ts';
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

const breaches: readonly Breach[] = [
  {
    rule: 'AP-01',
    when: 'a shopper session lacks the fingerprint of its device',
    retry: 'never',
    field: 'deviceInformation.fingerprintSessionId',
    next: ['find_shopper'],
    call: async ({ here }) => {
      const { fingerprintSessionId: _, ...deviceInformation } = ada.deviceInformation;
      const [card] = ada.cards;
      const cards = [{ ...card, handle: 'card_eve', instrumentIdentifierId: 'FACE00000000000000000000000D0099' }];
      const session = { ...ada, handle: 'shopper_eve', displayName: 'Eve Example', deviceInformation, cards };
      expect((await here.http('POST', '/shoppers', 'app', session)).status).toBe(201);
      return ['enroll_card', { card: 'card_eve' }];
    },
  },
  {
    rule: 'AP-02',
    when: 'an assurance has an ISO timestamp',
    retry: 'never',
    field: 'assuranceData[0].verificationTimestamp',
    next: ['find_shopper'],
    call: async (story) => {
      const [assurance] = ada.assuranceData;
      await story.plant('shopper_ada', (body) => ({
        ...body,
        assuranceData: [{ ...assurance, verificationTimestamp: '2026-01-01T00:00:00Z' }],
      }));
      return ['enroll_card', { card: 'card_ada' }];
    },
  },
  {
    rule: 'AP-03',
    when: 'the card waits for its customer',
    field: 'card',
    next: ['enroll_card'],
    call: async (story) => {
      await story.does('enroll_card', { card: 'card_bo' });
      return ['initiate_purchase', await story.order('card_bo')];
    },
  },
  {
    rule: 'AP-04',
    when: 'the card of a new purchase is not enrolled',
    field: 'card',
    next: ['enroll_card', 'list_cards'],
    call: async (story) => ['initiate_purchase', await story.order('card_ada')],
  },
  {
    rule: 'AP-04',
    when: 'the card of a payment is not enrolled',
    field: 'card',
    next: ['enroll_card', 'list_cards'],
    call: async (story) => pays(await story.purchase({}, 'card_cleo'), { card: 'card_cleo_declines' }),
  },
  {
    rule: 'AP-05',
    when: 'the passkey service is not configured',
    retry: 'never',
    next: [],
    configured: false,
    call: async () => ['enroll_card', { card: 'card_ada' }],
  },
  {
    rule: 'AP-06',
    when: 'a cancelled purchase is updated',
    retry: 'never',
    field: 'instruction',
    next: ['initiate_purchase'],
    call: async (story) => {
      const instruction = await story.purchase();
      await story.does('cancel_purchase', { instruction });
      const { card: _, reference: __, ...terms } = (await story.order('card_ada')) as Record<string, unknown>;
      return ['update_purchase', { instruction, ...terms }];
    },
  },
  {
    rule: 'AP-07',
    when: 'a cancelled purchase is cancelled again',
    retry: 'never',
    field: 'instruction',
    next: ['initiate_purchase'],
    call: async (story) => {
      const instruction = await story.purchase();
      await story.does('cancel_purchase', { instruction });
      return ['cancel_purchase', { instruction }];
    },
  },
  {
    rule: 'AP-08',
    when: "another shopper's card is to pay",
    field: 'card',
    next: ['list_cards'],
    call: async (story) => {
      await story.does('enroll_card', { card: 'card_cleo' });
      return pays(await story.purchase(), { card: 'card_cleo' });
    },
  },
  {
    rule: 'AP-08',
    when: 'the purchase has expired',
    field: 'instruction',
    next: ['initiate_purchase'],
    call: async (story) => {
      const instruction = await story.purchase();
      await story.here.http('POST', '/sandbox/clock', undefined, { advance: 'P8D' });
      return pays(instruction);
    },
  },
  {
    rule: 'AP-09',
    when: 'the limit is nothing',
    field: 'limit',
    next: [],
    call: async (story) => {
      await story.does('enroll_card', { card: 'card_ada' });
      return ['initiate_purchase', await story.order('card_ada', { limit: { amount: '0.00', currency: 'GBP' } })];
    },
  },
  {
    rule: 'AP-09',
    when: 'the limit has more decimals than its currency',
    field: 'limit',
    next: [],
    call: async (story) => {
      await story.does('enroll_card', { card: 'card_ada' });
      return ['initiate_purchase', await story.order('card_ada', { limit: { amount: '40.005', currency: 'GBP' } })];
    },
  },
  {
    rule: 'AP-09',
    when: 'the end has passed',
    field: 'until',
    next: [],
    call: async (story) => {
      await story.does('enroll_card', { card: 'card_ada' });
      return ['initiate_purchase', await story.order('card_ada', { until: '2020-01-01T00:00:00Z' })];
    },
  },
  {
    rule: 'AP-09',
    when: 'the payment is above the limit',
    field: 'amount',
    next: ['update_purchase'],
    call: async (story) => pays(await story.purchase(), { amount: '40.01' }),
  },
  {
    rule: 'AP-09',
    when: 'the payment is of nothing',
    field: 'amount',
    next: [],
    call: async (story) => pays(await story.purchase(), { amount: '0' }),
  },
  {
    rule: 'AP-09',
    when: 'the payment is in another currency',
    field: 'currency',
    next: ['update_purchase'],
    call: async (story) => pays(await story.purchase(), { currency: 'EUR' }),
  },
  {
    rule: 'AP-09',
    when: 'the purchase was approved for another merchant',
    next: ['update_purchase'],
    call: async (story) => pays(await story.purchase({ merchant: 'Other Shop' })),
  },
  {
    rule: 'AP-10',
    when: 'no credentials were retrieved',
    field: 'instruction',
    next: ['retrieve_credentials'],
    call: async (story) => ['confirm_transaction', { instruction: await story.purchase() }],
  },
  {
    rule: 'AP-10',
    when: 'no receipt was posted',
    retry: 'same_call',
    field: 'instruction',
    next: ['get_purchase'],
    call: async (story) => ['confirm_transaction', { instruction: await story.released() }],
  },
  {
    rule: 'AP-10',
    when: 'the receipt says that the payment was declined',
    field: 'instruction',
    next: ['get_purchase'],
    call: async (story) => {
      const instruction = await story.released();
      await story.receipt(instruction, { transactionStatus: 'DECLINED' });
      return ['confirm_transaction', { instruction }];
    },
  },
  {
    rule: 'AP-11',
    when: 'a completed purchase is to pay again',
    retry: 'never',
    field: 'instruction',
    next: ['initiate_purchase'],
    call: async (story) => pays(await story.completed(), { reference: 'order-1-again' }),
  },
  {
    rule: 'AP-11',
    when: 'a completed purchase is cancelled',
    retry: 'never',
    field: 'instruction',
    next: ['initiate_purchase'],
    call: async (story) => ['cancel_purchase', { instruction: await story.completed() }],
  },
  {
    rule: 'AP-11',
    when: 'a completed purchase is confirmed with another receipt',
    retry: 'never',
    field: 'instruction',
    next: ['initiate_purchase'],
    call: async (story) => {
      const instruction = await story.completed();
      await story.receipt(instruction);
      return ['confirm_transaction', { instruction }];
    },
  },
  {
    rule: 'AP-12',
    when: 'the receipt is over another amount',
    field: 'instruction',
    next: ['get_purchase'],
    call: async (story) => {
      const instruction = await story.released();
      await story.receipt(instruction, { amount: '39.99' });
      return ['confirm_transaction', { instruction }];
    },
  },
  {
    rule: 'AP-12',
    when: 'the receipt is in another currency',
    field: 'instruction',
    next: ['get_purchase'],
    call: async (story) => {
      const instruction = await story.released();
      await story.receipt(instruction, { currency: 'EUR' });
      return ['confirm_transaction', { instruction }];
    },
  },
];

const agents: readonly (readonly [name: string, open: (here: World) => Promise<Agent>])[] = [
  ['the present SDK', (here) => connect(inProcess(here), { pin: '2026-07-28' })],
  ['the older SDK, on a port', (here) => olderOnPort(here)],
];

describe.each(breaches)('$rule, when $when', ({ rule, retry = 'changed_call', field, next, configured, call }) => {
  it.each(agents)('is refused, with the way out, and nothing happens: %s', async (_, open) => {
    const here = await world({
      configure: ({ engine }) => {
        if (configured === false) Object.assign(engine.parts.settings, { passkey: undefined });
      },
    });
    const story = storyOf(here, await open(here));
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
  });
});

it('breaks every rule of the purchase flow', () => {
  const rules = Array.from({ length: 12 }, (_, index) => `AP-${String(index + 1).padStart(2, '0')}`);
  expect([...new Set(breaches.map(({ rule }) => rule))]).toEqual(rules);
});
