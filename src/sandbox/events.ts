import type { EventDocument } from './documents.ts';
import type { World } from './world.ts';

/** Records an event. It is due at once, for whoever delivers events. */
export const publish = (world: World, event: Omit<EventDocument, 'due'>): EventDocument =>
  world.put('event', { ...event, due: world.now });
