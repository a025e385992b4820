import { describe, expect, it } from 'vitest';
import { presentRules } from '../../evals/harness/coverage/coverage.ts';
import { isRuleId } from '../../src/core/rules.ts';
import { read } from '../house/files.ts';
import { sentencesOf } from './policy-sentences.ts';

const policy = read('evals/policy.md');
const sentences = sentencesOf(policy);

describe('the policy', () => {
  it('names in each sentence the rules that it stands for, and they exist', () => {
    expect(sentences.filter(({ rules }) => rules.length === 0)).toEqual([]);
    expect(sentences.flatMap(({ rules }) => rules).filter((id) => !isRuleId(id))).toEqual([]);
    expect(sentences.length).toBeGreaterThan(40);
  });

  it('names every rule of every domain that is there', () => {
    const named = new Set(sentences.flatMap(({ rules }) => rules));
    expect(
      presentRules.filter((id) => !named.has(id)),
      'a sentence of evals/policy.md names each',
    ).toEqual([]);
  });
});

describe('a sentence', () => {
  it('ends where the next one begins, and loses its ids', () => {
    const text = '# Title\n\nAn introduction.\n\n## Part\n\nDo this (AP-01,\nEN-02). Never do\nthat.\n';
    expect(sentencesOf(text)).toEqual([
      { text: 'Do this.', rules: ['AP-01', 'EN-02'] },
      { text: 'Never do that.', rules: [] },
    ]);
  });
});
