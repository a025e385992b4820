import { distance } from 'fastest-levenshtein';

/** The known name that a misspelled one most likely means; undefined if none is close enough. */
export function closestName(given: string, known: readonly string[]): string | undefined {
  const [best] = known
    .filter((name) => Math.abs(name.length - given.length) <= mostSlips) // computing the distance of long texts is slow
    .map((name) => ({ name, slips: distance(given.toLowerCase(), name.toLowerCase()) }))
    .toSorted((one, other) => one.slips - other.slips);
  return best !== undefined && best.slips <= Math.min(mostSlips, Math.floor(best.name.length / 3))
    ? best.name
    : undefined;
}

/** The question in brackets after a name that isn't known: empty if no known one is close enough. */
export function didYouMean(given: string, known: readonly string[]): string {
  const closest = closestName(given, known);
  return closest === undefined ? '' : ` (did you mean ${closest}?)`;
}

/** Letters that may be missing, added or wrong in a name, at most one in three. Own choice. */
const mostSlips = 2;
