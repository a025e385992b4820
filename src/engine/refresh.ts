import type { Facts } from '../domains/facts.ts';
import type { Caller } from '../ledger/ledger.ts';
import { readClock } from './clock-skew.ts';
import { readPlatform } from './read-platform.ts';
import { Refused } from './refusal.ts';
import { type Body, refused } from './render.ts';
import type { EngineState } from './state.ts';
import type { PlatformTool } from './tool.ts';

/**
 * Reads what a decision depends on and others can change: the platform's clock, and what the tool names. Returns the
 * first failed read, because no call that moves money, or that a person approves, is decided on stale data.
 */
export async function refresh(
  state: Pick<EngineState, 'parts' | 'slots' | 'inFlight'>,
  tool: PlatformTool,
  given: Facts['args'],
  caller: Caller,
): Promise<Body | undefined> {
  await readClock(state.parts, state.slots, tool);
  let stale: Body | undefined;
  for (const { tool: asked, args, mayBeMissing } of tool.refresh ?? []) {
    const wanted = args(given, state.parts.ports.clock.now());
    if (wanted === undefined) continue;
    const body = await readPlatform(state, asked, asked.inputSchema.parse(wanted), caller).catch((error: unknown) => {
      // The call itself refuses an unknown handle.
      if (error instanceof Refused) return refused(error.refusal);
      throw error;
    });
    // Unknown: it is missing, and a call that is under way may make it. What that means for this call is decided with it.
    const isMissing = body.error?.code === 'NOT_FOUND' || body.outcome === 'unknown';
    if (body.outcome !== 'done' && !(mayBeMissing && isMissing)) stale ??= body;
  }
  return stale;
}
