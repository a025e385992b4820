import { accessSync, constants, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A new folder for files that a proof writes again and again. Where the system has one it lies in memory, so that nobody waits
 * for a disk: what a process leaves behind when it is killed is the same there. Whoever makes it removes it.
 */
export const quickFolder = (prefix: string): string => mkdtempSync(join(memory() ?? tmpdir(), prefix));

function memory(): string | undefined {
  const shared = '/dev/shm';
  try {
    accessSync(shared, constants.W_OK);
    return shared;
  } catch {
    return undefined; // other systems have none
  }
}
