import { money } from '../../src/core/money.ts';
import type { Caller } from '../../src/ledger/ledger.ts';
import { agent, openWorld, type Said, type World } from '../engine/support.ts';
import { type Found, tally } from '../support/found.ts';
import { numbers } from '../support/numbers.ts';

// Random flows of payments, by an agent that makes any call at any time, with customers, apps and people who say yes, no or nothing.
// The sandbox's documents are the oracle: a payment is converted only by a recorded choice for that very offer, before its rate
// expires, and no payment makes money.

const flowsPerWorld = 50;
const app: Caller = { tenant: 'default', principal: 'app', role: 'app' };
const customer: Caller = { ...agent, role: 'customer', conversation: 'page' };

/** Shop's and card's currency: no decimals, two and three, both ways. */
const pairs = [
  ['USD', 'AUD'],
  ['USD', 'JPY'],
  ['USD', 'KWD'],
  ['JPY', 'USD'],
  ['JPY', 'KWD'],
  ['KWD', 'JPY'],
  ['KWD', 'AUD'],
  ['EUR', 'GBP'],
] as const;
const processings = ['common', 'direct', 'foreign'] as const;
const decimals: { readonly [currency: string]: number } = { JPY: 0, KWD: 3 };

/** Cards of several customers, one of which is declined, all billed in one currency. */
const cards = { card_ada: '40000036', card_bo: '40000392', card_cleo_declines: '40000414' } as const;
const cardNames = ['card_ada', 'card_ada', 'card_bo', 'card_bo', 'card_cleo_declines'] as const;

/** Makes so many flows. */
export async function flows(count: number, seed: number): Promise<Found> {
  const found = tally();
  for (let done = 0; done < count; done += flowsPerWorld)
    await inOneWorld(Math.min(flowsPerWorld, count - done), seed * 1_000_003 + done, found);
  return found.found();
}

type Tally = ReturnType<typeof tally>;

async function inOneWorld(count: number, seed: number, found: Tally): Promise<void> {
  const draw = numbers(seed);
  const one = draw.of;
  const [local, billing] = one(pairs);
  const processing = one(processings);
  const merchant = { id: 'm', name: 'M', country: 'GB', url: 'https://m.example.com', processing };
  const it = await openWorld({ configure: { merchant } });
  try {
    for (const bin of Object.values(cards)) await it.control('POST', `bins/${bin}`, { currency: billing });
    await it.control('POST', 'conversion', { processing, inverted: draw(2) === 0 });
    const flow: Flow = {
      ...{ it, one, draw, found, where: `seed ${seed}`, local, billing },
      ...{ offers: [], chosen: new Set(), paid: new Set(), charges: new Map() },
    };
    for (let order = 0; order < count; order++) {
      found.count('flows');
      await play(flow, `order-${order}`);
    }
    await judge(flow);
  } finally {
    await it.running.close();
  }
}

interface Flow {
  readonly it: World;
  readonly one: <T>(all: readonly T[]) => T;
  readonly draw: (below: number) => number;
  readonly found: Tally;
  readonly where: string;
  /** The offers of this world, and those for which a choice of the card's currency is recorded. */
  readonly offers: string[];
  readonly chosen: Set<string>;
  /** The offers that were paid with while such a choice was recorded: after a declined payment a customer can think again. */
  readonly paid: Set<string>;
  /** The payments of this world, and what was made of each. */
  readonly charges: Map<string, Made>;
  readonly local: string;
  readonly billing: string;
}

/** The captures and refunds of a payment, and its price in minor units. */
interface Made {
  readonly captures: Set<string>;
  readonly refunds: Set<string>;
  readonly price: number;
}

