import { describe, expect, it } from 'vitest';
import { files, read } from '../house/files.ts';
import { mutants } from './mutants.ts';

const sources = files(['src', 'tools'], ['.ts']);
const tests = files(['test'], ['.test.ts']);
const named = (caughtBy: string) => caughtBy.split(' › ');

describe('the list of seeded bugs', () => {
  it('has at least 25, each with an id and a title of its own', () => {
    expect(mutants.length).toBeGreaterThanOrEqual(25);
    for (const key of ['id', 'title'] as const) expect(new Set(mutants.map((it) => it[key])).size).toBe(mutants.length);
    expect(mutants.filter(({ id }) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id)).map(({ id }) => id)).toEqual([]);
  });

  it.each(mutants)('$id can be put in: its text stands in $file exactly once', ({ file, find, replace }) => {
    expect(sources).toContain(file);
    expect([read(file).split(find).length - 1, replace === find]).toEqual([1, false]);
  });

  it.each(mutants)('$id names a test: $caughtBy', ({ caughtBy }) => {
    const [file = '', pattern = '', ...more] = named(caughtBy);
    expect(tests).toContain(file);
    expect([pattern.length > 0, more]).toEqual([true, []]);
    expect(() => new RegExp(pattern)).not.toThrow();
  });
});
