import { type Fleet, judge, type Replica, type Said, type Verdict } from './fleet.ts';
import { card, change, order, payment, plan, receipt, subscription } from './orders.ts';
import { paid, paymentKinds } from './payment-races.ts';
import {
  approvalOf,
  approved,
  asks,
  type Count,
  done,
  expectDone,
  expectOk,
  held,
  joined,
  refusedBy,
  within,
} from './race-outcomes.ts';

// Races: every replica is told the same thing, or one of several that exclude each other, at the same moment.

/** What came of the races of one kind. */
export interface Tally {
  readonly race: string;
  races: number;
  /** Races that nobody won. */
  unwon: number;
  /** Races that more than one replica won. */
  doubled: number;
  /** Answers that are neither a win nor one of the ways to lose. */
  odd: number;
  /** What was done besides, as it may be: a release before the purchase was cancelled, a change that changes nothing more. */
  besides: number;
}

export interface Raced {
  readonly tallies: readonly Tally[];
  readonly verdict: Verdict;
  /** Examples of odd answers. */
  readonly oddities: readonly string[];
}

const kinds = {
  initiate: 'initiate with one approval',
  release: 'release credentials, one for an approval',
  confirm: 'confirm',
  reference: 'one reference, three purchases',
  budget: 'a budget for one of three',
  decide: 'approve and deny at once',
  change: 'update a purchase with one approval',
  cancel: 'cancel against release',
  code: 'one plan code, three plans',
  subscribe: 'create a subscription with one approval',
  follow: 'create a follow-on subscription with one approval',
  amend: 'amend a plan with one approval',
  reprice: 'update a subscription with one approval',
  reactivate: 'reactivate a subscription with one approval',
  ...paymentKinds,
} as const;
type Kind = keyof typeof kinds;

/** So long after a payment, in seconds, a subscription may be suspended. */
const paymentSeconds = 660;

/** Runs so many races of each kind, some purchases and subscriptions side by side. */
export async function race(fleet: Fleet, races: number, lanes = 3): Promise<Raced> {
  const tallies = new Map<string, Tally>();
  const oddities: string[] = [];
  const count: Count = (kind, said, won, lost) => {
    const tally = tallies.get(kind) ?? {
      race: kinds[kind as Kind],
      races: 0,
      unwon: 0,
      doubled: 0,
      odd: 0,
      besides: 0,
    };
    tallies.set(kind, tally);
    const winners = said.filter(won);
    const odd = said.filter((it) => !won(it) && !lost(it));
    tally.races++;
    tally.unwon += winners.length === 0 ? 1 : 0;
    tally.doubled += winners.length > 1 ? 1 : 0;
    tally.odd += odd.length;
    tally.besides += said.filter((it) => done(it) && !won(it)).length;
    for (const it of odd) oddities.push(`${kind}: ${JSON.stringify(it).slice(0, 300)}`);
    return winners[0];
  };
  const [first] = fleet.replicas;
  if (first === undefined) throw new Error('A fleet has replicas.');
  await expectDone(first.call('enroll_card', { card }));
  await inLanes(races, lanes, async (index) => {
    await purchase(fleet, index, count);
    await cancelled(fleet, index, count);
  });
  await inLanes(races, lanes, (index) => paid(fleet, index, count));
  const earlier = await expectDone(first.call('get_follow_on', { payment: 'earlier-payment-0001' }));
  const made: string[] = [];
  await inLanes(races, lanes, async (index) => {
    made[index] = await subscribed(fleet, index, earlier.follow_on, count);
  });
  fleet.pass(paymentSeconds);
  await inLanes(races, lanes, (index) => changed(fleet, index, made[index] ?? '', count));
  return { tallies: [...tallies.values()], verdict: await judge(fleet), oddities: oddities.slice(0, 5) };
}

/** Does something for each number below a count, some side by side. */
async function inLanes(count: number, lanes: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < count; index = next++) await work(index);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** The purchases of races differ in their amount: a person would be asked about nearly the same one. */
const amountOf = (base: number, index: number): string => (base + index / 100).toFixed(2);

