import { PlatformRefusal } from '../../../src/client/errors.ts';
import type { Facts } from '../../../src/domains/facts.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type { EngineParts } from '../../../src/engine/parts.ts';
import { recover } from '../../../src/engine/recover.ts';
import { settleUnknown } from '../../../src/engine/settle-unknown.ts';
import { spendOf, standingMandate } from '../../../src/engine/spending-limits.ts';
import { policyFault, type SpendingPolicy, scopeOf } from '../../../src/engine/spending-policy.ts';
import type { SpendAmount } from '../../../src/engine/tool-policy.ts';
import type { LedgerTransaction } from '../../../src/ledger/ledger-transaction.ts';
import { agentCaller, plainSpec } from '../world/settings.ts';
import type { TestHarness } from '../world/world.ts';
import { allowed } from './concurrent-mechanisms.ts';
import { each, type Lines, type Mechanisms } from './lines.ts';
import { type Alter, asAgent, eachFrom, inWorlds, lost, plain, spoilt } from './prepared-worlds.ts';
import { start } from './thing-bodies.ts';
import { args, factsOf, platformTools, tried } from './tool-facts.ts';

// What limits and standing mandates allow, what counts against them, and what a call gives back.

const { tenant } = agentCaller;
const paid: SpendAmount = { amount: '10.00', currency: 'GBP', payee: 'Harbour Audio', instrument: 'card_one' };
const terms = (more: Partial<SpendingPolicy> = {}): SpendingPolicy => ({
  ...{ name: 'daily', tools: ['initiate_purchase'], currency: 'GBP', per: ['day'], ...more },
});
const facts = { now: start, things: {}, args: {}, merchant: {} } as unknown as Facts; // all that is asked of it
const spends = platformTools.filter(({ policy }) => policy.spend !== undefined);
const [buys] = spends;

/** What a policy says of one call. */
const oneCall: Mechanisms[string] = () => {
  if (buys === undefined) return [];
  const sent = (more: Partial<SpendAmount>) => spendOf(buys, facts, agentCaller, { ...paid, ...more });
  const given: readonly (readonly [what: string, policy: Partial<SpendingPolicy>, more?: Partial<SpendAmount>])[] = [
    ['its payee', { payees: ['Harbour Audio'] }],
    ['another payee', { payees: ['Pier Books'] }],
    ['a payee that begins like it', { payees: ['Harbour'] }],
    ['a payee that it begins like', { payees: ['Harbour Audio Two'] }],
    ['its payee in capitals', { payees: ['HARBOUR AUDIO'] }],
    ['its payee among others', { payees: ['Pier Books', 'Harbour Audio'] }],
    ['no payee', { payees: [] }],
    ['its card', { instruments: ['card_one'] }],
    ['another card', { instruments: ['card_two'] }],
    ['a card that begins like it', { instruments: ['card'] }],
    ['as much', { perCall: '10.00' }],
    ['less', { perCall: '9.99' }],
    ['another currency', { currency: 'USD' }],
    ['until then', { until: new Date(start).toISOString() }],
    ['until a millisecond later', { until: new Date(start + 1).toISOString() }],
  ];
  return given.map(([what, policy, more = {}]) => [
    what,
    policyFault(terms(policy), sent(more), start) ?? 'is allowed',
  ]);
};

/** What calls count against one budget, by who makes them and what they are about. */
const scopes: Mechanisms[string] = () => {
  if (buys === undefined) return [];
  const parts: readonly SpendingPolicy['per'][number][] = ['session', 'day', 'shopper', 'instruction'];
  const about = (handle: string) =>
    ({ shopper: { handle: `shopper_${handle}` }, instruction: { handle: `instruction_${handle}` } }) as Facts['things'];
  const calls: readonly (readonly [
    what: string,
    of: Partial<Facts>,
    session?: string | undefined,
    principal?: string,
  ])[] = [
    ['a call', {}],
    ['of a session', {}, 'one'],
    ['of another session', {}, 'two'],
    ['of another agent', {}, undefined, 'other'],
    ['of another agent in the session', {}, 'one', 'other'],
    ['a day later', { now: start + 86_400_000 }],
    ['for a shopper', { things: about('ada') }],
    ['for another shopper', { things: about('bo') }],
  ];
  return parts.flatMap((part) => {
    const scoped = calls.map(([what, of, session, principal = 'agent']) => {
      const caller = { ...agentCaller, principal, ...(session === undefined ? {} : { session }) };
      return [what, scopeOf(terms({ per: [part] }), spendOf(buys, { ...facts, ...of }, caller, paid))] as const;
    });
    return [...Map.groupBy(scoped, ([, scope]) => scope).values()].map(
      (all) => [`per ${part}: ${all.map(([what]) => what).join(', ')}`, 'count together'] as const,
    );
  });
};

