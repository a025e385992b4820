import { expect, it } from 'vitest';
import type { Answer } from '../../src/engine/answer.ts';
import { sandboxSeed } from '../../src/sandbox/index.ts';
import { offering, paying } from '../engine/conversion.ts';
import { connect, inProcess } from '../faces/agents.ts';
import { footprint, world } from '../faces/support.ts';
import { organizationId } from '../webhooks/support.ts';

// Every rule of currency conversion and of the lookup of webhook subscriptions, kept and broken by an agent through MCP. What is
// refused leaves nothing behind, here or at the platform.

const merchant = { id: organizationId, name: 'M', country: 'GB', url: 'https://m.example.com' } as const;

/** A shopper with a card whose first digits the app does not tell. */
const eve = {
  handle: 'card_eve',
  customerId: 'FACE00000000000000000000000C0005',
  instrumentIdentifierId: 'FACE00000000000000000000000D0006',
  paymentInstrumentId: 'FACE00000000000000000000000E0006',
  ...{ lastFour: '5555', expires: '03/2030', label: 'credit' },
};
const { shopper_ada: ada } = sandboxSeed.shoppers;
const withoutDigits = { ...ada, handle: 'shopper_eve', cards: [eve] };

/** A world whose person approves; unless said otherwise, its acquirer takes converted payments. */
async function storyOf(processing: 'common' | undefined) {
  const configuration = { merchant: { ...merchant, ...(processing === undefined ? {} : { processing }) } };
  const here = await world({ configuration });
  const mcp = await connect(inProcess(here), { pin: '2026-07-28' });
  const call = async (tool: string, args: object): Promise<Answered> => (await mcp.call(tool, args)).answer;
  const approve = ({ approval }: Answered) =>
    here.http('POST', `/approvals/${approval?.id}`, 'person', { decision: 'approve' });
  /** Makes a call, has the person approve it where one must, and makes it again. */
  const through = async (tool: string, args: object): Promise<Answered> => {
    const asked = await call(tool, args);
    if (asked.outcome !== 'needs_approval') return asked;
    await approve(asked);
    return call(tool, args);
  };
  const offers = async (more: object = {}): Promise<string> =>
    (await call('offer_conversion', offering(more))).data.offer;
  const chooses = (offer: string, currency = 'AUD') => through('choose_currency', { offer, currency });
  const chosen = async (): Promise<string> => {
    const offer = await offers();
    await chooses(offer);
    return offer;
  };
  const pays = (more: object) => through('authorize_payment', { reference: 'order-1', ...more });
  const charged = async (args: object): Promise<string> => (await pays(args)).data.charge;
  const takes = (charge: string, amount?: string, more: object = {}) =>
    through('capture_payment', { charge, ...(amount === undefined ? {} : { amount }), ...more });
  const taken = async (): Promise<string> => (await takes(await charged(paying()))).data.capture;
  const refunds = (capture: string, amount?: string, more: object = {}) =>
    through('refund_capture', { capture, ...(amount === undefined ? {} : { amount }), ...more });
  const platform = (settings: object) => here.http('POST', '/sandbox/conversion', undefined, settings);
  const advance = (duration: string) => here.http('POST', '/sandbox/clock', undefined, { advance: duration });
  const unknownCard = () => here.http('POST', '/shoppers', 'app', withoutDigits);
  const receipt = (charge: string) => call('get_payment_receipt', { charge });
  const webhooks = (args: object) => call('list_webhook_subscriptions', args);
  return {
    here,
    call,
    offers,
    chooses,
    chosen,
    pays,
    charged,
    takes,
    taken,
    refunds,
    platform,
    advance,
    receipt,
    webhooks,
    unknownCard,
  };
}
type Story = Awaited<ReturnType<typeof storyOf>>;
// biome-ignore lint/suspicious/noExplicitAny: answers are compared whole, not typed
type Answered = Omit<Answer, 'data'> & { readonly data?: any };

interface Case {
  readonly rule: string;
  readonly when: string;
  readonly field?: string;
  /** No processing is configured where it is broken. */
  readonly unconfigured?: true;
  /** What stands before the call; the call itself; and that it is let pass. */
  readonly broken: (it: Story) => Promise<() => Promise<Answered>>;
  readonly kept: (it: Story) => Promise<Answered>;
}

const twice = { reference: 'second' };

