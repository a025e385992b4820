import { describe, expect, it } from 'vitest';
import { files, read } from '../house/files.ts';

const page = read('docs/threat-model.md');
const rows = (of: RegExp) =>
  page
    .split('\n')
    .filter((line) => of.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()));
const abuses = rows(/^\| A\d+ +\|/);
const named = (text: string) => [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
const present = files(['src', 'tools', 'test', 'scripts', 'package.json'], ['.ts', '.json']);

describe('the threat model', () => {
  it('has every abuse once, in order', () => {
    expect(abuses.map(([, id]) => id)).toEqual(Array.from({ length: 74 }, (_, index) => `A${index + 1}`));
  });

  it('has every promise once, in order, and SECURITY.md the same ones', () => {
    const ids = Array.from({ length: 10 }, (_, index) => `P${index + 1}`);
    expect(rows(/^\| P\d+ +\|/).map(([, id]) => id)).toEqual(ids);
    expect([...read('SECURITY.md').matchAll(/^- \*\*(P\d+)\*\*/gm)].map(([, id]) => id)).toEqual(ids);
  });

  it('fills every cell, and grades each abuse', () => {
    expect(abuses.filter(({ length }) => length !== 7)).toEqual([]);
    expect(abuses.filter((cells) => cells.slice(1, 6).some((cell) => cell === ''))).toEqual([]);
    expect(abuses.filter(([, , severity = '']) => !/^[CHM]$/.test(severity))).toEqual([]);
  });

  it('says of every abuse where it is tested, or that it is not yet, and whose it is', () => {
    const says = (cell: string) =>
      named(cell).some((span) => span.endsWith('.test.ts')) || /^not yet: belongs to [a-z]+/.test(cell);
    expect(abuses.filter(([, , , , , test = '']) => !says(test)).map(([, id]) => id)).toEqual([]);
  });

  it('claims no defence where it names no test', () => {
    const bare = abuses
      .filter(([, , , , , test = '']) => test.startsWith('not yet'))
      .map(([, id, , , defence]) => [id, defence]);
    expect(bare.filter(([, defence]) => defence !== 'none').map(([id]) => id)).toEqual([]);
  });

  it('names only files that are there', () => {
    const paths = named(page).filter((span) => /^(src|tools|test|scripts)\/|^package\.json$/.test(span));
    expect(paths.filter((path) => !present.includes(path))).toEqual([]);
    expect(paths.length).toBeGreaterThan(100);
  });
});
