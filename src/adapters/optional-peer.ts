/** The framework of an adapter is not installed. The message names it and how to install it. */
class MissingPeer extends Error {
  constructor(entry: string, name: string) {
    super(`${entry} needs the package ${name}, which is not installed: npm install ${name}`);
    this.name = 'MissingPeer';
  }
}

/** Loads an optional peer. Throws MissingPeer if it isn't installed; errors while loading pass through. */
export async function loadPeer<T>(entry: string, name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    // A package that the peer itself misses is another error, with its own message.
    if (isNotFound(error) && error.message.includes(`'${name}'`)) throw new MissingPeer(entry, name);
    throw error;
  }
}

const isNotFound = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
