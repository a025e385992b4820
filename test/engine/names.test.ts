import { describe, expect, it } from 'vitest';
import { confusableWarnings, hostOf, normalised } from '../../src/engine/confusables.ts';

describe('a name', () => {
  it.each([
    ['Latin and Cyrillic', 'Hаrbour'],
    ['Latin and Greek', 'Harbοur'],
    ['Latin and Armenian', 'Harbօur'],
    ['Latin and Cherokee', 'Ꭺmazing'],
    ['Latin and Lisu', 'ꓮmazing'],
    ['Latin and Coptic', 'Harbⲟur'],
    ['Latin and an alphabet without a name here', 'Harbour𐌀𐊠'],
    ['Cyrillic and Greek', 'ΑБ'],
    ['Hebrew and Arabic', 'אب'],
    ['Latin and Cyrillic among the usual', '株式Аudio'],
    ['two of them around a combining mark', 'a\u0301а'],
  ])('mixes alphabets: %s', (_, name) => {
    const told = [`Look closely: "${name}" mixes letters of different alphabets.`];
    expect([confusableWarnings(name), confusableWarnings(`Merchant: ${name} Audio`)]).toEqual([told, told]);
  });

  it.each([
    ['Cyrillic', 'аррӏе'],
    ['Cyrillic', 'сосо'],
    ['Cyrillic', 'РАУРАЅ'],
    ['Greek', 'ΝΙΚΕ'],
    ['Armenian', 'օսո'],
    ['Cherokee', 'ᎪᏢᏢᏞᎬ'],
    ['Lisu', 'ꓮꓑꓑꓡꓰ'],
  ])('looks Latin and is %s: %s', (alphabet, name) => {
    const told = [`Look closely: "${name}" looks Latin but has ${alphabet} letters.`];
    expect([confusableWarnings(name), confusableWarnings(`Merchant: ${name} Audio`)]).toEqual([told, told]);
  });

  it.each([
    ['one alphabet', 'Harbour Audio'],
    ['Latin with marks', 'Zoë O’Neill-Łukasz'],
    ['one alphabet a word', 'Harbour Аудио'],
    ['one alphabet a word, however they are parted', 'Harbour--Аудио'],
    ['a Russian name', 'Аптека Роса на углу'],
    ['a Russian word that is short', 'Harbour со'],
    ['a Greek name', 'Καφέ Νίκος'],
    ['what Japanese writes together', 'Sony株式会社のカメラ'],
    ['what Korean writes together', 'LG전자 韓國전자'],
    ['what Chinese writes together', 'ASUS華碩ㄏㄨㄚ'],
    ['units', '10 kΩ, 5 μm, 3 μF'],
    ['Arabic, Hebrew, Thai, Georgian', 'متجر חנות ร้าน მაღაზია'],
    ['digits', '7A7'],
    ['nothing', ''],
  ])('deserves no second look: %s', (_, name) => {
    expect(confusableWarnings(name)).toEqual([]);
  });

  it('is pointed out once, however often it stands there', () => {
    expect(confusableWarnings('Hаrbour and Hаrbour')).toHaveLength(1);
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
