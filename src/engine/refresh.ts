import type { Facts } from '../domains/facts.ts';
import type { Caller } from '../ledger/ledger.ts';
import { readClock } from './clock-skew.ts';
import type { Valve } from './gates.ts';
import type { EngineParts } from './parts.ts';
import { lookUp } from './read.ts';
import { Refused } from './refusal.ts';
import { type Body, refused } from './render.ts';
import type { PlatformTool } from './tool.ts';

/**
 * Brings up to date what a decision depends on and what changes without us: the platform's time, and what the tool names.
 * What the platform does not answer stays as it was known: then the first such answer is given back, for a call that moves
 * money is not decided by data that may be stale.
 */
export async function refresh(
  parts: EngineParts,
  valve: Valve,
  tool: PlatformTool,
  given: Facts['args'],
  caller: Caller,
): Promise<Body | undefined> {
  await readClock(parts, valve, tool);
  let stale: Body | undefined;
  for (const { tool: asked, args } of tool.refresh ?? []) {
    const wanted = args(given);
    if (wanted === undefined) continue;
    const body = await lookUp(parts, valve, asked, asked.inputSchema.parse(wanted), caller).catch((error: unknown) => {
      // A handle that names nothing is refused by the call itself, in its own words.
      if (error instanceof Refused) return refused(error.refusal);
      throw error;
    });
    if (body.outcome !== 'done') stale ??= body;
  }
  return stale;
}
