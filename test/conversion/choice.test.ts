import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/core/secret.ts';
import { showStep, takeStep } from '../../src/engine/customer-steps.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { openPageForApp } from '../../src/engine/waiting.ts';
import type { Caller } from '../../src/ledger/ledger.ts';
import { altering, offered, offering } from '../engine/conversion.ts';
import { agent, type Said, world } from '../engine/support.ts';

// Who may say that the customer chose the currency of the card: a person, the merchant's app, or the customer on a page whose link
// no agent is shown.

const app: Caller = { tenant: 'default', principal: 'app', role: 'app' };
const reach = { page: () => 'https://purser.test', linkKey: () => new Secret('a key') };

/** A world that serves pages, with an offer that waits for its customer. */
async function waiting() {
  const it = await world();
  const parts = { ...it.parts, settings: { ...it.parts.settings, reach } };
  const engine = createEngine(parts);
  const answer = (await engine.call('offer_conversion', offering(), agent)) as Said;
  const { offer } = answer.data;
  const open = async (thing: string = offer) => openPageForApp(parts, 'default', thing);
  const linkOf = async () => (await open())?.page.split('#')[1] ?? '';
  const take = async (link: string, currency: string) => takeStep(engine, 'default', link, { currency });
  const stateNow = async () => (await it.call('get_conversion_offer', { offer })).data.state;
  const pay = () => it.through('authorize_payment', { offer, reference: 'order-1' });
  return { it, engine, parts, answer, offer, open, linkOf, take, stateNow, pay };
}

describe("the agent's word", () => {
  it("is no choice: the card's currency waits for a person, however often the agent calls", async () => {
    const { it, offer, stateNow } = await waiting();
    for (const _ of [1, 2, 3])
      expect((await it.call('choose_currency', { offer, currency: 'AUD' })).outcome).toBe('needs_approval');
    expect(await stateNow()).toBe('PENDING');
    expect(await it.call('authorize_payment', { offer, reference: 'order-1' })).toMatchObject({
      outcome: 'refused',
      error: { rule: 'DC-04' },
    });
  });

  it('is not the answer to the same choice that the customer makes at the same moment', async () => {
    const { engine, offer, stateNow } = await waiting();
    const choice = { offer, currency: 'AUD' };
    const [said, chosen] = await Promise.all([
      engine.call('choose_currency', choice, agent),
      engine.call('choose_currency', choice, { ...agent, role: 'customer' }),
    ]);
    expect([said.outcome, chosen.outcome, await stateNow()]).toEqual(['needs_approval', 'done', 'CHOSEN']);
  });

  it('is enough for the local currency, which everybody pays who has not chosen', async () => {
    const { it, offer, pay } = await waiting();
    expect((await it.call('choose_currency', { offer, currency: 'USD' })).data.state).toBe('LOCAL_CURRENCY');
    expect(await pay()).toMatchObject({ outcome: 'refused', error: { rule: 'DC-04' } });
    expect(await it.call('choose_currency', { offer, currency: 'AUD' })).toMatchObject({ error: { rule: 'DC-04' } });
  });

  it('names one of the two currencies of the offer', async () => {
    const { it, offer } = await waiting();
    expect(await it.call('choose_currency', { offer, currency: 'EUR' })).toMatchObject({
      outcome: 'refused',
      error: { rule: 'DC-04', field: 'currency' },
    });
  });

  it('comes with no link: what it reads of an offer opens no page', async () => {
    const { it, answer, offer } = await waiting();
    expect(answer.data.waiting_for).toEqual({
      who: 'customer',
      tool: 'choose_currency',
      until: '2026-01-15T09:15:00.000Z',
    });
    const read = [
      answer,
      await it.call('get_conversion_offer', { offer }),
      await it.call('choose_currency', { offer, currency: 'AUD' }),
    ];
    expect(JSON.stringify(read)).not.toContain('/act/');
  });
});

describe("the merchant's app", () => {
  it('records what the customer chose there, without another approval', async () => {
    const { it, offer, pay } = await waiting();
    expect(await it.call('choose_currency', { offer, currency: 'AUD' }, app)).toMatchObject({
      outcome: 'done',
      data: { state: 'CHOSEN' },
    });
    expect((await pay()).data.billing).toEqual({ amount: '157.00', currency: 'AUD' });
    const [sent] = (await it.audit()).filter(({ event, body }) => event === 'sent' && body.tool === 'choose_currency');
    expect(sent?.body).toMatchObject({ principal: 'app', role: 'app' });
  });

  it('can take a choice back until the payment is authorized', async () => {
    const { it, offer, pay, stateNow } = await waiting();
    await it.call('choose_currency', { offer, currency: 'AUD' }, app);
    await it.call('choose_currency', { offer, currency: 'USD' }, app);
    expect([await stateNow(), (await pay()).error?.rule]).toEqual(['LOCAL_CURRENCY', 'DC-04']);
  });

  it('records nothing for an offer whose rate has expired', async () => {
    const { it, offer } = await waiting();
    await it.advance(900);
    expect(await it.call('choose_currency', { offer, currency: 'AUD' }, app)).toMatchObject({
      outcome: 'refused',
      error: { rule: 'DC-05' },
    });
  });
});

