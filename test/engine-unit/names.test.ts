import { describe, expect, it } from 'vitest';
import { hostOf, lookCloser, mixesAlphabets, normalised } from '../../src/engine/names.ts';

describe('a name', () => {
  it.each([
    ['Latin and Cyrillic', 'Hаrbour'],
    ['Latin and Greek', 'Harbοur'],
    ['Latin and Armenian', 'Harbօur'],
    ['Cyrillic and Greek', 'ΑБ'],
    ['two of them, in its second word', 'Audio Hаrbour'],
    ['two of them around a combining mark', 'a\u0301а'],
  ])('mixes alphabets: %s', (_, name) => {
    expect(mixesAlphabets(name)).toBe(true);
    expect(lookCloser(name)).toEqual([`Look closely: "${name}" mixes letters of different alphabets.`]);
  });

  it.each([
    ['one alphabet', 'Harbour Audio'],
    ['one alphabet a word', 'Harbour Аудио'],
    ['one alphabet a word, however they are parted', 'Harbour--Аудио'],
    ['scripts that nobody takes for each other', 'Sony株式会社'],
    ['digits', '7A7'],
    ['nothing', ''],
  ])('mixes no alphabets: %s', (_, name) => {
    expect([mixesAlphabets(name), lookCloser(name)]).toEqual([false, []]);
  });
});

it('writes a host as it really is, and none for what is no address', () => {
  expect(['https://shop.example.com:8443/a?b', 'https://hаrbour.example', 'harbour'].map(hostOf)).toEqual([
    'shop.example.com',
    'xn--hrbour-3nf.example',
    'unknown',
  ]);
});

it('brings every text of a value into its compatibility form, at any depth, and nothing else', () => {
  expect(
    normalised({ name: 'Ａda ﬁne', list: ['①', { deep: 'ℌ' }], count: 1, yes: true, none: null, no: undefined }),
  ).toEqual({ name: 'Ada fine', list: ['1', { deep: 'H' }], count: 1, yes: true, none: null, no: undefined });
});
