import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { closestName } from '../../src/engine/closest-name.ts';
import { knownPath, propertyNames } from '../../src/engine/name-suggestions.ts';

const shape = z.strictObject({
  name: z.string(),
  rows: z.array(z.strictObject({ amount: z.string() })).optional(),
  free: z.record(z.string(), z.unknown()),
});

describe('what a shape states', () => {
  it.each([
    [[], ['name', 'rows', 'free']],
    [['rows', 0], ['amount']],
    [['rows'], []],
    [['free'], []],
    [['name', 'x'], []],
    [['toString'], []],
  ])('names at %j', (path, names) => {
    expect(propertyNames(shape, path)).toEqual(names);
  });

  it.each([
    [['name'], ['name']],
    [
      ['rows', 3, 'amount'],
      ['rows', 3, 'amount'],
    ],
    [
      ['rows', '3', 'amount'],
      ['rows', '3', 'amount'],
    ],
    [['rows', 'secret', 'amount'], ['rows']],
    [['free', 'secret'], ['free']],
    [['secret', 'name'], []],
    [['__proto__', 'secret'], []],
  ])('of %j only %j', (path, known) => {
    expect(knownPath(shape, path)).toEqual(known);
  });
});

describe('the name that was meant', () => {
  it.each([
    ['nam', 'name'],
    ['naem', undefined], // two letters of four are no slip
    ['curency', 'currency'],
    ['Reference', 'reference'],
    ['refernce', 'reference'],
    ['hunter', undefined],
    ['', undefined],
    ['x'.repeat(100_000), undefined],
  ])('%s: %s', (given, meant) => {
    expect(closestName(given, ['name', 'currency', 'reference'])).toBe(meant);
  });
});
