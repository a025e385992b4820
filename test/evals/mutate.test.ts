import { beforeAll, describe, expect, it } from 'vitest';
import { presentRules } from '../../evals/harness/coverage/coverage.ts';
import { criticalRules } from '../../evals/harness/mutation/critical-rules.ts';
import { everyMutant } from '../../evals/harness/mutation/mutants.ts';
import { mutate, survivorsOf } from '../../evals/harness/mutation/mutate.ts';
import { mutationGate } from '../../evals/harness/reports/gates.ts';
import type { Loaded } from '../../evals/harness/scenario/load.ts';
import { rules } from '../../src/core/rules.ts';
import { guards } from '../../src/domains/index.ts';
import { everyScenario, stageOfFile } from './support.ts';

/** Rules in code that no port or setting reaches. Source mutants (`npm run mutants`, Stryker) cover them. */
const unmutatedRules: readonly string[] = ['EN-05', 'EN-08', 'EN-09', 'EN-10'];

const stage = stageOfFile();
let loaded: readonly Loaded[] = [];
beforeAll(async () => {
  loaded = await everyScenario();
});

const about = (...ids: readonly string[]) =>
  loaded.filter(({ scenario }) => ids.some((id) => scenario.rules.includes(id)));

describe('a mutant', () => {
  it('is noticed by the scenarios of its rule', async () => {
    const fates = await mutate(about('AP-12', 'EN-13', 'EN-15'), stage(), { of: ['AP-12', 'EN-13', 'EN-15'] });
    expect(survivorsOf(fates)).toEqual([]);
    expect(fates.map(({ rule, how }) => `${rule} ${how}`)).toEqual(
      expect.arrayContaining(['AP-12 drop', 'AP-12 negate', 'EN-13 drop', 'EN-15 drop', 'EN-15 negate']),
    );
  });

  it('of a bound is off by one in the currency of the payment, where the call names none', async () => {
    const fates = await mutate(about('DC-10'), stage(), { of: ['DC-10'] });
    expect(survivorsOf(fates)).toEqual([]);
    const bounds = fates
      .filter(({ how }) => how.startsWith('boundary'))
      .map(({ id }) => id.replace(/guard \d+ on /, ''));
    expect(bounds).toEqual([1, -1].map((by) => `DC-10/refundCapture (amount)/boundary ${by > 0 ? '+' : ''}${by}`));
  });

  it('that ignores a state sees its thing in every state of its own machine', async () => {
    // The rule demands a state that no other machine has, so a mutant that looks at another's would refuse everything.
    const fates = await mutate(about('DC-04'), stage(), { of: ['DC-04/guard'] });
    const [fate] = fates.filter(({ id }) => id.endsWith('(offer)/ignore state')).slice(-1);
    expect(survivorsOf(fates)).toEqual([]);
    expect(fate?.killedBy).toMatch(/no-choice-no-conversion/);
  });

  it('survives where no scenario looks, and fails the gate by its name', async () => {
    const served = about('AP-12').filter(({ scenario }) => scenario.twin === undefined);
    const fates = await mutate(served, stage(), { of: ['AP-12'] });
    expect(survivorsOf(fates).map(({ how }) => how)).toEqual(['drop']);
    expect(mutationGate(fates)).toMatchObject({ met: false, says: expect.stringContaining('AP-12/guard') });
  });
});

describe('a sample of the mutants', () => {
  it('is about the share that is asked for, another one by each seed, and the same one by the same', async () => {
    const drawn = async (seed: number, oneIn: number) =>
      (await mutate([], stage(), { sample: { seed, oneIn } })).map(({ id }) => id);
    const [all, third, other] = [await drawn(1, 1), await drawn(1, 3), await drawn(2, 3)];
    expect(all).toEqual((await mutate([], stage())).map(({ id }) => id));
    for (const some of [third, other]) {
      expect(Math.abs(some.length / all.length - 1 / 3)).toBeLessThan(0.1);
      expect(some.filter((id) => !all.includes(id))).toEqual([]);
    }
    expect(other).not.toEqual(third);
    expect(await drawn(1, 3)).toEqual(third);
  });
});

