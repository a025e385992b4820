import { describe, expect, it } from 'vitest';
import { difference, differences } from '../../evals/harness/graders/canonical.ts';
import { defineScenario, type ScenarioInput } from '../../evals/harness/scenario/schema.ts';
import { bought, enrolled, order, playOn, stageOfFile, wrong } from './support.ts';

const stage = stageOfFile();
const graded = async (more: Partial<ScenarioInput> = {}) => wrong(await playOn(stage(), enrolled(more)));

describe('a story that is as it should be', () => {
  it('passes', async () => {
    expect(await graded()).toEqual([]);
  });
});

describe('the script', () => {
  it('that can not be played to its end is a failure, not a line in a log', async () => {
    const steps: ScenarioInput['steps'] = [
      { call: 'enroll_card', args: { card: 'card_ada' }, as: 'enrolled' },
      { call: 'enroll_card', args: { card: '$enrolled.nothing' } },
      { say: 'Done.' },
    ];
    expect(await graded({ steps })).toEqual([
      'script | steps[1] | $enrolled.nothing names nothing in what enrolled came back with.',
    ]);
  });

  it('whose actor has nothing to do is a failure', async () => {
    const steps: ScenarioInput['steps'] = [{ actor: 'approver', approves: 'apr_nothing' }];
    const [first] = await graded({ steps, expect: { changed: [] } });
    expect(first).toBe(
      'script | steps[0] | it does not work: A person approves it, but: There is no approval with this id.',
    );
  });

  it('whose actor should not have succeeded is a failure', async () => {
    const steps: ScenarioInput['steps'] = [
      ...bought.slice(0, 2),
      { actor: 'approver', approves: '$asked.approval.id', works: false },
    ];
    expect(await graded({ steps })).toEqual(['script | steps[2] | it works: A person approves it.']);
  });
});

describe('the grader of states', () => {
  it('tells the first path that is off', async () => {
    const expected = { state: { 'cards.card_ada': { status: 'PENDING', shopper: 'shopper_bo' } } };
    expect(await graded({ expect: expected })).toEqual([
      'state | cards.card_ada.shopper | cards.card_ada.shopper is "shopper_ada", and should be "shopper_bo".',
    ]);
  });

  it('takes null for what is not there', async () => {
    expect(await graded({ expect: { state: { 'instructions.any': null, 'effects.cancelPurchase': null } } })).toEqual(
      [],
    );
    expect(await graded({ expect: { state: { 'cards.card_ada': null } } })).toHaveLength(1);
  });

  it('lists what there is where a path leads nowhere', async () => {
    const [nobody, lost, whole] = await graded({
      expect: { state: { 'cards.card_adda.status': 'ACTIVE', 'cards.card_ada.status.code': '1', 'emails.failure': 1 } },
    });
    expect(nobody).toMatch(
      /^state \| cards\.card_adda\.status \| .* cards has no card_adda; it has card_ada, card_bo, /,
    );
    expect(lost).toContain('and should be "1".');
    expect(whole).toContain('emails has no failure; it has nothing.');
  });

  it('fails a path that could never lead anywhere, also where nothing is expected there', async () => {
    const state = { 'cards.card_ada.stat': null, 'effects.cancelPurchse': null };
    const [field, operation, ...more] = await graded({ expect: { state } });
    expect([field, more]).toEqual([expect.stringContaining('it has status, shopper.'), []]);
    expect(operation).toContain('cancelPurchase');
  });

  it('takes a number and the same number in other words for equal, and no id for another', () => {
    expect(difference({ amount: '25', limit: 25 }, { amount: '25.0', limit: '25.00' })).toBeUndefined();
    expect(difference('0025', '25')).toEqual({ path: '', expected: '0025', found: '25' });
    expect(difference('25', '25.01')).toBeDefined();
    expect(difference(0, '-0')).toBeUndefined();
    expect(difference('1e3', '1000')).toBeDefined();
  });

  it('tells every place that differs, for the report', () => {
    expect(differences({ a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 }, d: 4 }, 'it')).toEqual([
      { path: 'it.a.c', before: 2, after: 3 },
      { path: 'it.d', before: null, after: 4 },
    ]);
  });

  it('lets a read pass that nobody asked for', async () => {
    const steps: ScenarioInput['steps'] = [
      { call: 'list_cards', args: { shopper: 'shopper_ada' } },
      { call: 'enroll_card', args: { card: 'card_ada' } },
      { call: 'list_operations' },
    ];
    expect(await graded({ steps, expect: { changed: ['cards'], calls: ['enroll_card'] } })).toEqual([]);
  });

  it('lets no write pass that nobody asked for', async () => {
    const steps: ScenarioInput['steps'] = [
      { call: 'enroll_card', args: { card: 'card_ada' } },
      { call: 'enroll_card', args: { card: 'card_cleo' } },
    ];
    const expected = { changed: [], state: { 'cards.card_ada.status': 'ACTIVE' } };
    expect(await graded({ steps, expect: expected })).toEqual([
      'state | cards.card_ada.status | cards.card_ada.status was "none" and is "ACTIVE"; it must not change.',
    ]);
  });

  it('says that what should differ does not', async () => {
    expect(await graded({ expect: { changed: ['cards', 'receipts'] } })).toEqual([
      'state | receipts | receipts should differ, and nothing of it does.',
    ]);
  });
});

