import { describe, expect, it } from 'vitest';
import { card } from '../../src/machines/card.ts';
import { instruction } from '../../src/machines/instruction.ts';
import type { Machine, Row } from '../../src/machines/machine.ts';
import { table } from './document.ts';

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
};

const gloss = (phrase: string): string => glossary[phrase]?.[0] ?? phrase;

const tables: readonly [heading: string, machine: Pick<Machine, 'rows' | 'assumed' | 'source' | 'actors'>][] = [
  ['State table: Enrolled card', card],
  ['State table: Instruction', instruction],
];

describe.each(tables)('%s', (heading, machine) => {
  const document = table('document-1.md', heading).map((row) => row.map(gloss));

  it('has the rows of the document, all of them and no others, in its order', () => {
    expect(machine.rows.map((row) => [...row])).toEqual(document);
    expect(document).not.toEqual([]);
  });

  it('names the document as the source of its rows', () => {
    expect(machine.source).toBe('document 1');
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

it('lists in the glossary only phrases that the documents use', () => {
  const printed = new Set(tables.flatMap(([heading]) => table('document-1.md', heading).flat()));
  expect(Object.keys(glossary).filter((phrase) => !printed.has(phrase))).toEqual([]);
});

it('lets the customer verify, as the documents say, and nobody else', () => {
  expect([card.actors.verify, instruction.actors.verify]).toEqual(['customer', 'customer']);
});