// biome-ignore format: a table
const cases: readonly Case[] = [
  { rule: 'DC-01', when: "the card's first digits are not registered", field: 'card',
    broken: async (it) => { await it.unknownCard(); return () => it.call('offer_conversion', offering({ card: 'card_eve' })); },
    kept: (it) => it.call('offer_conversion', offering()) },
  { rule: 'DC-02', when: 'prices in many currencies are asked for', field: 'type',
    broken: async (it) => () => it.call('offer_conversion', offering({ type: 'MCP' })),
    kept: (it) => it.call('offer_conversion', offering()) },
  { rule: 'DC-03', when: 'no conversion is offered, and one is chosen', field: 'offer',
    broken: async (it) => { await it.platform({ reason: 'CURRENCY_NOT_CONFIGURED' }); const offer = await it.offers(); return () => it.chooses(offer); },
    kept: async (it) => it.chooses(await it.offers()) },
  { rule: 'DC-03', when: 'no conversion is offered, and one is paid', field: 'offer',
    broken: async (it) => { await it.platform({ reason: 'CURRENCY_NOT_CONFIGURED' }); const offer = await it.offers(); return () => it.pays({ offer }); },
    kept: async (it) => { await it.platform({ reason: 'CURRENCY_NOT_CONFIGURED' }); await it.offers(); return it.pays(paying()); } },
  { rule: 'DC-04', when: 'nobody has chosen', field: 'offer',
    broken: async (it) => { const offer = await it.offers(); return () => it.pays({ offer }); },
    kept: async (it) => it.pays({ offer: await it.chosen() }) },
  { rule: 'DC-04', when: 'the currency was not offered', field: 'currency',
    broken: async (it) => { const offer = await it.offers(); return () => it.chooses(offer, 'EUR'); },
    kept: async (it) => it.chooses(await it.offers(), 'USD') },
  { rule: 'DC-04', when: 'the offer carries a payment already', field: 'offer',
    broken: async (it) => { const offer = await it.chosen(); await it.pays({ offer }); return () => it.pays({ offer, ...twice }); },
    kept: async (it) => { await it.pays({ offer: await it.chosen() }); return it.pays({ ...paying(), ...twice }); } },
  { rule: 'DC-05', when: 'the rate has expired', field: 'offer',
    broken: async (it) => { const offer = await it.chosen(); await it.advance('P2D'); return () => it.pays({ offer }); },
    kept: async (it) => { const offer = await it.chosen(); await it.advance('PT1M'); return it.pays({ offer }); } },
  { rule: 'DC-06', when: 'the platform left out the time of the rate', field: 'offer',
    broken: async (it) => { await it.platform({ dated: false }); const offer = await it.chosen(); return () => it.pays({ offer }); },
    kept: async (it) => it.pays({ offer: await it.chosen() }) },
  { rule: 'DC-07', when: 'how the acquirer processes it is not known', unconfigured: true,
    broken: async (it) => { const offer = await it.chosen(); return () => it.pays({ offer }); },
    kept: async (it) => it.pays({ offer: await it.chosen() }) },
  { rule: 'DC-08', when: 'it is captured in the same call', field: 'capture',
    broken: async (it) => { const offer = await it.chosen(); return () => it.pays({ offer, capture: true }); },
    kept: async (it) => it.pays({ offer: await it.chosen(), capture: false }) },
  { rule: 'DC-09', when: 'a cent more is captured than was authorized', field: 'amount',
    broken: async (it) => { const charge = await it.charged(paying()); return () => it.takes(charge, '100.01'); },
    kept: async (it) => it.takes(await it.charged(paying()), '100.00') },
  { rule: 'DC-10', when: 'two refunds are a cent more than was captured', field: 'amount',
    broken: async (it) => { const capture = await it.taken(); await it.refunds(capture, '60.00'); return () => it.refunds(capture, '40.01', twice); },
    kept: async (it) => { const capture = await it.taken(); await it.refunds(capture, '60.00'); return it.refunds(capture, '40.00', twice); } },
  { rule: 'DC-11', when: 'a converted order is captured twice', field: 'charge',
    broken: async (it) => { const charge = await it.charged({ offer: await it.chosen() }); await it.takes(charge, '50.00'); return () => it.takes(charge, '50.00', twice); },
    kept: async (it) => { const charge = await it.charged(paying()); await it.takes(charge, '50.00'); return it.takes(charge, '50.00', twice); } },
  { rule: 'DC-12', when: 'a part has more decimals than its currency', field: 'amount',
    broken: async (it) => { const charge = await it.charged({ offer: await it.chosen() }); return () => it.takes(charge, '33.333'); },
    kept: async (it) => it.takes(await it.charged({ offer: await it.chosen() }), '33.33') },
  { rule: 'DC-13', when: 'the platform left out its markup', field: 'offer',
    broken: async (it) => { await it.platform({ markup: null }); const offer = await it.offers(); return () => it.chooses(offer); },
    kept: async (it) => it.receipt(await it.charged({ offer: await it.chosen() })) },
  { rule: 'WH-01', when: 'an event is looked for under another product',
    broken: async (it) => () => it.webhooks({ product: 'customerInvoicing', event: 'rbs.subscriptions.charge.failed' }),
    kept: (it) => it.webhooks({ product: 'recurringBilling', event: 'rbs.subscriptions.charge.failed' }) },
];

it.each(cases)('$rule refuses it where $when', async ({ rule, field, unconfigured, broken }) => {
  const story = await storyOf(unconfigured ? undefined : 'common');
  const call = await broken(story);
  const before = await footprint(story.here);
  expect(await call()).toMatchObject({
    outcome: 'refused',
    error: { rule, ...(field === undefined ? {} : { field }) },
  });
  expect(await footprint(story.here)).toEqual(before);
  expect(story.here.failures).toEqual([]);
});

it.each(cases)('$rule lets pass what is otherwise: $when', async ({ kept }) => {
  const story = await storyOf('common');
  expect(await kept(story)).toMatchObject({ outcome: 'done' });
  expect(story.here.failures).toEqual([]);
});

it('no rule is missing', () => {
  const covered = new Set(cases.map(({ rule }) => rule));
  const all = Array.from({ length: 13 }, (_, index) => `DC-${String(index + 1).padStart(2, '0')}`);
  expect([...all, 'WH-01'].filter((rule) => !covered.has(rule))).toEqual([]);
});
