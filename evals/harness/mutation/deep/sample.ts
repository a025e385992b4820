import { type Random, randomFrom } from '../../fuzz/random.ts';
import type { Site } from './sites.ts';

/**
 * So many of the sites, drawn by a seed: each kind of bug in its turn, in any module that can have it, so that neither
 * frequent kinds nor long modules outweigh the others.
 */
export function sampleOf(
  sites: readonly Site[],
  count: number,
  seed: number,
  isGood: (site: Site) => boolean,
): readonly Site[] {
  const random = randomFrom(seed);
  const kinds = [...Map.groupBy(sites, ({ operator }) => operator).values()].map((all) =>
    [...Map.groupBy(all, ({ file }) => file).values()].map((list) => [...list]),
  );
  const drawn: Site[] = [];
  for (let turn = 0; drawn.length < count && kinds.some((files) => files.length > 0); turn += 1) {
    const site = drawOne(kinds[turn % kinds.length] ?? [], random);
    if (site !== undefined && isGood(site)) drawn.push(site);
  }
  return drawn;
}

/** Takes a site out of the lists of a kind; a list that is empty goes. */
function drawOne(files: Site[][], random: Random): Site | undefined {
  if (files.length === 0) return undefined;
  const at = random.below(files.length);
  const list = files[at] ?? [];
  const [site] = list.splice(random.below(list.length), 1);
  if (list.length === 0) files.splice(at, 1);
  return site;
}
