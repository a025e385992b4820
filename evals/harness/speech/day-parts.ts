// Parts of a day as people say them, with the hours that they can mean: "tonight", "by lunchtime", "ce soir".

export interface DayPart {
  readonly text: string;
  /** Hours after midnight. */
  readonly from: number;
  readonly until: number;
}

const parts: readonly (readonly [pattern: string, from: number, until: number])[] = [
  ['this morning|heute (?:früh|morgen|vormittag)|ce matin|esta mañana|vanmorgen|stamattina', 4, 12],
  [
    '(?:by|before|around|at|over) lunch(?:time)?|zum mittagessen|avant le déjeuner|antes de comer|voor de lunch|prima di pranzo',
    11,
    15,
  ],
  ['this afternoon|heute nachmittag|cet après-midi|esta tarde|vanmiddag|questo pomeriggio', 12, 18],
  [
    'tonight|this evening|(?:every|by the|in the) evening|heute abend|heute nacht|ce soir|cette nuit|esta noche|vanavond|vannacht|stasera|stanotte',
    17,
    24,
  ],
];
const patterns = parts.map(
  ([pattern, from, until]) => [new RegExp(`(?<!\\p{L})(?:${pattern})(?!\\p{L})`, 'giu'), from, until] as const,
);

/** The parts of a day that a text names. */
export const dayPartsIn = (text: string): readonly DayPart[] =>
  patterns.flatMap(([pattern, from, until]) => [...text.matchAll(pattern)].map(([it]) => ({ text: it, from, until })));
