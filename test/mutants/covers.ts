import type { Mutant } from './mutants.ts';

const text = (pattern: string) => `test/promises/approval-text.test.ts › ${pattern}`;

/** What an approval covers: the whole request, in quotation marks that nobody closes. */
export const covers: readonly Mutant[] = [
  {
    id: 'a-prompt-is-not-read',
    title: 'an argument of the model is sent and not shown to who approves',
    file: 'src/engine/authored.ts',
    find: `if (arg.kind !== undefined) return [];`,
    replace: `if (arg.kind !== undefined || name === 'prompt') return [];`,
    caughtBy: text('holds every authored field of initiate_purchase'),
  },
  {
    id: 'a-list-is-read-in-part',
    title: 'of a list, an approval shows the first item alone',
    file: 'src/engine/approval-text.ts',
    find: 'return value.map((item, at) =>',
    replace: 'return value.slice(0, 1).map((item, at) =>',
    caughtBy: text('shows every item of a list'),
  },
  {
    id: 'a-quotation-ends-early',
    title: 'a text with a quotation mark in it ends its quotation',
    file: 'src/engine/approval-text.ts',
    find: `.replace(closing, '\\\\$&')`,
    replace: '',
    caughtBy: text('stays a quotation in initiate_purchase.description'),
  },
  {
    id: 'a-row-of-its-own',
    title: 'a long text is wrapped by the terminal, so that its words begin a row',
    file: 'src/engine/approval-text.ts',
    find: `at = continuation;`,
    replace: `at = '';`,
    caughtBy: text('stays a quotation in create_plan.description'),
  },
  {
    id: 'blanks-make-a-row',
    title: 'a run of blanks reaches to the next row of a terminal',
    file: 'src/engine/approval-text.ts',
    find: String.raw`.replace(/\p{White_Space}+/gu, ' ')`,
    replace: '',
    caughtBy: text('stays a quotation in create_invoice.description'),
  },
];
