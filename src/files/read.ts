import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs';
import { attempt, checkFile, requireSafe, UnsafeFile } from './check.ts';
import { type Kind, type KindName, kinds } from './kinds.ts';

// Reads files whole, each checked before it is opened and again by its descriptor.

/** Doesn't wait for the other end of a FIFO; Windows lacks both flags. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const NO_LINK = constants.O_NOFOLLOW ?? 0;
const STDIN = 0;
const CHUNK_BYTES = 65_536;

/**
 * Reads a file that is as its kind requires. Checks it before opening, because opening a device can have effects, and
 * again afterwards, because it may have been replaced. Throws UnsafeFile.
 */
export function readBytes(name: KindName, path: string): Buffer {
  const kind: Kind = kinds[name];
  requireSafe(name, path);
  return attempt(kind, path, () => {
    const file = openSync(path, kind.trust === 'self' ? READ | NO_LINK : READ);
    try {
      checkFile(kind, path, fstatSync(file));
      return readAtMost(kind, path, file);
    } finally {
      closeSync(file);
    }
  });
}

/** Reads a text file that is as its kind requires. Throws UnsafeFile. */
export const readText = (name: KindName, path: string): string => readBytes(name, path).toString('utf8');

/** Reads stdin, up to the size limit of its kind. Throws UnsafeFile. */
export const readStdin = (name: KindName): string =>
  attempt(kinds[name], 'stdin', () => readAtMost(kinds[name], 'stdin', STDIN).toString('utf8'));

/** Counts the bytes it reads: virtual files report a size of 0. */
function readAtMost({ what, bytes, todo }: Kind, path: string, file: number): Buffer {
  const chunks: Buffer[] = [];
  for (let total = 0; ; ) {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    const count = readSync(file, chunk);
    if (count === 0) return Buffer.concat(chunks);
    total += count;
    if (total > bytes) throw new UnsafeFile('size', `The ${what} ${path} has more than ${bytes} bytes: ${todo}.`);
    chunks.push(chunk.subarray(0, count));
  }
}

/** The files under a folder, at any depth; 'file' if the path is a file. Undefined if there is nothing. */
export function filesUnder(path: string): readonly string[] | 'file' | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  return found.isDirectory() ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : 'file';
}

/** The path with all links resolved. */
export const realPathOf = (path: string): string => realpathSync(path);
