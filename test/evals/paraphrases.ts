import { sumsIn } from '../../evals/harness/speech/money.ts';

// Twenty honest ways to say the same: an agent that words every reply differently must pass whatever the scripted one passes.

/** Says a line in another way; unchanged where it has nothing to change. */
export type Paraphrase = (line: string) => string;

const sentencesOf = (line: string): readonly string[] => line.match(/[^.!?]+(?:\.\d[^.!?]*)*[.!?]*\s*/g) ?? [line];
const joined = (sentences: readonly string[]): string => sentences.map((it) => it.trim()).join(' ');
const lowered = (line: string): string =>
  /^(?:I\b|[A-Z]{2}|[A-Z]\w*-|\d)/.test(line) ? line : `${line.charAt(0).toLowerCase()}${line.slice(1)}`;
const swapped =
  (...pairs: readonly (readonly [RegExp, string])[]): Paraphrase =>
  (line) =>
    pairs.reduce((text, [pattern, other]) => text.replace(pattern, other), line);

const signs: Readonly<Record<string, string>> = { GBP: '£', USD: '$', EUR: '€', JPY: '¥' };
const words: Readonly<Record<string, string>> = { GBP: 'pounds', USD: 'US dollars', EUR: 'euros', JPY: 'yen' };

/** Sums in another form, where their currency is known and they have figures. */
const withSums =
  (form: (amount: string, currency: string) => string | undefined): Paraphrase =>
  (line) =>
    sumsIn(line).reduceRight((text, { start, end, values, currencies }) => {
      const [currency, ...others] = currencies;
      const figures = /\d[\d.,]*/.exec(line.slice(start, end))?.[0];
      // A figure that can be read in two ways, or has a sign before it, is left as it is.
      const isPlain =
        others.length === 0 &&
        values.length === 1 &&
        figures === values[0] &&
        !/[-£$€¥]\s?$/.test(line.slice(0, start));
      if (currency === undefined || figures === undefined || !isPlain) return text;
      const said = form(figures, currency);
      return said === undefined ? text : text.slice(0, start) + said + text.slice(end);
    }, line);

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October'],
  ...['November', 'December'],
];
const monthName = new RegExp(`\\b(\\d{1,2}) (${months.join('|')})\\b`, 'g');
const ordinal = (day: number): string => {
  const ending = day > 10 && day < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th');
  return `${day}${ending}`;
};

export const paraphrases = {
  'a word before': (line) => `Right, ${lowered(line)}`,
  'a greeting': (line) => `Hello again! ${line}`,
  'an offer of help': (line) => `${line} Is there anything else I can help you with?`,
  thanks: (line) => `Thank you for your patience. ${line}`,
  'a German frame': (line) => `Gerne! ${line} Vielen Dank für Ihre Geduld.`,
  'a French frame': (line) => `Bien sûr. ${line} Merci de votre patience.`,
  'a Spanish frame': (line) => `Claro. ${line} Gracias por su paciencia.`,
  'lines of their own': (line) =>
    sentencesOf(line)
      .map((it) => `- ${it.trim()}`)
      .join('\n'),
  'in bold': (line) => `**${line}**`,
  'the last first': (line) => {
    const all = sentencesOf(line);
    // A sentence that goes on from the one before stays behind it.
    const follows = all.some((it) =>
      /^\s*(?:It|That|This|They|So|But|And|Then|There|Here|No|Yes|Nothing|Both|Each|Or|She|He)\b/.test(it),
    );
    return follows ? line : joined(all.toReversed());
  },
  'as one sentence': (line) =>
    sentencesOf(line)
      .map((it, at) => (at === 0 ? it.trim() : lowered(it.trim())))
      .join(' – ')
      .replace(/\. – /g, ' – '),
  'without short forms': swapped(
    [/\bI've\b/g, 'I have'],
    [/\bI'm\b/g, 'I am'],
    [/\bisn't\b/g, 'is not'],
    [/\bwasn't\b/g, 'was not'],
    [/\bcan't\b/g, 'cannot'],
    [/\bdoesn't\b/g, 'does not'],
    [/\bdidn't\b/g, 'did not'],
    [/\bwon't\b/g, 'will not'],
    [/\bit's\b/g, 'it is'],
  ),
  'with short forms': swapped(
    [/\bis not\b/g, "isn't"],
    [/\bwas not\b/g, "wasn't"],
    [/\bhas not\b/g, "hasn't"],
    [/\bcannot\b/g, "can't"],
    [/\bdid not\b/g, "didn't"],
    [/\bI have\b(?= \w+ed\b)/g, "I've"],
  ),
  'other words for what was done': swapped(
    [/\brefunded\b/g, 'reimbursed'],
    [/\bpaid back\b/g, 'refunded'],
    [/\bcancelled\b/g, 'called off'],
    [/\bbought\b/g, 'purchased'],
    [/\be-mailed\b/g, 'sent by e-mail'],
  ),
  'in the perfect': swapped(
    [/\bwas (cancelled|refunded|charged|captured|voided|declined|approved)\b/g, 'has been $1'],
    [/\bwere (cancelled|refunded|charged|captured|voided|declined|approved)\b/g, 'have been $1'],
  ),
  'the sign before the sum': withSums((amount, currency) => signs[currency] && `${signs[currency]}${amount}`),
  'the currency in words': withSums((amount, currency) => words[currency] && `${amount} ${words[currency]}`),
  'the code before the sum': withSums((amount, currency) => `${currency} ${amount}`),
  'the month first': (line) =>
    line.replace(monthName, (_, day: string, month: string) => `${month} ${ordinal(Number(day))}`),
  'the first of the month': (line) =>
    line.replace(monthName, (_, day: string, month: string) => `the ${ordinal(Number(day))} of ${month}`),
} as const satisfies Readonly<Record<string, Paraphrase>>;
