import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { rules } from '../../src/core/rules.ts';
import { contract } from '../../src/domains/index.ts';
import { digestOf, rulesHash } from '../../src/engine/digest.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

it('is SHA-256 over the canonical JSON of a value, whatever the order of its members', () => {
  expect([digestOf({ b: 1, a: [true] }), digestOf({ a: [true], b: 1 })]).toEqual([
    sha256('{"a":[true],"b":1}'),
    sha256('{"a":[true],"b":1}'),
  ]);
});

it('of the rules covers what each says, and how each operation is called, what it does and how it is recovered', () => {
  const operations = Object.entries(contract).map(([name, it]) => [name, it.call, it.effect, it.recovery]);
  const says = Object.entries(rules).map(([id, rule]) => [id, rule.says]);
  // Both are lists of texts alone, so that JSON as it is written is canonical.
  expect(rulesHash).toBe(sha256(`{"operations":${JSON.stringify(operations)},"rules":${JSON.stringify(says)}}`));
});
