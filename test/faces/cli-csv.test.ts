import { describe, expect, it } from 'vitest';
import { csvCell } from '../../src/cli/csv.ts';

describe('a cell of a table', () => {
  it.each([
    '=1+1',
    '+1',
    '-1+1|cmd',
    '@SUM(A1)',
    ' =1',
    '\u00a0=1',
    '\u200b=1',
    '\t=1',
    '\tplain',
    '\rplain',
    '\nplain',
    'plain\n=1',
    'plain\r\n @SUM(A1)',
    '＝1+1',
    '＠SUM(A1)',
  ])('is no formula: %j', (text) => {
    expect(csvCell(text)).toBe(`"'${text}"`);
  });

  it.each(['plain', '1', 'a=b', 'a - b', "'=1", '{"a":"=1"}', ''])('stays as it is: %j', (text) => {
    expect(csvCell(text)).toBe(`"${text.replaceAll('"', '""')}"`);
  });

  it('stays one cell, whatever quotes and commas are in it', () => {
    expect(csvCell('=HYPERLINK("https://evil.example.com","x")')).toBe(
      '"\'=HYPERLINK(""https://evil.example.com"",""x"")"',
    );
  });
});
