import { describe, expect, it } from 'vitest';
import type { Machine, Row } from '../../src/core/machine.ts';
import { payment, plan, subscription } from '../../src/domains/billing/machines.ts';
import { card, instruction } from '../../src/domains/purchase/machines.ts';
import { section, table } from './document.ts';

// Our word for a phrase of the documents. Whatever is not listed must stand in the code exactly as it is printed.
const glossary: Readonly<Record<string, readonly [ours: string, why: string]>> = {
  'Enroll a card': ['enroll', 'the name of the operation, as a verb'],
  'customer verifies identity': ['verify', 'the deed, as a verb; who does it stands under `actors`'],
  'Confirm transaction events': ['confirm', 'the name of the operation, as a verb'],
  issued: ['ACTIVE', 'D-02: the document does not print the status of a fresh instruction'],
  'the condition that yields this result: not shown': [
    'the card can be used in purchases',
    'a note about the document itself; D-04 fills the gap, and what follows is what the third row prints',
  ],
  creation: ['none', 'every machine calls it so'],
  'create subscription': ['create', 'the deed, as a verb'],
  'scheduled payment fails': ['fail', 'the deed, as a verb'],
  'all retries fail': ['exhaust', 'the deed, as a verb'],
  'any retry': ['DELINQUENT', 'the state in which payments are retried'],
  'issuer reason such as Do Not Retry': ['stop', 'the deed, as a verb'],
  'SUSPENDED at once': ['SUSPENDED', 'the state; every move of a machine is at once'],
  'explicit suspension': ['suspend', 'the deed, as a verb'],
  'applies to the next billing cycle': ['ACTIVE', 'the state that public models answer; from when it bills is SB-10'],
  'all payments made': ['ACTIVE', 'the state in which the last payment is made'],
  'scheduled end reached': ['complete', 'the deed, as a verb'],
};

const gloss = (phrase: string): string => glossary[phrase]?.[0] ?? phrase;

type Shown = Pick<Machine, 'rows' | 'assumed' | 'source' | 'actors'>;

const tables: readonly [page: string, heading: string, source: string, machine: Shown][] = [
  ['document-1.md', 'State table: Enrolled card', 'document 1', card],
  ['document-1.md', 'State table: Instruction', 'document 1', instruction],
  ['document-2.md', 'State table: Plan', 'document 2', plan],
  ['document-2.md', 'State table: Subscription', 'document 2', subscription],
];

/** A row that names several states is one row for each of them. */
const perState = ([states = '', ...rest]: readonly string[]) => states.split(', ').map((state) => [state, ...rest]);

describe.each(tables)('%s, %s', (page, heading, source, machine) => {
  const document = table(page, heading)
    .flatMap(perState)
    .map((row) => row.map(gloss));

  it('has the rows of the document, all of them and no others, in its order', () => {
    expect(machine.rows.map((row) => [...row])).toEqual(document);
    expect(document).not.toEqual([]);
  });

  it('names the document as the source of its rows', () => {
    expect(machine.source).toBe(source);
  });

  it('does not repeat under `assumed` what the document shows', () => {
    const key = (row: Row | readonly string[]) => row.slice(0, 3).join(' | ');
    const shown = new Set(document.map(key));
    expect(machine.assumed.filter((row) => shown.has(key(row)))).toEqual([]);
  });

  it('says every condition under one name only', () => {
    // Two sentences that differ by case or spaces alone would be two predicates for one thing.
    const sentences = [...machine.rows, ...machine.assumed].map((row) => row[2]);
    const plain = new Set(sentences.map((sentence) => sentence.toLowerCase().replace(/\s+/g, ' ').trim()));
    expect(plain.size).toBe(new Set(sentences).size);
  });
});

it('gives a payment the two moves of the document’s sentence, under its one condition', () => {
  const sentences = section('document-2.md', 'Subscription payment');
  const [, from, skipped, skip, back] = /^`(\w+)` to `(\w+)` by a (\w+) request; back to `(\w+)`/.exec(sentences) ?? [];
  const [, until] =
    /A payment is modifiable only (until two hours before its scheduled processing time)\./.exec(sentences) ?? [];
  expect(sentences).toMatch(/; back to `\w+` by restoring\./);
  expect(payment.rows.map((row) => row.slice(0, 4))).toEqual([
    [from, skip, until, skipped],
    [skipped, 'restore', until, back],
  ]);
  expect(payment.legal({ state: 'PAID', modifiable: true })).toEqual([]);
});

it('lists in the glossary only phrases that the documents use', () => {
  const printed = new Set(tables.flatMap(([page, heading]) => table(page, heading).flatMap(perState).flat()));
  expect(Object.keys(glossary).filter((phrase) => !printed.has(phrase))).toEqual([]);
});

it('lets the customer verify, as the documents say, and nobody else', () => {
  expect([card.actors.verify, instruction.actors.verify]).toEqual(['customer', 'customer']);
});
