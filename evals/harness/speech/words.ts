// Borders of words for patterns, as those of regular expressions know only ASCII letters.

export const edge = '(?<![\\p{L}\\p{N}])';
export const end = '(?![\\p{L}\\p{N}])';

/** Any of some words or phrases, as a whole and in either case. */
export const words = (...all: readonly string[]): RegExp => new RegExp(`${edge}(?:${all.join('|')})${end}`, 'iu');