describe("the customer's page", () => {
  it('shows both prices, the rate, the markup and the notice before it takes the choice', async () => {
    const { engine, parts, linkOf, take, stateNow, pay } = await waiting();
    const link = await linkOf();
    const shown = await showStep(engine, 'default', link);
    expect(shown?.table).toEqual([
      ["In the shop's currency", '100.00 USD'],
      ["In your card's currency", '157.00 AUD'],
      ['Exchange rate', '1 USD = 1.570029 AUD'],
      ['Markup in this rate', '3.00 %'],
      ['Source of the rate', '"Example Bank"'],
      ['Valid until', '15 January 2026 at 09:15 UTC'],
    ]);
    expect(shown?.text.join(' ')).toContain('agree to pay in the currency of my card');
    expect(shown?.submit).toEqual({
      argument: 'currency',
      options: [
        { value: 'USD', label: 'Pay 100.00 USD' },
        { value: 'AUD', label: 'Pay 157.00 AUD' },
      ],
    });
    expect(await take(link, 'AUD')).toMatchObject({ outcome: 'done', isOpen: false });
    expect([await stateNow(), await take(link, 'USD'), await openPageForApp(parts, 'default', 'offer_none')]).toEqual([
      'CHOSEN',
      undefined,
      undefined,
    ]);
    expect((await pay()).data.billing.currency).toBe('AUD');
  });

  it('leaves the local currency where the customer keeps it', async () => {
    const { linkOf, take, stateNow } = await waiting();
    expect(await take(await linkOf(), 'USD')).toMatchObject({ outcome: 'done' });
    expect(await stateNow()).toBe('LOCAL_CURRENCY');
  });

  it('takes no other currency, and stays open', async () => {
    const { linkOf, take, stateNow } = await waiting();
    expect(await take(await linkOf(), 'EUR')).toMatchObject({ outcome: 'refused', isOpen: true });
    expect(await stateNow()).toBe('PENDING');
  });

  it('chooses for its own offer alone', async () => {
    const { it, linkOf, take, stateNow } = await waiting();
    const other = await offered(it, { reference: 'order-2' });
    await take(await linkOf(), 'AUD');
    expect([await stateNow(), (await it.call('get_conversion_offer', { offer: other })).data.state]).toEqual([
      'CHOSEN',
      'PENDING',
    ]);
  });

  it('ends with the rate', async () => {
    const { it, open, linkOf, take } = await waiting();
    const link = await linkOf();
    await it.advance(900);
    expect([await take(link, 'AUD'), await open()]).toEqual([undefined, undefined]);
  });
});

describe("a person's no", () => {
  const asking = async () => {
    const { it, ...more } = await waiting();
    const { approval } = await it.call('choose_currency', { offer: more.offer, currency: 'AUD' });
    const deny = (by: object = {}) => it.running.engine.decide(approval?.id ?? '', 'deny', { ...person, ...by });
    const again = () => it.call('choose_currency', { offer: more.offer, currency: 'AUD' });
    return { it, ...more, deny, again };
  };
  const person = { tenant: 'default', approver: 'ann', channel: 'cli' } as const;

  it('means the local currency: the offer says so at once, and no payment carries its rate', async () => {
    const { it, deny, again, stateNow, pay } = await asking();
    await deny();
    expect(await stateNow()).toBe('LOCAL_CURRENCY');
    expect(it.sent.filter(({ method }) => method === 'GET')).toEqual([]);
    expect(await again()).toMatchObject({
      outcome: 'refused',
      next: ['authorize_payment'],
      error: { code: 'APPROVAL_DENIED', retry: 'never', rule: 'EN-04' },
    });
    expect(await again()).toMatchObject({ outcome: 'refused', error: { code: 'RULE', rule: 'DC-04' } });
    expect(await pay()).toMatchObject({ outcome: 'refused', error: { rule: 'DC-04' } });
  });

  it('reads the same where the call itself waits for it', async () => {
    const { deny } = await asking();
    expect(await deny({ isAwaited: true })).toMatchObject({
      ok: true,
      denied: { next: ['authorize_payment'], error: { code: 'APPROVAL_DENIED', retry: 'never' } },
    });
  });

  it('takes back no choice that the customer made since', async () => {
    const { it, offer, deny, again, stateNow } = await asking();
    await it.call('choose_currency', { offer, currency: 'AUD' }, app);
    expect([(await deny()).ok, await stateNow()]).toEqual([true, 'CHOSEN']);
    const heard = await again();
    expect(heard).toMatchObject({ outcome: 'refused', error: { code: 'APPROVAL_DENIED', retry: 'same_call' } });
    expect(heard.said).not.toContain('local currency');
  });

  it('changes nothing of an offer whose rate has expired', async () => {
    const { it, deny, offer } = await asking();
    await it.advance(900);
    await deny();
    expect((await it.thing(offer)).state).toBe('PENDING');
  });
});

