import fc from 'fast-check';
import { expect, it } from 'vitest';
import { wordOfUnit } from '../../src/core/schedule.ts';
import type { Model, Plan, Subscription } from '../engine/model.ts';
import {
  both,
  type Command,
  command,
  consent,
  type Domain,
  nothing,
  often,
  pick,
  play,
  pounds,
  type Real,
  wanted,
} from '../engine/modelled.ts';
import { agent, begins, type Said } from '../engine/support.ts';
import { amend, cancel, create, later, ownTerms, reactivate, suspend, update } from './wanted.ts';

// Random calls of the money tools of billing, people, faults, crashes and time against an engine and a sandbox in memory.

const index = fc.nat(20);
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined, freq: 2 });
const amount = fc.constantFrom(300, 700, 1_500);
const total = fc.constantFrom(2, 5, 9);

const momentOf = (seconds: number): string => new Date(begins + seconds * 1_000).toISOString();
const sumOf = (pence: number | undefined) => (pence === undefined ? undefined : pounds(pence));
/** Members that are undefined are not given. */
const given = (args: object): object => JSON.parse(JSON.stringify(args));

const known = ({ subscriptions }: Model): readonly Subscription[] =>
  subscriptions.filter(({ handle }) => handle !== '');

/** A command on a subscription that Purser knows: mostly one in a certain state, where one is named. */
const onOne = (
  says: string,
  at: number,
  run: (it: Model, real: Real, made: Subscription) => Promise<unknown>,
  state?: Subscription['state'],
): Command =>
  command(`${says}, of ${at}`, async (it, real) => {
    const wanted = known(it).filter((made) => made.state === state);
    const made = pick(at % 3 === 0 || wanted.length === 0 ? known(it) : wanted, at);
    return made === undefined ? nothing : run(it, real, made);
  });

let followOn = '';

const commands: readonly fc.Arbitrary<Command>[] = [
  ...often(
    3,
    fc
      .tuple(fc.nat(7), fc.boolean(), maybe(fc.nat(1)), maybe(amount), maybe(total), fc.boolean())
      .map(([number, follows, at, price, payments, isToday]) =>
        command(`create(${number}, ${follows}, ${at}, ${price}, ${payments}, ${isToday})`, async (it, real) => {
          const plan = at === undefined ? undefined : pick(it.plans, at);
          const tool = follows ? 'create_follow_on_subscription' : 'create_subscription';
          const reference = `order-${number}`;
          const start = isToday ? it.seconds : later;
          const args = {
            ...(follows ? { follow_on: followOn } : { card: 'card_ada' }),
            ...{ reference, name: reference, start: momentOf(start), amount: sumOf(price), payments },
            ...(plan === undefined
              ? { every: 1, unit: 'month', currency: 'GBP', amount: pounds(price ?? ownTerms.amount) }
              : { plan: plan.handle }),
          };
          const own = { amount: price, total: payments };
          return both(it, real, () => create(it, { tool, reference, plan, own, start }), given(args));
        }),
      ),
  ),
  ...often(
    4,
    fc
      .tuple(index, maybe(fc.nat(1)), maybe(fc.nat(1)), maybe(amount), maybe(total))
      .map(([at, word, target, price, payments]) =>
        onOne(`update(${word}, ${target}, ${price}, ${payments})`, at, async (it, real, made) => {
          const plan = target === undefined ? undefined : pick(it.plans, target);
          const name =
            word === undefined && plan === undefined && price === undefined && payments === undefined ? 0 : word;
          const called = name === undefined ? undefined : `${made.reference}, ${['again', 'once more'][name]}`;
          const args = { subscription: made.handle, name: called, plan: plan?.handle, amount: sumOf(price), payments };
          const change = { name: called, plan, amount: price, total: payments };
          return both(it, real, () => update(it, made, change), given(args));
        }),
      ),
  ),
  ...often(
    2,
    index.map((at) =>
      onOne(
        'suspend',
        at,
        (it, real, made) => both(it, real, () => suspend(made), { subscription: made.handle }),
        'ACTIVE',
      ),
    ),
  ),
  ...often(
    2,
    fc
      .tuple(index, fc.boolean())
      .map(([at, collect_missed]) =>
        onOne(`reactivate(${collect_missed})`, at, (it, real, made) =>
          both(it, real, () => reactivate(made, collect_missed), { subscription: made.handle, collect_missed }),
        ),
      ),
  ),
  index.map((at) =>
    onOne('cancel', at, (it, real, made) => both(it, real, () => cancel(it, made), { subscription: made.handle })),
  ),
  ...often(
    1,
    fc.tuple(fc.nat(1), fc.constantFrom(5, 6, 8, 12), fc.boolean()).map(([at, payments, all]) =>
      command(`amend(${at}, ${payments}, ${all})`, async (it, real) => {
        const plan = pick(it.plans, at);
        if (plan === undefined) return nothing;
        const args = { plan: plan.handle, apply_to: all ? 'ALL' : 'NEW', payments };
        return both(it, real, () => amend(it, plan, payments, all), args);
      }),
    ),
  ),
  ...often(8, fc.constant(command('consent()', consent))),
  fc.constant(
    command('look()', async (it, { engine }) => {
      const said = (await engine.call('list_subscriptions', { limit: 100 }, agent)) as Said;
      expect(said.outcome).toBe('done');
      for (const made of it.subscriptions)
        made.handle = (said.data as Listed).items.find(({ name }) => name === made.name)?.subscription ?? '';
    }),
  ),
];