describe('a rule that may not be wrong', () => {
  it('is every one that stands before a change of what is paid, charged or asked for, in each domain', () => {
    const engine = ['02', '03', '04', '06', '07', '09', '11', '13', '14', '15'].map((number) => `EN-${number}`);
    const purchase = ['03', '04', '05', '06', '07', '08', '09', '10', '11', '12'].map((number) => `AP-${number}`);
    const plans = ['02', '03', '05', '06', '07', '09', '10'].map((number) => `PL-${number}`);
    const subscriptions = ['01', '02', '06', '09', '10', '11', '12', '14'].map((number) => `SB-${number}`);
    const invoices = ['02', '05', '06', '07', '09', '10', '12', '14', '15', '16'].map((number) => `IN-${number}`);
    const conversion = ['03', '04', '05', '06', '07', '08', '09', '10', '11', '12', '13'].map(
      (number) => `DC-${number}`,
    );
    const passkey = ['01', '03', '04', '05', '06', '07', '08', '09', '13'].map((number) => `PK-${number}`);
    const reports = ['01', '02', '03', '04', '05', '06', '12'].map((number) => `RP-${number}`);
    const device = Array.from({ length: 13 }, (_, at) => `DV-${String(at + 1).padStart(2, '0')}`);
    const billing = [...invoices, ...passkey, ...plans, ...reports, ...subscriptions];
    expect(criticalRules.toSorted()).toEqual([...purchase, ...conversion, ...device, ...engine, ...billing]);
  });

  it.each([
    'PL-05/guard 18 on amendPlan (plan)/drop',
    'SB-11/cancel_subscription/negate',
    'IN-10/cancel_invoice/negate',
  ])('fails the gate where it survives: %s', (id) => {
    const fate = { id, rule: id.slice(0, 5), how: 'drop', runs: 3 };
    expect(mutationGate([fate])).toEqual({ name: 'mutants', met: false, says: `Survived: ${id}.` });
    expect(mutationGate([{ ...fate, killedBy: 'a' }]).met).toBe(true);
  });
});

describe('the mutants', () => {
  // `npm run eval` plays them all, and CI a third each day: these are the ones that it must not lose.
  it.each(['EN-11/limits', 'EN-04/mandates'])('are there for every term that the operator sets in %s', (list) => {
    const ids = everyMutant(new Map()).map(({ id }) => id);
    const terms = ['perCall', 'total', 'count', 'payees', 'instruments', 'until', 'currency', 'tools'];
    const scopes = ['per day', 'per shopper', 'per instruction'];
    expect([...terms, ...scopes].filter((term) => !ids.some((id) => id.startsWith(`${list} ${term}/`)))).toEqual([]);
  });

  it('have names of their own, and are there for every guard and every rule that a port reaches', () => {
    const all = everyMutant(new Map());
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all.filter(({ id, kind: how }) => id.includes('guard') && how === 'drop')).toHaveLength(guards.length);
    const mutated = new Set(all.map(({ rule }) => rule));
    // Data that the platform alone looks at, shapes that one level switches together, and a mapping (test/passkey/iframe.test.ts).
    const elsewhere = [
      'AP-02',
      'PL-01',
      'PL-08',
      'PL-12',
      'SB-03',
      'IN-02',
      'IN-03',
      'IN-04',
      'DC-02',
      'PK-12',
      'RP-07',
      'RP-11',
      'KY-01', // the shape of a call that an operator's command makes
    ];
    const missing = presentRules.filter(
      (id) => !mutated.has(id) && !unmutatedRules.includes(id) && !elsewhere.includes(id),
    );
    expect(missing.filter((id) => rules[id].by !== 'P')).toEqual([]);
    expect(criticalRules.filter((id) => !mutated.has(id))).toEqual([]);
  });
});
