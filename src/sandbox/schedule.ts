import type { Kind, Kinds } from './documents.ts';
import type { Settlers } from './domain.ts';
import type { World } from './world.ts';

type Settler = (world: World, it: Kinds[Kind]) => void | Promise<void>;

/** Settles everything that is due, in the order and at the moments in which it fell due. */
export async function settle(world: World, settlers: Settlers): Promise<void> {
  const kinds = Object.keys(settlers) as Kind[]; // the keys of the table
  for (let next = world.firstDue(kinds); next !== undefined; next = world.firstDue(kinds)) {
    const settler = settlers[next.kind] as Settler; // it takes documents of its own kind
    await settler(world.at(next.document.due ?? world.now), next.document);
  }
}
