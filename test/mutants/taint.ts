import type { Mutant } from './mutants.ts';

const places = 'test/promises/untrusted-output.test.ts › ends mandates wherever';
const ways = (pattern: string) => `test/promises/taint.test.ts › ${pattern}`;

/** Bugs in how text of somebody else is noticed, and in what counts as the merchant's own. */
export const taintMutants: readonly Mutant[] = [
  {
    id: 'knows-what-it-never-declared',
    title: 'a member that no shape declares is taken for harmless',
    file: 'src/engine/untrusted-output.ts',
    find: `if (shape === undefined) return false;`,
    replace: `if (shape === undefined) return true;`,
    caughtBy: `${places} get_invoice shows it`,
  },
  {
    id: 'believes-the-form',
    title: 'a field of a certain form is taken for harmless whatever stands in it',
    file: 'src/engine/untrusted-output.ts',
    find: `return source.form.test(text);`,
    replace: `return true;`,
    caughtBy: `${places} list_plans shows it`,
  },
  {
    id: 'launders-through-a-plan',
    title: 'what an agent writes after reading the text of somebody else is taken for the merchant’s own',
    file: 'src/engine/authorship.ts',
    find: `if (await isTainted(tx, caller, now)) return;`,
    replace: `if (texts === undefined) return;`,
    caughtBy: ways('is not what an agent writes that has read'),
  },
  {
    id: 'approval-text-is-purser-s',
    title: 'the text of an approval is taken for the merchant’s own although it quotes somebody else',
    file: 'src/engine/authorship.ts',
    find: `if (approval !== undefined && !(await quotesOthers(tx, tool, facts)))`,
    replace: `if (approval !== undefined)`,
    caughtBy: ways('ends mandates: the text of an approval'),
  },
  {
    id: 'nested-answers-are-trusted',
    title: 'the answer within an answer is not looked at',
    file: 'src/engine/untrusted-output.ts',
    find: `if (source.of === 'answer') return answerShape(tool);`,
    replace: `if (source.of === 'answer') return ownWords;`,
    caughtBy: ways('ends mandates: an earlier answer'),
  },
  {
    id: 'everybody-is-one-conversation',
    title: 'one conversation taints all others of its principal',
    file: 'src/engine/taint.ts',
    find: `conversation ?? session`,
    replace: `session`,
    caughtBy: ways('ends mandates: the name of a shopper'),
  },
  {
    id: 'reason-in-our-sentence',
    title: 'whatever the platform gives as its reason stands in a sentence of Purser',
    file: 'src/domains/index.ts',
    find: `reasons.has(text) ||`,
    replace: `text !== '' ||`,
    caughtBy: 'test/engine/finish.test.ts › keeps apart what could be a sentence: a reason',
  },
];
