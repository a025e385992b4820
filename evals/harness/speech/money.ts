import { canonical, figuresIn } from './numbers.ts';
import { remembered } from './remembered.ts';

// Sums of money as people say them.

/** A sum in a text; its currency is undefined where a sign or word fits several. */
export interface Said {
  readonly values: readonly string[];
  readonly currencies: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** Words and signs of currencies, and the codes that they can stand for. */
const names: readonly (readonly [pattern: string, codes: readonly string[]])[] = [
  ['pounds?(?: sterling)?|quid|pfund|livres?|libras?|pond(?:en)?|sterlin[ae]|£', ['GBP']],
  ['euros?|€', ['EUR']],
  ['(?:us )?dollars?|bucks|dólares|dólar|dollar[io]|\\$', ['USD', 'CAD', 'AUD', 'SGD', 'HKD', 'NZD']],
  ['yens?|円|¥', ['JPY', 'CNY']],
  ['(?:kuwaiti )?dinars?|dinares?', ['KWD', 'BHD', 'JOD', 'TND']],
  ['francs?|franken', ['CHF']],
];
const codes = '[A-Z]{3}';
/** Words of a hundredth. */
const hundredths = /^\s*(?:pennies|penny|pence|p|cents?|céntimos?|centimes?)(?![\p{L}\p{N}])/iu;
const known = new Set([
  'GBP',
  'EUR',
  'USD',
  'JPY',
  'KWD',
  'CHF',
  'BHD',
  'CAD',
  'AUD',
  'SEK',
  'NOK',
  'DKK',
  'PLN',
  'CNY',
  'JOD',
  'TND',
  'XOF',
]);

const after = new RegExp(
  `^[\\s\\u00a0]*(?:(${names.map(([it]) => `(?:${it})`).join('|')})(?![\\p{L}])|(${codes})(?![\\p{L}\\p{N}]))`,
  'iu',
);
const before = new RegExp(`(?:(£|€|\\$|¥)|(?<![\\p{L}])(${codes}))[\\s\\u00a0]*$`, 'u');

const currenciesOf = (word: string): readonly string[] => {
  if (known.has(word.toUpperCase()) && word === word.toUpperCase()) return [word];
  return names.find(([it]) => new RegExp(`^(?:${it})$`, 'iu').test(word))?.[1] ?? [];
};

/** What stands after a figure and names a currency; three letters that are no code, such as "for", name none. */
function currencyAfter(rest: string): readonly (string | undefined)[] {
  const [found, word, code] = after.exec(rest) ?? [];
  return code !== undefined && currenciesOf(code).length === 0 ? [] : [found, word, code];
}

/** The sums of a text, in order. */
export const sumsIn = remembered((text): readonly Said[] => {
  const figures = figuresIn(text);
  const sums: Said[] = [];
  let taken = -1;
  figures.forEach((figure, at) => {
    if (figure.start < taken) return;
    const rest = text.slice(figure.end);
    const [found, word, code] = currencyAfter(rest);
    const [, sign, ahead] = before.exec(text.slice(0, figure.start)) ?? [];
    const part = hundredths.exec(rest);
    if (part !== null) {
      sums.push({ values: figure.values.map(hundredth), currencies: [], start: figure.start, end: figure.end });
      return;
    }
    if (/^(?:fiver|tenner)s?$/i.test(text.slice(figure.start, figure.end))) {
      sums.push({ values: figure.values, currencies: [], start: figure.start, end: figure.end });
      return;
    }
    const currencies = currenciesOf(word ?? code ?? sign ?? ahead ?? '');
    if (currencies.length === 0) return;
    const next = figures[at + 1];
    const end = figure.end + (found?.length ?? 0);
    // "39 pounds and 90 pence", "39 pounds ninety".
    const joint = next === undefined || found === undefined ? '' : text.slice(end, next.start);
    const isPart =
      next !== undefined &&
      word !== undefined &&
      /^\s+(?:and\s+)?$/.test(joint) &&
      !/^\s*(?:times|mal|fois|veces)(?!\p{L})/iu.test(text.slice(next.end)) &&
      next.values.every((it) => /^\d{1,2}$/.test(it));
    const hasName = next !== undefined && hundredths.test(text.slice(next.end));
    if (next !== undefined && isPart && (hasName || !/and/.test(joint))) {
      const values = figure.values.flatMap((whole) =>
        next.values.map((it) => canonical(`${whole}.${it.padStart(2, '0')}`)),
      );
      taken = next.end;
      sums.push({ values, currencies, start: figure.start, end: next.end });
      return;
    }
    sums.push({ values: figure.values, currencies, start: figure.start, end });
  });
  return sums;
});

const hundredth = (whole: string): string => canonical((Number(whole) / 100).toFixed(2));
