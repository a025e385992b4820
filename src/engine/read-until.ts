import { limits } from '../core/limits.ts';
import type { Watch } from '../core/outcome.ts';
import type { EngineParts } from './parts.ts';
import type { Polling } from './polling.ts';
import type { Body } from './render.ts';

/**
 * Polls until the awaited state is reached, the caller cancels, or the attempts are used up: the answer then has the current
 * state. Reports each step as progress.
 */
export async function readUntil(
  { ports }: Pick<EngineParts, 'ports'>,
  { isOver, progress }: Polling,
  read: () => Promise<Body>,
  { signal, onProgress }: Watch,
): Promise<Body> {
  for (let look = 1; ; look += 1) {
    const body = await read();
    const isLast = body.outcome !== 'done' || isOver(body.data ?? {}) || look >= limits.pollAttempts;
    if (isLast || signal?.aborted) return body;
    onProgress?.(progress(body.data ?? {}));
    await ports.pause(limits.pollSeconds * 1_000, signal);
    if (signal?.aborted) return body;
  }
}
