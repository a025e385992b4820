import { edge, end, words } from './words.ts';

// How sums are put together in a sentence: totals, parts on top, prices for a period, comparisons and limits.

/** That a sum is the total of others. */
export const totals = words(
  'together|in all|in total|altogether|all told|all in all|adds? up to|totals?|sums? (?:up )?to|comes? to|makes? (?=\\S*\\d)',
  'zusammen|insgesamt|en tout|au total|en total|in totaal|samen|in totale|complessivamente',
);
/** That money went the other way. */
export const backwards = words(
  'back|refund\\p{L}*|return\\p{L}*|fees?|minus|less|reversed|chargebacks?|went out',
  'zurück|erstattet|gebühren?|abzüglich|rembours\\p{L}*|frais|moins|devuel\\p{L}*|comisi\\p{L}+|menos|terug\\p{L}*|kosten|rimbors\\p{L}*|meno',
);
/** That one sum is not within the other. */
export const onTop = words(
  'on top|in addition|additional(?:ly)?|extra|plus|as well as',
  'obendrauf|obendrein|zusätzlich|zuzüglich|dazu|en plus|en sus|además|encima|bovenop|extra|in più|in aggiunta',
);
/** What the shop or its settings let be. */
export const limited = words(
  '(?:shop|merchant|operator|it|limit|setting\\p{L}*|rules?) (?:only |just )?(?:allows?|permits?|lets?)|(?:limit|maximum|ceiling|cap) (?:of|is|are|:)|(?:may|can) (?:take|charge|spend|capture|hold|buy)(?: \\p{L}+){0,3} (?:at most|up to|no more than)|is allowed',
  '(?:laden|shop|händler) erlaubt|(?:grenze|limit) (?:ist|von|liegt bei)|(?:magasin|boutique) (?:autorise|permet)|limite est|(?:tienda) permite|límite es|winkel staat|negozio (?:permette|consente)',
);
/** "Twenty lines is the limit": the figure stands before the words for it. */
export const maximum = new RegExp(
  `${edge}(\\d[\\d.,]*|\\p{L}+(?:-\\p{L}+)?) (?:\\p{L}+ ){0,2}(?:is|are) (?:the|our|its) (?:\\p{L}+ )?(?:limit|maximum|ceiling|most)${end}`,
  'iu',
);
/** How a refusal gives a bound. */
export const bounded = /(?:at most|no more than|up to|\d to|maximum (?:of|is)|limit (?:of|is)) (\d[\d.,]*|\w+)/gi;
/** Words that leave a comparison open or turn it round. */
export const turned = words(
  "not|no|never|isn['’]t|wasn['’]t|aren['’]t|nicht|kein\\p{L}*|pas|non|niet|once|if|would|could",
);

const sum = '(?:[£€$¥]|[A-Z]{3} )?\\d[\\d.,]*(?: (?:[A-Z]{3}|\\p{L}+))?';
/** "41 pounds is less than the 40 that …": more or less, and the other sum where there is one. */
export const comparison = new RegExp(
  `(?<one>${sum})[^.;!?]{0,40}?${edge}(?:(?<less>less(?! (?:the |its |their )?[£€$¥]?\\d)|lower|smaller|cheaper|below|under|within)|(?<more>more|higher|greater|bigger|larger|dearer|above|over|beyond))${end}(?: than)? (?:the |its |their |your )?(?:(?<other>${sum})|(?<limit>(?:what|limit|maximum|amount)(?: that)?(?: \\p{L}+){0,3}? ?(?:allow\\p{L}*|permit\\p{L}*|limit)?))`,
  'iu',
);

/** Words for the periods of a price, and how long each is by unit and number. */
const periods: readonly (readonly [pattern: string, unit: string, every: number])[] = [
  ['days?|daily|tag|täglich|jour|día|dag|giorno', 'day', 1],
  ['weeks?|weekly|woche|wöchentlich|semaine|semana|settimana', 'week', 1],
  ['fortnights?|fortnightly|two weeks|other week|zwei wochen|quinze jours|dos semanas', 'week', 2],
  ['months?|monthly|monat|monatlich|mois|mes|maand|mese', 'month', 1],
  ['quarters?|quarterly|three months', 'month', 3],
  ['years?|yearly|annually|jahr|jährlich|an|année|año|jaar|anno', 'year', 1],
];
const price = new RegExp(
  `^\\s+(?:(?:an?|per|each|every|im|pro|par|por|al|a la|per|jeden?|jede|chaque|cada|elke)\\s+)?(${periods.map(([it]) => `(?:${it})`).join('|')})${end}`,
  'iu',
);

export interface Period {
  readonly unit: string;
  readonly every: number;
  readonly text: string;
}

/** The period that stands right behind a price: "a week", "monthly". */
export function periodAfter(text: string): Period | undefined {
  const word = price.exec(text)?.[1];
  const found = periods.find(([it]) => new RegExp(`^(?:${it})$`, 'iu').test(word ?? ''));
  return found === undefined ? undefined : { unit: found[1], every: found[2], text: word ?? '' };
}

/** Words that make a period one that comes again. */
const again = new RegExp(`${edge}(?:every|each|jeden?|jede[ns]?|chaque|cada|elke|ogni)(?= )`, 'giu');

/** The only period that a sentence says to come again: "… and every month from now on". */
export function periodOf(sentence: string): Period | undefined {
  const [only, ...others] = [...sentence.matchAll(again)].flatMap(
    ({ index, 0: word }) => periodAfter(sentence.slice(index + word.length)) ?? [],
  );
  return others.length === 0 ? only : undefined;
}
