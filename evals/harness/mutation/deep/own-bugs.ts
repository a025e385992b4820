import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { packageFolder } from '../../scenario/packaged.ts';
import type { Builder } from './bundle.ts';
import { buildOf } from './bundle.ts';
import { domainOf, layerOf, type Module, type Parse, type Site } from './sites.ts';
import { type Range, reachedWith, type Spot, spotsIn } from './syntax.ts';

// Bugs that somebody wrote, rather than those an operator finds.

export const ownBugsSchema = z.array(
  z.strictObject({
    /** What somebody would see, in words. */
    title: z.string(),
    /** Bugs of a kind are scored together. */
    kind: z.string(),
    file: z.string(),
    /** What stands in the file once, and what is to stand there. */
    find: z.string().min(1),
    replace: z.string(),
  }),
);
export type OwnBug = z.output<typeof ownBugsSchema>[number];

/** A bug that can't be planted. */
export class UnplantableBug extends Error {
  override readonly name = 'UnplantableBug';

  constructor({ title, file }: OwnBug, because: string) {
    super(`"${title}" in ${file}: ${because}`);
  }
}

/** Each bug as the change of the build that it makes. */
export async function sitesOfBugs(
  bugs: readonly OwnBug[],
  modules: readonly Module[],
  whole: string,
  { build, parse }: { readonly build: Builder; readonly parse: Parse },
): Promise<readonly Site[]> {
  const sites: Site[] = [];
  for (const bug of bugs) {
    const { title, kind, file } = bug;
    const layer = layerOf(file);
    if (layer === undefined) throw new UnplantableBug(bug, 'no scenario can come to this file.');
    const { text } = await buildOf(build, { file, text: withBug(bug) });
    const change = differing(whole, text);
    if (change === undefined) throw new UnplantableBug(bug, 'the build does not differ.');
    const module = modules.find(({ start, end }) => start <= change.start && change.end <= end);
    const reach = module && reachOf(change, module, whole, parse);
    sites.push({ title, operator: kind, file, layer, domain: domainOf(file), ...change, reach });
  }
  return sites;
}

/** The source of a file with a bug. */
function withBug(bug: OwnBug): string {
  const source = readFileSync(join(packageFolder, bug.file), 'utf8');
  const [before = '', after, ...others] = source.split(bug.find);
  if (after === undefined) throw new UnplantableBug(bug, '`find` does not stand there.');
  if (others.length > 0) throw new UnplantableBug(bug, '`find` stands there more than once.');
  return before + bug.replace + after;
}

/** Where two texts differ, and what stands there in the other; undefined if they are equal. */
export function differing(one: string, other: string): (Range & { readonly text: string }) | undefined {
  if (one === other) return undefined;
  const shortest = Math.min(one.length, other.length);
  let start = 0;
  while (start < shortest && one[start] === other[start]) start += 1;
  let same = 0;
  while (same < shortest - start && one.at(-1 - same) === other.at(-1 - same)) same += 1;
  return { start, end: one.length - same, text: other.slice(start, other.length - same) };
}

/** An expression that runs whenever a range of a module does. */
function reachOf(range: Range, { start, end }: Module, whole: string, parse: Parse): Range | undefined {
  const { program } = parse('module.js', whole.slice(start, end), { sourceType: 'module' });
  let innermost: Spot | undefined;
  for (const spot of spotsIn(program))
    if (spot.node.start + start <= range.start && range.end <= spot.node.end + start) innermost = spot;
  const reach = innermost && reachedWith(innermost);
  return reach && { start: reach.start + start, end: reach.end + start };
}
