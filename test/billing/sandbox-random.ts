import { start } from '../sandbox/support.ts';
import { type Found, tally } from '../support/found.ts';
import { type Numbers, numbers } from '../support/numbers.ts';
import { day, hour, Model, minute, type Outcome, type Terms, type Unit } from './sandbox-model.ts';
import { BillingBench } from './sandbox-support.ts';

// Random plans, overrides, declines and steps of the clock, done to the sandbox and to the model: state, every payment, counts
// and sums must be the same after every step.

const shoppers = ['shopper_ada', 'shopper_bo', 'shopper_cleo'] as const;
const units: readonly Unit[] = ['D', 'W', 'M', 'Y'];
const outcomes: readonly Outcome[] = ['paid', 'paid', 'paid', 'declined', 'declined', 'doNotRetry', 'error'];
/** Nothing is looked at after these years. */
const years = 3;
const horizon = start + years * 366 * day;

/** Lives so many lives of subscriptions. A finding is a difference to the model. */
export async function lives(count: number, seed: number): Promise<Found> {
  const { count: counted, find, found } = tally();
  for (let run = 0; run < count; run++) {
    const difference = await life(numbers(seed + run), counted);
    if (difference !== undefined) find(`seed ${seed + run}: ${difference}`);
    counted('lives');
  }
  return found();
}

/** One subscription, from its plan to wherever the clock gets; answers the first difference. */
export async function life(random: Numbers, counted: (what: string) => void = () => undefined) {
  const bench = new BillingBench();
  try {
    return await live(bench, random, counted);
  } finally {
    bench.sandbox.close();
  }
}

async function live(
  bench: BillingBench,
  random: Numbers,
  counted: (what: string) => void,
): Promise<string | undefined> {
  const who = random.of(shoppers);
  const charges = Array.from({ length: 1 + random(12) }, () => random.of(outcomes));
  const verifies = random(8) > 0;
  await bench.card(who, { charges, verifies });
  const plan = termsAt(random);
  const own = random(2) === 0 ? {} : overridesAt(random);
  const terms: Terms = { ...plan, ...own };
  const begins = startAt(random);
  const steps: string[] = [`${JSON.stringify({ terms, charges, verifies })} from ${new Date(begins).toISOString()}`];
  const planId = await bench.plan(written(plan));
  const id = await bench.subscription(planId, {
    who,
    startDate: new Date(begins).toISOString().replace('.000', ''),
    ...(Object.keys(own).length === 0 ? {} : { own: written(own) }),
  });
  const model = new Model(terms, begins, start, horizon, charges, verifies);
  let now = start;
  for (let step = random(14); ; step--) {
    const difference = await compared(bench, id, model);
    if (difference !== undefined) return `${steps.join('; ')}: ${difference}`;
    counted(`ends ${model.state}`);
    if (step <= 0) return undefined;
    const [name, expected, told] = await act(bench, id, model, random, now);
    now = told.now;
    counted(name);
    steps.push(`${name} at ${new Date(now).toISOString()}`);
    if (told.ok !== expected)
      return `${steps.join('; ')}: the sandbox ${told.ok ? 'does' : 'refuses'} it, the model not`;
  }
}

interface Did {
  readonly ok: boolean;
  readonly now: number;
}

/** Does one thing to both; answers what, whether the model did it, and whether the sandbox did. */
async function act(
  bench: BillingBench,
  id: string,
  model: Model,
  random: Numbers,
  now: number,
): Promise<[string, boolean, Did]> {
  const did = async (call: Promise<{ readonly status: number }>): Promise<Did> => ({
    ok: (await call).status < 300,
    now,
  });
  const choice = random(12);
  if (choice < 7) {
    const to = Math.min(now + stepAt(random), horizon - 60 * day);
    await bench.to(Math.max(now, to));
    model.advance(Math.max(now, to));
    return ['clock', true, { ok: true, now: Math.max(now, to) }];
  }
  if (choice === 7) return ['suspend', model.suspend(), await did(bench.act(id, 'suspend'))];
  if (choice === 8) return ['cancel', model.cancel(now), await did(bench.act(id, 'cancel'))];
  if (choice < 11) {
    const collects = random(2) === 0;
    const query = collects ? '' : '?processMissedPayments=false';
    return ['reactivate', model.reactivate(now, collects), await did(bench.act(id, 'activate', query))];
  }
  const cycles = [...new Set(Array.from({ length: random(4) }, () => 1 + model.payments.length + random(5)))];
  return ['skip', model.passOver(cycles, now), await did(bench.passOver(id, cycles))];
}