interface Listed {
  readonly items: readonly { readonly name: string; readonly subscription: string }[];
}

/** Two plans and an earlier payment, and one subscription of each kind. */
async function warmUp(it: Model, real: Real): Promise<void> {
  const plans = [
    { name: 'Monthly', terms: { amount: 1_000, unit: 'M', total: 5, fee: 0 } },
    { name: 'Weekly', terms: { amount: 500, unit: 'W', total: 4, fee: 200 } },
  ] as const;
  for (const { name, terms } of plans) {
    const { amount: price, unit, total: payments, fee } = terms;
    const setup = fee === 0 ? {} : { setup_fee: pounds(fee) };
    const args = {
      name,
      reference: name,
      every: 1,
      unit: wordOfUnit(unit),
      amount: pounds(price),
      currency: 'GBP',
      payments,
      ...setup,
    };
    const said = await real.engine.call('create_plan', args, agent);
    it.plans.push({ handle: (said.data as { readonly plan: string }).plan, terms } satisfies Plan);
  }
  for (const [number, isToday] of [true, true, false].entries()) {
    const plan = pick(it.plans, number);
    const start = isToday ? it.seconds : later;
    const reference = `warm-${number}`;
    const asked = { tool: 'create_subscription', reference, plan, own: {}, start } as const;
    const args = { card: 'card_ada', reference, name: reference, plan: plan?.handle, start: momentOf(start) };
    await both(it, real, () => create(it, asked), args);
    await consent(it, real);
  }
  const said = await real.engine.call('get_follow_on', { payment: 'earlier-payment-0001' }, agent);
  followOn = (said.data as { readonly follow_on: string }).follow_on;
}

const billing: Domain = {
  modelled: {
    knows: async (it, _, said) => {
      const { subscription: handle, name } = said?.data ?? {};
      for (const made of it.subscriptions) if (made.handle === '' && name === made.name) made.handle = handle;
    },
    demands: async (it, { world }) => {
      const { documents } = (await world.control('GET', 'snapshot')) as Kept;
      const of = (wanted: string) => documents.flatMap(({ kind, body }) => (kind === wanted ? [body] : []));
      const paid = of('payment').filter(({ state }) => state === 'PAID');
      const really = of('subscription').map(({ id, reference, state, name, terms }) => ({
        ...{ reference, state, name, amount: terms.amount, total: terms.total },
        charged: paid
          .filter(({ subscriptionId }) => subscriptionId === id)
          .reduce((sum, { amount: each, setupFee }) => sum + pence(each) + pence(setupFee ?? '0'), 0),
      }));
      const foretold = it.subscriptions.map(({ reference, state, name, terms, charged }) => ({
        ...{ reference, state, name, amount: pounds(terms.amount), total: terms.total ?? null, charged },
      }));
      const inOrder = (all: readonly { readonly reference: string }[]) =>
        all.toSorted((one, other) => (one.reference < other.reference ? -1 : 1));
      expect(inOrder(really)).toEqual(inOrder(foretold));
      const charged = foretold.reduce((sum, one) => sum + one.charged, 0);
      return charged <= it.spent ? [] : ['I6: nothing is charged that no limit has counted'];
    },
  },
  warmUp,
  operations: [
    ...(['createSubscription', 'createFollowOnSubscription', 'updateSubscription', 'amendPlan'] as const),
    ...(['suspendSubscription', 'reactivateSubscription', 'cancelSubscription'] as const),
  ],
  commands,
};

const pence = (sum: string): number => Math.round(Number(sum) * 100);

// biome-ignore lint/suspicious/noExplicitAny: documents of every kind
type Kept = { readonly documents: readonly { readonly kind: string; readonly body: any }[] };

it(`does what an independent model foretells of billing, in ${wanted.calls} calls`, { timeout: wanted.timeout }, () =>
  play(billing),
);
