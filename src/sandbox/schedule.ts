import type { Kinds } from './documents.ts';
import type { World } from './world.ts';

/** What the clock does to documents that fall due, by kind. Each settler clears or defers `due`. */
export type Settlers = {
  readonly [K in 'instruction' | 'subscription' | 'invoice' | 'late']: (
    world: World,
    it: Kinds[K],
  ) => void | Promise<void>;
};

/** Lets everything happen that the clock has reached, in the order and at the moments in which it fell due. */
export async function settle(world: World, settlers: Settlers): Promise<void> {
  // The kinds are the keys of the settlers.
  const kinds = Object.keys(settlers) as (keyof Settlers)[];
  for (let next = world.firstDue(kinds); next !== undefined; next = world.firstDue(kinds)) {
    // A document is settled by its own kind's settler.
    const settler = settlers[next.kind] as (world: World, it: Kinds[keyof Settlers]) => void | Promise<void>;
    await settler(world.at(next.document.due ?? world.now), next.document);
  }
}
