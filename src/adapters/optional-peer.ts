/** A framework that an adapter is for is not installed. The message says which one, and how to install it. */
export class MissingPeer extends Error {
  constructor(entry: string, name: string) {
    super(`${entry} needs the package ${name}, which is not installed: npm install ${name}`);
    this.name = 'MissingPeer';
  }
}

/** Loads an optional peer. Throws MissingPeer where it can't be found, and whatever it throws itself while it loads. */
export async function loadPeer<T>(entry: string, name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    // A package that the peer itself misses is another problem, with a message of its own.
    if (isNotFound(error) && error.message.includes(`'${name}'`)) throw new MissingPeer(entry, name);
    throw error;
  }
}

const isNotFound = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
