import { describe, expect, it } from 'vitest';
import { leaves } from '../../src/core/fields.ts';
import { limits } from '../../src/core/limits.ts';
import type { Operation } from '../../src/core/operation.ts';
import { isRuleId, rules } from '../../src/core/rules.ts';
import { contract } from '../../src/domains/index.ts';

const all = Object.entries(rules);
const operations: readonly (readonly [string, Operation])[] = Object.entries(contract);

describe('the rule book', () => {
  it('numbers its rules by family, from 01 without a gap', () => {
    const families = Object.groupBy(Object.keys(rules), (id) => id.slice(0, 2));
    const numbered = Object.entries(families).flatMap(([family, ids = []]) =>
      ids.map((_, index) => `${family}-${String(index + 1).padStart(2, '0')}`),
    );
    expect(Object.keys(rules).toSorted()).toEqual(numbered.toSorted());
  });

  it('has the families of the documents and its own, each with as many rules as they state', () => {
    const counts = Object.groupBy(Object.keys(rules), (id) => id.slice(0, 2));
    expect(
      Object.fromEntries(Object.entries(counts).map(([family, ids]) => [family, ids?.length])),
      'how many rules each family has is listed here',
    ).toEqual({
      EN: 15,
      AP: 12,
      PK: 13,
      DC: 13,
      WH: 1,
      KY: 1,
      PL: 13,
      SB: 15,
      IN: 16,
      RP: 12,
      DV: 13,
    });
  });

  it('says each rule in a sentence of its own', () => {
    const sentences = all.map(([, rule]) => rule.says);
    expect(sentences.filter((says) => !/^\S.*[^.]\.$/.test(says) || / {2}/.test(says))).toEqual([]);
    expect(new Set(sentences).size).toBe(sentences.length);
  });

  it('counts no rule of Purser’s own as the platform’s', () => {
    expect(
      all.filter(([, rule]) => rule.domain === 'engine').map(([id, rule]) => `${id.slice(0, 2)} ${rule.by}`),
    ).toEqual(Array.from({ length: 15 }, () => 'EN G'));
  });

  it('takes nothing else for an id', () => {
    const texts = ['AP-01', 'AP-00', 'ap-01', 'AP-1', '', 'toString', '__proto__'];
    expect(texts.map(isRuleId)).toEqual([true, false, false, false, false, false, false]);
  });
});

describe('a rule that is named', () => {
  it.each(operations)('by %s or one of its fields exists', (_, it) => {
    const schemas = [it.body, it.query, ...Object.values(it.output), it.error.schema].filter(
      (one) => one !== undefined,
    );
    const fields = schemas.flatMap((schema) => leaves(schema)).map((leaf) => leaf.field.rule);
    const named = [it.shape, ...fields].filter((id) => id !== undefined);
    expect(named.filter((id) => !isRuleId(id))).toEqual([]);
  });
});

it('sets every limit to a positive whole number', () => {
  const wrong = Object.entries(limits).filter(([, value]) => !Number.isSafeInteger(value) || value <= 0);
  expect(wrong).toEqual([]);
});

it('names a unit last in every limit', () => {
  const units =
    /(Characters|Digits|Elements|Bytes|Milliseconds|Seconds|Minutes|Hours|Months|Messages|Rows|RowsMost|Levels|Attempts|Percent|Days|Calls|Columns|Marks|Connections|Sessions|Requests|Texts|Events|Deliveries|Buckets|Releases|Generation)$/;
  expect(Object.keys(limits).filter((name) => !units.test(name))).toEqual([]);
});
