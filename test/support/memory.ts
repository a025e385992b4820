import { accessSync, constants, statfsSync } from 'node:fs';

/** Where the system keeps files in memory, and has room for the databases of all tests that run at once. */
export function memory(): string | undefined {
  const shared = '/dev/shm';
  try {
    accessSync(shared, constants.W_OK);
    const { bavail, bsize } = statfsSync(shared);
    return bavail * bsize > roomBytes ? shared : undefined;
  } catch {
    return undefined; // other systems have none
  }
}

const roomBytes = 2 ** 30;
