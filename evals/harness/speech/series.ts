import { figuresIn } from './numbers.ts';
import { edge, end } from './words.ts';

// Places in a series of payments, and how many of what there were.

const payment =
  'payments?|charges?|instal?ments?|lessons?|parts?|debits?|zahlung(?:en)?|rate[n]?|abbuchung(?:en)?|paiements?|prélèvements?|mensualités?|pagos?|cuotas?|cargos?|betaling(?:en)?|termijn(?:en)?|pagament[oi]|rat[ae]';

export type Place = 'first' | 'last';
const places: readonly (readonly [pattern: string, place: Place])[] = [
  ['first|erste[nrs]?|premier|première|primer[oa]?|eerste|prim[oa]', 'first'],
  ['last|final|letzte[nrs]?|dernier|dernière|últim[oa]|laatste|ultim[oa]', 'last'],
];
const gap =
  '(?: (?:one|of (?:them|these|those|the \\p{L}+|all)|is|was|will|be|being|comes?|came|falls?|fell|due|charged|taken|paid|on|follows?|am|ist|wird|fällig|le|est|el|es|op|il|è))*';
const placed = places.map(
  ([pattern, place]) => [new RegExp(`${edge}(?:${pattern})(?: (?:${payment}))?${gap}[ ,:]*$`, 'iu'), place] as const,
);

/** The place in a series that the words before a date give it: "the last one is on …". */
export const placeBefore = (text: string): Place | undefined =>
  placed.find(([pattern]) => pattern.test(text.replaceAll('’', "'")))?.[1];

/** "The last of the three payments was": by it, all of them are over. */
export const isLastOfAll = (text: string): boolean => lastOfAll.test(text);
const lastOfAll = new RegExp(
  `${edge}(?:the (?:last|final) of (?:the|all|these|your|her|his) (?:\\p{L}+ |\\d+ )?(?:${payment})(?: has| have)? (?:was|were|been|is paid)|die letzte der \\p{L}+ (?:${payment}) (?:war|wurde|ist))${end}`,
  'iu',
);

const number = '(\\d{1,3}|\\p{L}+(?:-\\p{L}+)?)';
const left = new RegExp(
  `${edge}${number} (?:(?:more|further|other|weitere|autres?|más|meer|altr[ie]) )?(?:(${payment})|of them|)(?: |(?<= ))(?:(?:are|is|will|still|yet|sind|restent|quedan|noch) )*(?:left|to go|to come|to follow|follows?|following|remain(?:s|ing)?|outstanding|ahead|übrig|offen|folgen|à venir|restants?|pendientes?|te gaan|volgen|rimangono|restano)${end}`,
  'giu',
);

/** How many payments are said to be left; without a noun where the sentence before has it. */
export const remainingIn = (text: string): readonly number[] =>
  [...text.matchAll(left)].flatMap(({ 1: word = '', 2: noun, index }) => {
    const value = Number(figuresIn(word)[0]?.values[0] ?? Number.NaN);
    const isOfPayments = noun !== undefined || aboutPayments.test(text.slice(0, index));
    return isOfPayments && Number.isInteger(value) ? [value] : [];
  });
const aboutPayments = new RegExp(`${edge}(?:${payment})${end}`, 'iu');

/** Kinds of what answers count: words for them, names of counts, and the types of rows. */
interface Kind {
  readonly said: RegExp;
  readonly counts: RegExp;
  readonly types: RegExp;
}
const kindOf = (said: string, counts: RegExp, types: RegExp): Kind => ({
  said: new RegExp(`${edge}${number} (?:${said})${end}`, 'giu'),
  counts,
  types,
});
const kinds: readonly Kind[] = [
  kindOf(
    'sales?|purchases?|verkäufe?|ventes?|ventas?|verkopen|vendit[ea]',
    /^(?:sales|purchases)_count$/,
    /^purchases?$/i,
  ),
  kindOf(
    'refunds?|rückzahlung(?:en)?|rückerstattung(?:en)?|remboursements?|reembolsos?|terugbetaling(?:en)?|rimbors[oi]',
    /^refunds_count$/,
    /^refunds?$/i,
  ),
  kindOf('chargebacks?', /^chargebacks_count$/, /^chargebacks?$/i),
];

/** How many of a kind a text names, and what tells how many there are. */
export const countedIn = (text: string): readonly (Kind & { readonly value: number; readonly text: string })[] =>
  kinds.flatMap((kind) =>
    [...text.matchAll(kind.said)].flatMap(({ 0: whole, 1: word = '' }) => {
      const value = Number(figuresIn(word)[0]?.values[0] ?? Number.NaN);
      return Number.isInteger(value) ? [{ ...kind, value, text: whole }] : [];
    }),
  );

/** How many payments there are said to be: "four lessons". */
export const lengthsIn = (text: string): readonly number[] =>
  [...text.matchAll(lengths)].flatMap(({ 1: word = '' }) => {
    const value = Number(figuresIn(word)[0]?.values[0] ?? Number.NaN);
    return Number.isInteger(value) && value > 1 ? [value] : [];
  });
const lengths = new RegExp(
  `(?<![\\p{L}\\p{N}.,-]|(?:next|first|last|other|of) )${number} (?:(?:weekly|monthly|daily|yearly) )?(?:payments|instal?ments|lessons|zahlungen|raten|paiements|mensualités|pagos|cuotas)(?! (?:left|more|to go|later|ago|failed|declined|missed))${end}`,
  'giu',
);

/** "In three parts": how many payments a bill was paid with. */
export const partsIn = (text: string): readonly number[] =>
  [...text.matchAll(parts)].flatMap(({ 1: word = '' }) => {
    const value = Number(figuresIn(word)[0]?.values[0] ?? Number.NaN);
    return Number.isInteger(value) ? [value] : [];
  });
const parts = new RegExp(
  `${edge}(?:in|with|over|across|en|met|con) ${number} (?:goes|pieces|${payment}|teilen|raten|tranches|fois|plazos|partes|delen|parti|volte)${end}`,
  'giu',
);

/** "February's payment is on …": the month whose payment it is. */
export const monthOfPayment = new RegExp(
  `(\\p{Lu}\\p{L}+)['’]s(?: (?:${payment}|one))?(?: (?:is|was|falls|fell|comes|came|will be|due|charged|taken|on))+ `,
  'u',
);

/** That nothing has happened so far, without saying what. */
export const notOnce =
  /^\W*(?:(?:no|nein|non)\W+)?(?:not once|not (?:even )?(?:a single|one) time|never|zero times|nicht ein(?: einziges)? mal|noch nie|pas une(?: seule)? fois|jamais|ni una(?: sola)? vez|nunca|geen enkele keer|nemmeno una volta|mai)(?: (?:so far|yet|until now|up to now|bisher|jusqu['’]ici|hasta ahora))?\W*$/iu;
/** A question for how often money was taken. */
export const asksHowOften =
  /(?<!\p{L})(?:how (?:often|many times)|wie oft|combien de fois|cuántas veces|hoe vaak|quante volte)(?!\p{L}).*(?<!\p{L})(?:take|taken|took|charged?|paid|billed?|debited|collected|abgebucht|belastet|débitée?|prélevée?|cobrado|afgeschreven|addebitat[oa])(?!\p{L})/iu;
