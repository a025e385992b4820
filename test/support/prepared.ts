import { afterAll, beforeAll } from 'vitest';
import type { EngineParts } from '../../src/engine/parts.ts';
import { type Again, openWorld, remember, type World } from '../engine/support.ts';

/** A world as it was prepared, and what preparing it has answered. */
export interface Prepared<Made> {
  readonly it: World;
  readonly made: Made;
}

/** Within a `describe`: prepares one world for all its tests. Each gets it as it was then, with an engine that has just started. */
export function prepared<Made>(
  prepare: (it: World) => Promise<Made>,
  options: Parameters<typeof openWorld>[0] = {},
): (settings?: Partial<EngineParts['settings']>) => Promise<Prepared<Made>> {
  let opened: World;
  let made: Made;
  let again: Again;
  beforeAll(async () => {
    opened = await openWorld(options);
    made = await prepare(opened);
    again = await remember(opened);
  });
  afterAll(async () => {
    await again(); // lets the engine of the last test end what it does
    await opened.running.close();
  });
  return async (settings) => ({ it: await again(settings), made });
}