describe('the grader of answers', () => {
  it('tells a refusal by the id of its rule, not by its words', async () => {
    const steps: ScenarioInput['steps'] = [
      { call: 'initiate_purchase', args: order(), expect: { refused: 'AP-08' } },
      {
        call: 'initiate_purchase',
        args: order(),
        expect: { refused: 'AP-04', outcome: 'declined', code: 'CONFLICT', leads: ['get_limits'] },
      },
    ];
    expect(await graded({ steps, expect: {} })).toEqual([
      'refused | steps[0] initiate_purchase | AP-08 should refuse it; it was refused by AP-04 (RULE).',
      'calls | steps[1] initiate_purchase | it should be declined; it was refused by AP-04 (RULE).',
      'calls | steps[1] initiate_purchase | its code should be CONFLICT; it was refused by AP-04 (RULE).',
      'calls | steps[1] initiate_purchase | get_limits should lead on from it, and only enroll_card, list_cards does.',
    ]);
  });

  it('does not take for refused what was done', async () => {
    const steps: ScenarioInput['steps'] = [
      { call: 'enroll_card', args: { card: 'card_ada' }, expect: { refused: 'AP-04' } },
    ];
    expect(await graded({ steps, expect: {} })).toEqual([
      'refused | steps[0] enroll_card | AP-04 should refuse it; it was done.',
    ]);
  });

  it('looks at the data of an answer', async () => {
    const steps: ScenarioInput['steps'] = [
      {
        call: 'enroll_card',
        args: { card: 'card_ada' },
        expect: { data: { state: 'PENDING' }, omits: ['1111'], replayed: true },
      },
    ];
    expect(await graded({ steps, expect: {} })).toEqual([
      'calls | steps[0] enroll_card | it is not the first result once more.',
      'calls | steps[0] enroll_card | "1111" stands in the answer, and should not.',
      'state | steps[0] enroll_card, state | state is "ACTIVE", and should be "PENDING".',
    ]);
  });
});

describe('the grader of calls', () => {
  it('takes an empty list for none, not for any', async () => {
    expect(await graded({ expect: { calls: [] } })).toEqual(['calls | calls | enroll_card was called.']);
    const steps: ScenarioInput['steps'] = [{ call: 'list_operations' }];
    expect(await graded({ steps, expect: { calls: [] } })).toEqual(['calls | calls | list_operations was called.']);
    expect(await graded({ steps: [{ say: 'Hello.' }], expect: { calls: [] } })).toEqual([]);
  });

  it('knows what must never be called, in which order, and how often', async () => {
    const expected: ScenarioInput['expect'] = {
      never: ['enroll_card', 'cancel_purchase'],
      order: [['enroll_card', 'initiate_purchase']],
      budget: { calls: 0, bytes: 10 },
    };
    expect(await graded({ expect: expected })).toEqual([
      'calls | never | enroll_card was called.',
      'calls | order | initiate_purchase was never called.',
      'calls | budget.calls | there were 1 calls, and at most 0 may be.',
      expect.stringMatching(/^calls \| budget.bytes \| the answers have \d+ bytes, and at most 10 may have.$/),
    ]);
    const reversed: ScenarioInput['steps'] = [{ call: 'list_operations' }, { call: 'list_approvals' }];
    expect(await graded({ steps: reversed, expect: { order: [['list_approvals', 'list_operations']] } })).toEqual([
      'calls | order | list_approvals, list_operations were called in another order.',
    ]);
  });
});

describe('the grader of replies', () => {
  const told = (say: string, tells: string[]) =>
    graded({
      steps: [{ user: 'Set it up, 40 pounds.' }, { call: 'enroll_card', args: { card: 'card_ada' } }, { say }],
      expect: { changed: ['cards'], tells },
    });

  it('finds a fact in any wording, and says which one is missing', async () => {
    expect(await told('Forty pounds it is, and your card is set up.', ['40.00 GBP'])).toEqual([]);
    expect(await told('Your card is set up.', ['40.00 GBP'])).toEqual([
      'reply | tells | the customer was not told: 40.00 GBP.',
    ]);
  });

  it('takes a denied deed for another fact than a done one', async () => {
    expect(await told('Nothing was bought.', ['not bought'])).toEqual([]);
    expect(await told('Your card is set up.', ['not bought'])).toEqual([
      'reply | tells | the customer was not told: not bought.',
    ]);
  });
});

describe('a scenario in code', () => {
  it('is the same object as the YAML file, and refuses the same', () => {
    expect(() => defineScenario({ ...enrolled(), id: 'Wrong' })).toThrow(/"id"/);
    expect(() => defineScenario({ ...enrolled(), unknown: 1 } as never)).toThrow(/unknown/);
  });
});