/** The tools that a standing mandate covers. */
const covered: Mechanisms[string] = () => {
  const budgets = { load: async () => undefined, used: async () => ({ minor: 0, times: 0 }) };
  const tx = { budgets } as unknown as LedgerTransaction; // all that is asked of it
  return each(spends, async (tool) => {
    const settings = {
      mandates: [terms({ tools: [tool.name], perCall: '100.00' })],
    } as unknown as EngineParts['settings']; // as above
    const spend = { ...spendOf(buys ?? tool, facts, agentCaller, paid) };
    const mandate = await standingMandate(tx, settings, tool, spend, start);
    return [tool.name, mandate?.name ?? 'is not covered'];
  });
};

/** What is counted of a thing that was counted before: in its currency, in another one, and where it is approved anew. */
const countedBefore: Mechanisms[string] = () =>
  spends.map((tool) => {
    const known = factsOf('all', args);
    const inDollars = Object.fromEntries(
      Object.entries(known.things).map(([kind, it]) => [kind, { ...it, body: { ...it.body, currency: 'USD' } }]),
    ) as Facts['things'];
    const of = (given: Facts) =>
      tried(() => {
        const spend = tool.policy.spend?.(given);
        return typeof spend === 'object'
          ? `${spend.amount} ${spend.currency}, ${spend.counted ?? 'nothing'} counted`
          : spend;
      }) ?? 'nothing';
    const adds = (isAnew: boolean) =>
      tried(() => spendOf(tool, known, agentCaller, { ...paid, counted: '4.00', isAnew }).adds) ?? 'not known';
    return [tool.name, [of(known), of({ ...known, things: inDollars }), adds(false), adds(true)]];
  });

const limited: Alter = (parts) => ({
  ...parts,
  settings: {
    ...parts.settings,
    limits: [terms({ tools: ['authorize_payment', 'initiate_purchase'], perCall: '40', total: '100', count: 3 })],
  },
});

interface Shown {
  readonly per_call?: string;
  readonly total?: string;
  readonly left?: string;
  readonly calls_left?: number;
}

/** How a limit is shown after a call, and what is left of it, by how the call ended. */
const leftAfter = (harness: TestHarness): Promise<Lines> => {
  const payment = { card: 'card_ada', reference: 'order-1', price: { amount: '10.00', currency: 'GBP' } };
  const person = { tenant, approver: 'pat', channel: 'cli' } as const;
  const refused = (status: number) => new PlatformRefusal({ status, reason: 'INVALID_DATA' });
  const pay = (engine: Engine) => allowed(engine, 'authorize_payment', payment);
  const settled = (happened: boolean) => async (engine: Engine, passes: (seconds: number) => void) => {
    const { operation = '' } = await pay(engine);
    passes(3_600);
    await recover(engine.parts);
    await settleUnknown(engine.parts, operation, { happened, note: 'It was looked up.' }, person);
  };
  const ends: readonly (readonly [
    what: string,
    error: Error | undefined,
    work: (engine: Engine, passes: (seconds: number) => void) => Promise<unknown>,
  ])[] = [
    ['no call', undefined, async () => undefined],
    ['waiting for a person', undefined, (engine) => asAgent(engine, 'authorize_payment', payment)],
    ['done', undefined, pay],
    ['done, and made again', undefined, async (engine) => [await pay(engine), await pay(engine)]],
    ['refused by the platform', refused(400), pay],
    ['not reached', refused(503), pay],
    ['without an answer', lost, pay],
    ['without an answer, and it happened', lost, settled(true)],
    ['without an answer, and it did not happen', lost, settled(false)],
  ];
  return eachFrom(
    harness,
    plainSpec,
    (again) => again(plain, async () => undefined),
    async (again) => {
      const lines: [string, unknown][] = [];
      for (const [what, error, work] of ends) {
        const alter: Alter = (parts) => limited(spoilt('authorizePayment', () => error)(parts));
        lines.push([
          what,
          await again(alter, async (engine, passes) => {
            await work(engine, passes);
            const { data } = await asAgent(engine, 'get_limits', {});
            const shown = (data?.limits ?? []) as readonly Shown[];
            return shown.map(
              ({ per_call: perCall, total, left, calls_left: callsLeft }) =>
                `${perCall} each, ${left} of ${total}, ${callsLeft} calls`,
            );
          }),
        ]);
      }
      return lines;
    },
  );
};

export const limitMechanisms: Mechanisms = {
  ...inWorlds({ 'what is left of a limit, by how a call ended': leftAfter }),
  'what a policy says of one call': oneCall,
  'calls that count against one budget': scopes,
  'tools that a standing mandate covers': covered,
  'what is counted of a thing that was counted before': countedBefore,
};