/** One order: an offer, somebody's choice or none, time that passes, a payment, its parts, and what undoes them. */
async function play(flow: Flow, reference: string): Promise<void> {
  const { it, one, draw, offers, charges, chosen, local, billing } = flow;
  const card = one(cardNames);
  const units = 1 + draw(200_000);
  const price = { amount: amountOf(units, local), currency: local };
  const pays = one(['offer', 'offer', 'offer', 'price'] as const);
  if (pays === 'offer' || offers.length === 0) {
    const offer = String((await it.call('offer_conversion', { card, reference, price })).data?.offer);
    offers.push(offer);
    for (let turn = one([0, 1, 1, 1, 1, 2]); turn > 0; turn--)
      await choose(flow, one([offer, offer, offer, one(offers)]), one([billing, billing, billing, local]));
    const seconds = one([0, 0, 0, 0, 0, 300, 901]);
    if (seconds > 0) await it.advance(seconds);
  }
  const newest = offers.at(-1) ?? '';
  // Who has not chosen mostly pays the shop's price.
  const isLocal = pays === 'price' || (!chosen.has(newest) && draw(3) > 0);
  const by = isLocal
    ? { price, card }
    : { offer: one([newest, newest, newest, one(offers)]), ...(draw(8) === 0 ? { card: one(cardNames) } : {}) };
  const paid = await it.through('authorize_payment', { ...by, reference });
  flow.found.count(`payments: ${paid.outcome}`);
  if ('offer' in by && paid.outcome === 'done') {
    if (chosen.has(by.offer)) flow.paid.add(by.offer);
    else flow.found.find(`${flow.where}: ${by.offer} is paid with, and nobody chose that.`);
  }
  const own = paid.data?.charge;
  if (typeof own === 'string') charges.set(own, { captures: new Set(), refunds: new Set(), price: units });
  // Captures and refunds of the day go to the processor at midnight.
  if (draw(25) === 0) await it.advance(86_400);
  // Mostly its own payment; now and then one of an order before.
  const charge = typeof own === 'string' && draw(6) > 0 ? own : draw(3) === 0 ? one([...charges.keys()]) : undefined;
  if (charge === undefined) return;
  for (let turn = draw(4); turn > 0; turn--) await change(flow, charge, `${reference}-${turn}`);
}

/** Takes some of a payment, pays it back, or undoes something of it: what is possible, or anything. */
async function change({ it, one, draw, found, where, charges, local }: Flow, charge: string, reference: string) {
  const made = charges.get(charge);
  if (made === undefined) return;
  const { captures, refunds, price } = made;
  const part = draw(3) === 0 ? {} : { amount: amountOf(1 + draw(Math.ceil(price * one([0.3, 0.7, 1.1]))), local) };
  const [capture, refund] = [one([...captures]), one([...refunds])];
  const takes = ['capture_payment', { charge, ...part, reference }] as const;
  const calls = [
    ...(capture === undefined || draw(4) === 0 ? [takes, takes] : []),
    ...(capture === undefined ? [] : [['refund_capture', { capture, ...part, reference }] as const]),
    ...(capture === undefined ? [] : [['void_capture', { capture }] as const]),
    ...(refund === undefined ? [] : [['void_refund', { refund }] as const]),
    ...(capture === undefined || draw(4) === 0 ? [['reverse_payment', { charge }] as const] : []),
  ] as const;
  const [tool, args] = one(calls);
  const { outcome, data } = await it.through(tool, args);
  found.count(`${tool}: ${outcome}`);
  // What the platform would decline, Purser refuses before it asks.
  if (outcome === 'declined') found.find(`${where}: ${tool} of ${reference} was sent, and declined.`);
  if (typeof data?.capture === 'string') captures.add(data.capture);
  if (typeof data?.refund === 'string') refunds.add(data.refund);
}

/** Somebody says which currency: the agent alone, a person who confirms it, the app, or the customer. */
async function choose(
  { it, one, found, where, chosen, billing }: Flow,
  offer: string,
  currency: string,
): Promise<void> {
  const args = { offer, currency };
  const says = {
    agent: () => it.call('choose_currency', args),
    person: () => it.through('choose_currency', args),
    app: () => it.call('choose_currency', args, app),
    customer: () => it.call('choose_currency', args, customer),
  } as const satisfies { readonly [who: string]: () => Promise<Said> };
  const who = one(Object.keys(says) as (keyof typeof says)[]); // its own keys
  const { outcome } = await says[who]();
  found.count(`choices of the ${who}: ${outcome}`);
  if (outcome !== 'done') return;
  if (currency !== billing) chosen.delete(offer);
  else if (who === 'agent') found.find(`${where}: the agent alone chose ${currency} for ${offer}.`);
  else chosen.add(offer);
}