describe('the offer, read back before a choice is stored (D-55),', () => {
  /** A world whose platform answers a look at an offer otherwise. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are changed as JSON
  const changing = (change: (body: any) => void) =>
    world({
      replace: {
        platform: (real) => async (request) => {
          const response = await real(request);
          if (request.method !== 'GET' || !request.url.includes('/currencyconversion/')) return response;
          const body = await response.json();
          change(body);
          return new Response(JSON.stringify(body), response);
        },
      },
    });
  // biome-ignore lint/suspicious/noExplicitAny: answers are changed as JSON
  const rate = (more: object) => (body: any) => Object.assign(body.orderInformation.currencyConversion.offer[0], more);
  const past = '2020-01-01T00:00:00Z';

  it.each([
    [
      'is declined',
      (body: object) => Object.assign(body, { status: 'DECLINED', errorInformation: { reason: 'SERVICE_DISABLED' } }),
    ],
    ['has expired', rate({ exchangeRateExpirationTimeUtc: past })],
    ['is of another amount', rate({ amount: '157.01' })],
    ['is of another currency', rate({ currency: 'NZD' })],
    ['is at another rate', rate({ exchangeRate: '1.57003' })],
    ['tells the rate the other way round', rate({ exchangeRateInverted: true })],
    ['has another markup', rate({ marginRate: '3.01' })],
    ['is for another price', rate({ originalAmount: '100.01' })],
  ])('records none where it %s: a new offer is what helps', async (_, change) => {
    const it = await changing(change);
    const offer = await offered(it);
    expect(await it.through('choose_currency', { offer, currency: 'AUD' })).toMatchObject({
      outcome: 'done',
      data: { state: 'WITHDRAWN' },
      next: ['offer_conversion', 'authorize_payment'],
    });
    expect((await it.thing(offer)).body).not.toHaveProperty('chosenAt');
    const look = await it.call('get_conversion_offer', { offer });
    expect([look.data.state, look.next]).toEqual(['WITHDRAWN', ['offer_conversion', 'authorize_payment']]);
    for (const [tool, args] of [
      ['choose_currency', { offer, currency: 'USD' }],
      ['authorize_payment', { offer, reference: 'order-1' }],
    ] as const)
      expect(await it.through(tool, args)).toMatchObject({ outcome: 'refused', error: { rule: 'DC-04' } });
  });

  it.each([
    ['says the same in other digits', rate({ amount: '157.000', exchangeRate: '1.5700290', marginRate: '3' })],
    ['leaves out the markup and the end', rate({ marginRate: undefined, exchangeRateExpirationTimeUtc: undefined })],
  ])('records it where it %s', async (_, change) => {
    const it = await changing(change);
    const offer = await offered(it);
    expect((await it.through('choose_currency', { offer, currency: 'AUD' })).data.state).toBe('CHOSEN');
  });

  it.each([
    ['leaves out which way round', { exchangeRateInverted: undefined }, 'CHOSEN'],
    ['leaves out the rate', { exchangeRate: undefined, exchangeRateInverted: undefined }, 'CHOSEN'],
    ['tells the other way round', { exchangeRateInverted: false }, 'WITHDRAWN'],
  ])('holds an inverted rate against what both answers tell: one that %s', async (_, more, state) => {
    const it = await altering((call, body) => {
      if (!call.includes('/currencyconversion')) return;
      rate({ exchangeRate: '0.636931', exchangeRateInverted: true, ...(call.startsWith('GET') ? more : {}) })(body);
    });
    const offer = await offered(it);
    expect((await it.thing(offer)).body).toMatchObject({ inverted: true, billingAmount: '157.00' });
    expect((await it.through('choose_currency', { offer, currency: 'AUD' })).data.state).toBe(state);
  });

  it('counts for nothing where the customer keeps the local currency', async () => {
    const it = await changing(rate({ amount: '999.00' }));
    const offer = await offered(it);
    expect((await it.call('choose_currency', { offer, currency: 'USD' })).data.state).toBe('LOCAL_CURRENCY');
  });

  it('is told to the customer on the page, who is thanked for no choice', async () => {
    const it = await changing(rate({ amount: '999.00' }));
    const parts = { ...it.parts, settings: { ...it.parts.settings, reach } };
    const engine = createEngine(parts);
    const offer = await offered(it);
    const link = (await openPageForApp(parts, 'default', offer))?.page.split('#')[1] ?? '';
    const taken = await takeStep(engine, 'default', link, { currency: 'AUD' });
    expect(taken).toMatchObject({ isOpen: false, says: expect.stringContaining('no longer offered') });
  });
});
