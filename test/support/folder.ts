import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { memory } from './memory.ts';

/** A folder of this test alone, removed after it. */
export function folder(): string {
  const made = quickFolder('purser-test-');
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/**
 * A new folder. Where the system has one it lies in memory, so that nobody waits for a disk at every commit: what a process leaves
 * behind when it is killed is the same there. Whoever makes it removes it.
 */
export const quickFolder = (prefix: string): string => mkdtempSync(join(memory() ?? tmpdir(), prefix));
