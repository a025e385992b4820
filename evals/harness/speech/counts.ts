import { figuresIn } from './numbers.ts';

// How often something is said to have been done, and of how many things: "in three instalments", "twice", "both cards".

export interface Count {
  readonly value: number;
  readonly text: string;
  /** Whether it counts things of a kind, all of them, and not how often something was done. */
  readonly isOfAll: boolean;
}

const number = '(\\d{1,2}|\\p{L}+(?:-\\p{L}+)?)';
const often = new RegExp(
  `(?<![\\p{L}\\p{N}.,])${number} (?:instal?lments?|parts?|pieces?|goes|tries|attempts?|times|rates|raten|teilen?|versuchen?|mal|tranches?|essais|fois|plazos|partes|intentos|veces|termijnen|delen|pogingen|keer|rate|parti|tentativi|volte)(?![\\p{L}\\p{N}])`,
  'giu',
);
const all = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:all (?:the )?${number}|(both)(?: of)?(?: (?:your|her|his|their|the|my))?|alle ${number}|(?:toutes|tous) les ${number}|(?:tod[oa]s) (?:los|las) ${number}|tutt[ie] e ${number}|(beide|les deux|ambos|ambas|entrambi))(?: (?:your|her|his|the))? (?:cards?|plans?|bills?|invoices?|purchases?|subscriptions?|reports?|orders?|(?:are|were|have|sind|wurden|sont|ont|están|han|zijn|sono))(?![\\p{L}\\p{N}])`,
  'giu',
);

const two = /^(?:both|beide|les deux|ambos|ambas|entrambi)$/iu;
const readNumber = (word: string): number => (two.test(word) ? 2 : Number(figuresIn(word)[0]?.values[0] ?? Number.NaN));

/** What a text counts, from two on. */
export const countsIn = (text: string): readonly Count[] =>
  [
    ...[...text.matchAll(often)].map((it) => ({ value: readNumber(it[1] ?? ''), text: it[0], isOfAll: false })),
    ...[...text.matchAll(all)].map((it) => {
      const word = it.slice(1).find((one) => one !== undefined) ?? '';
      return { value: readNumber(word), text: it[0], isOfAll: true };
    }),
  ].filter(({ value }) => value > 1);