/** One race of each kind about a purchase; those about one purchase follow each other. */
async function purchase(fleet: Fleet, index: number, count: Count): Promise<void> {
  const { all, one } = within(fleet, index);

  const contested = await one.call('initiate_purchase', order(`decide-${index}`));
  const verdicts = ['approve', 'deny', index % 2 === 0 ? 'approve' : 'deny'] as const;
  const decided = await all((it, at) =>
    it.ask({ does: 'decide', approval: approvalOf(contested), verdict: verdicts[at % 3] ?? 'deny' }),
  );
  // A no counts once, whether it came first or withdrew a yes; a yes counts at most once, and never after a no.
  const yes = decided.filter((it) => it.kind === 'said' && it.value.state === 'APPROVED').length;
  count('decide', decided, saidNo, (it) => it.kind === 'said' && !saidNo(it) && (it.value.ok === false || yes === 1));

  const bought = order(`order-${index}`);
  const { instruction } = await approved(fleet, index, 'initiate', count, 'initiate_purchase', bought);
  await approved(fleet, index, 'change', count, 'update_purchase', change(instruction));

  const releases = await all((it, at) => it.call('retrieve_credentials', payment(instruction, `pay-${index}-${at}`)));
  count('release', releases, done, held);

  await expectOk(one.ask({ does: 'receipt', receipt: receipt(instruction) }));
  count(
    'confirm',
    await all((it) => it.call('confirm_transaction', { instruction })),
    done,
    (it) => joined(it) || held(it),
  );

  const same = await all((it, at) =>
    it.call('initiate_purchase', order(`same-${index}`, amountOf(200 + 60 * at, index), 'EUR')),
  );
  count('reference', same, done, refusedBy('CONFLICT'));

  const session = `session-${index}`;
  const budgeted = await all((it, at) =>
    it.call('initiate_purchase', order(`budget-${index}-${at}`, amountOf(60, index), 'USD'), { session }),
  );
  count('budget', budgeted, done, asks);
}

/** Two cancel a purchase while one releases credentials for it. */
async function cancelled(fleet: Fleet, index: number, count: Count): Promise<void> {
  const { all, one } = within(fleet, index);
  const bought = await expectDone(one.call('initiate_purchase', order(`cancel-${index}`, amountOf(100, index), 'EUR')));
  const { instruction } = bought;
  const pay = { ...payment(instruction, `cancelled-${index}`), currency: 'EUR' };
  const cancel = (it: Replica) => it.call('cancel_purchase', { instruction });
  const first = await all((it, at) => (at === index % 3 ? it.call('retrieve_credentials', pay) : cancel(it)));
  // Where the release was first, it kept both out.
  const said = first.some((it) => done(it) && !isRelease(it)) ? first : [...first, await cancel(one)];
  count(
    'cancel',
    said,
    (it) => done(it) && !isRelease(it),
    (it) => joined(it) || held(it) || (done(it) && isRelease(it)),
  );
}

const isRelease = (it: Said): boolean => it.kind === 'said' && it.value.data?.credentials !== undefined;

/** Races about a plan and what is sold by it. Answers a subscription that was charged today. */
async function subscribed(fleet: Fleet, index: number, followOn: string, count: Count): Promise<string> {
  const { all, one } = within(fleet, index);
  const coded = await all((it, at) => it.call('create_plan', { ...plan(`Plan ${index}-${at}`), code: `C${index}` }));
  count('code', coded, done, (it) => refusedBy('DECLINED')(it) || refusedBy('CONFLICT')(it));

  const made = await expectDone(one.call('create_plan', plan(`Plan ${index}`)));
  const asked = (reference: string) => subscription(reference, made.plan);
  const begun = await approved(fleet, index, 'subscribe', count, 'create_subscription', {
    ...asked(`subscription-${index}`),
    card,
  });
  await approved(fleet, index, 'follow', count, 'create_follow_on_subscription', {
    ...asked(`follow-on-${index}`),
    follow_on: followOn,
  });
  await approved(fleet, index, 'amend', count, 'amend_plan', { plan: made.plan, apply_to: 'ALL', payments: 8 });
  return begun.subscription;
}

/** Races about what a subscription charges from now on. */
async function changed(fleet: Fleet, index: number, made: string, count: Count): Promise<void> {
  const { one } = within(fleet, index);
  await approved(fleet, index, 'reprice', count, 'update_subscription', { subscription: made, amount: '9.00' });
  await expectDone(one.call('suspend_subscription', { subscription: made }));
  await approved(fleet, index, 'reactivate', count, 'reactivate_subscription', {
    subscription: made,
    collect_missed: false,
  });
}

const saidNo = (it: Said): boolean => it.kind === 'said' && it.value.state === 'DENIED';