interface Listed {
  readonly billingCycle: string;
  readonly paymentType: string;
  readonly status: string;
  readonly date: string;
  readonly billingAmount: string;
  readonly setupFee?: string;
  readonly surchargeAmount?: string;
}

/** The first difference between the sandbox and the model. */
async function compared(bench: BillingBench, id: string, model: Model): Promise<string | undefined> {
  const payments: Listed[] = [];
  let paid = 0;
  for (let offset = 0; ; offset += 100) {
    const { body } = await bench.call(
      'GET',
      `/rbs/v1/subscriptions/${id}/payments?offset=${offset}&limit=100&scheduledPaymentsCount=0`,
    );
    payments.push(...body.subscriptionPayment);
    paid = body.cyclesCompletedCount.paid;
    if (body.subscriptionPayment.length < 100) break;
  }
  const over = payments.filter(({ status }) => !status.startsWith('SCHEDULED')).toReversed();
  const seen = {
    state: await bench.state(id),
    paid,
    sum: over.filter(({ status }) => status === 'PAID').reduce((sum, one) => sum + sumOf(one), 0),
    payments: over.map((it) =>
      line(Number(it.billingCycle), it.paymentType, it.status, Date.parse(it.date), sumOf(it)),
    ),
  };
  const foretold = {
    state: model.state,
    paid: model.paid,
    sum: model.sum,
    payments: model.payments.map((it) => line(it.cycle, it.type, it.status, it.at, it.sum)),
  };
  return JSON.stringify(seen) === JSON.stringify(foretold)
    ? undefined
    : `the sandbox has ${JSON.stringify(seen)}, the model ${JSON.stringify(foretold)}`;
}

const line = (cycle: number, type: string, status: string, at: number, sum: number): string =>
  `${cycle} ${type} ${status} ${new Date(at).toISOString()} ${status === 'SKIPPED' ? '' : sum}`;

const cents = (text: string | undefined): number => Math.round(Number(text ?? '0') * 100);
const sumOf = (it: Listed): number => cents(it.billingAmount) + cents(it.setupFee) + cents(it.surchargeAmount);

const money = (minor: number): string => `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;

const mostOf: { readonly [U in Unit]: number } = { D: 90, W: 52, M: 12, Y: 1 };

function termsAt(random: Numbers): Terms {
  const unit = random.of(units);
  return {
    unit,
    every: unit === 'D' ? random.of([1, 2, 7, 30, 90]) : 1 + random(mostOf[unit]),
    total: random(3) === 0 ? undefined : 1 + random(8),
    amount: priceAt(random),
    setupFee: random(2) === 0 ? 0 : 1 + random(5_000),
    surcharge: 0,
  };
}

/** Not one of the endings that decide what becomes of a charge. */
function priceAt(random: Numbers): number {
  const price = 1 + random(100_000);
  return [51, 52].includes(price % 100) ? price + 2 : price;
}

const overridesAt = (random: Numbers): Partial<Terms> => ({
  ...(random(2) === 0 ? { amount: priceAt(random) } : {}),
  ...(random(3) === 0 ? { setupFee: 1 + random(2_000) } : {}),
  ...(random(3) === 0 ? { surcharge: 1 + random(300) } : {}),
  ...(random(3) === 0 ? { total: 1 + random(5) } : {}),
});

const written = ({ every, unit, total, amount, setupFee, surcharge }: Partial<Terms>) => ({
  ...(every === undefined ? {} : { every: String(every) }),
  ...(unit === undefined ? {} : { unit }),
  ...(total === undefined ? {} : { total: String(total) }),
  ...(amount === undefined ? {} : { amount: money(amount), currency: 'GBP' }),
  ...(setupFee === undefined || setupFee === 0 ? {} : { setupFee: money(setupFee) }),
  ...(surcharge === undefined || surcharge === 0 ? {} : { surcharge: money(surcharge) }),
});

/** A beginning: today before or after now, a month's last days, or any day of the next months, at any minute. */
function startAt(random: Numbers): number {
  const today = start - (start % day) + random(24 * 60) * minute;
  if (random(4) === 0) return today;
  if (random(3) === 0) return Date.UTC(2026, random(12) + 1, 0, random(24), random(60));
  return today + (1 + random(120)) * day;
}

/** A step of the clock, from one that changes little to half a year. */
const stepAt = (random: Numbers): number =>
  random.of([minute, 10 * minute, hour, 2 * hour, day, 3 * day, 9 * day, 31 * day, 200 * day]) + random(3) * minute;