interface Stored {
  readonly id: string;
  readonly state: string;
  readonly amount: string;
  readonly currency: string;
  readonly indicator: string;
  readonly offerId: string;
  readonly chargeId: string;
  readonly captureId: string;
  readonly capturedAmount: string;
  readonly refundedAmount: string;
  readonly createdAt: number;
}

/** Holds what the platform has, and what Purser knows of it, against the choices that were recorded. */
async function judge({ it, offers, paid, found: { count, find }, where }: Flow): Promise<void> {
  const { documents } = (await it.control('GET', 'snapshot')) as { documents: { kind: string; body: Stored }[] };
  const of = (kind: string) => documents.filter((one) => one.kind === kind).map(({ body }) => body);
  const rows = await Promise.all(offers.map((handle) => it.thing(handle)));
  for (const charge of of('charge').filter(({ indicator }) => indicator === '1')) {
    count('converted payments');
    const made = rows.find(({ body }) => body.offerId === charge.offerId);
    if (made === undefined || !paid.has(made.handle))
      find(`${where}: ${charge.id} is converted, and nobody chose that.`);
    else if (charge.createdAt >= Date.parse(String(made.body.expires)))
      find(`${where}: ${charge.id} has an expired rate.`);
  }
  const used = of('charge').filter(({ indicator, state }) => indicator === '1' && state !== 'NOT_AUTHORIZED');
  if (new Set(used.map(({ offerId }) => offerId)).size < used.length) find(`${where}: one offer carries two payments.`);
  for (const charge of of('charge')) {
    const taken = of('capture').filter((one) => one.chargeId === charge.id && one.state !== 'VOIDED');
    const captured = total(taken, charge.currency);
    if (captured > minor(charge.amount, charge.currency))
      find(`${where}: ${charge.id} has more captured than authorized.`);
    if (captured !== minor(charge.capturedAmount, charge.currency))
      find(`${where}: ${charge.id} miscounts its captures.`);
    for (const capture of taken) {
      count('captures');
      const back = of('refund').filter(({ captureId, state }) => captureId === capture.id && state !== 'VOIDED');
      const refunded = total(back, capture.currency);
      if (refunded > minor(capture.amount, capture.currency))
        find(`${where}: ${capture.id} has more refunded than captured.`);
      if (refunded !== minor(capture.refundedAmount, capture.currency))
        find(`${where}: ${capture.id} miscounts its refunds.`);
    }
  }
  await agree(it, of, find, where);
}

/** What Purser believes is what the platform has, in the card's currency; and no more than the whole in the shop's. */
async function agree(
  it: World,
  of: (kind: string) => readonly Stored[],
  find: (finding: string) => void,
  where: string,
) {
  const known = async (kind: string) =>
    it.parts.ledger.transaction('default', async (tx) => (await tx.observations.list({ kind }, { limit: 1_000 })).rows);
  for (const { handle, body } of await known('charge')) {
    const text = (member: string) => String(body[member]);
    const stored = of('charge').find(({ id }) => id === body.paymentId);
    const currency = text('billingCurrency');
    if (stored === undefined || minor(text('capturedBilling'), currency) !== minor(stored.capturedAmount, currency))
      find(
        `${where}: of ${handle} Purser believes that ${text('capturedBilling')} is captured, not ${stored?.capturedAmount}.`,
      );
    if (minor(text('capturedLocal'), text('localCurrency')) > minor(text('localAmount'), text('localCurrency')))
      find(`${where}: of ${handle} more is captured than its price.`);
  }
  for (const { handle, body } of await known('capture')) {
    const stored = of('capture').find(({ id }) => id === body.captureId);
    const currency = stored?.currency ?? '';
    if (
      stored === undefined ||
      minor(String(body.refundedBilling), currency) !== minor(stored.refundedAmount, currency)
    )
      find(
        `${where}: of ${handle} Purser believes that ${body.refundedBilling} is refunded, not ${stored?.refundedAmount}.`,
      );
  }
}

const minor = (amount: string, currency: string): bigint => money(amount, currency).minor;
const total = (all: readonly Stored[], currency: string): bigint =>
  all.reduce((sum, { amount }) => sum + minor(amount, currency), 0n);

/** So many minor units as decimal text. */
function amountOf(units: number, currency: string): string {
  const places = decimals[currency] ?? 2;
  return (units / 10 ** places).toFixed(places);
}
