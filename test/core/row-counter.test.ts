import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileSpec, FileType } from '../../src/core/file-answer.ts';
import { createRowCounter } from '../../src/core/row-counter.ts';

/** The rows of a text that arrives in pieces of a size. */
function rows(type: FileType, text: string, spec: Partial<FileSpec> = {}, size = 3): number | null {
  const bytes = Buffer.from(text);
  const counter = createRowCounter(type, { types: [type], ...spec });
  for (let at = 0; at < bytes.length; at += size) counter.add(bytes.subarray(at, at + size));
  return counter.rows();
}

describe('CSV', () => {
  it.each<[string, number]>([
    ['', 0],
    ['a,b', 0],
    ['a,b\n1,2', 1],
    ['a,b\r\n1,2\r\n', 1],
    ['a,b\n\n1,2\n\r\n3,4\n', 2],
    ['a\n"1\n2"\n3', 2],
    ['a\n"1 ""and\n"" 2"\n', 1],
    ['a\n5" pipe\n6" pipe\n', 2],
  ])('%j', (text, count) => {
    expect(rows('text/csv', text)).toBe(count);
  });

  it('has as many lines of a header as its contract states', () => {
    expect(rows('text/csv', 'Report,1\na,b\n1,2\n', { headerLines: 2 })).toBe(1);
  });

  it('counts the records of any table, however it arrives', () => {
    const cell = fc.string({ minLength: 1 }).map((text) => `"${text.replaceAll('"', '""')}"`);
    const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(table, fc.integer({ min: 1, max: 9 }), (records, size) => {
        const text = records.map((record) => record.join(',')).join('\n');
        expect(rows('text/csv', text, {}, size)).toBe(records.length - 1);
      }),
    );
  });
});

describe('XML', () => {
  it.each<[string, number]>([
    ['<All/>', 0],
    ['<All><Entry>1</Entry><Entry a="x"/><Entry/></All>', 3],
    ['<All><!-- <Entry/> --><![CDATA[<Entry/>]]><Entry/></All>', 1],
    ['<Entries><EntryDate/></Entries>', 0],
  ])('%s', (text, count) => {
    expect(rows('application/xml', text, { element: 'Entry' })).toBe(count);
  });

  it('has no number of rows where nothing says what one is', () => {
    expect(rows('application/xml', '<All/>')).toBeNull();
  });
});
