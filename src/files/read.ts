import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs';
import { attempt, checkFile, requireSafe, UnsafeFile } from './check.ts';
import { type Kind, type KindName, kinds } from './kinds.ts';

/** Without waiting for the other end of a FIFO; Windows has neither flag. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const NO_LINK = constants.O_NOFOLLOW ?? 0;
const STDIN = 0;
const CHUNK_BYTES = 65_536;

/**
 * Reads a file that is what its kind must be. It is looked at before it is opened, because opening a device can do
 * something, and again once it is open, because it may have been exchanged meanwhile. Throws UnsafeFile.
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

/** Reads a text file that is what its kind must be. Throws UnsafeFile. */
export const readText = (name: KindName, path: string): string => readBytes(name, path).toString('utf8');

/** Reads what comes over stdin, within the bound of its kind. Throws UnsafeFile. */
export const readStdin = (name: KindName): string =>
  attempt(kinds[name], 'stdin', () => readAtMost(kinds[name], 'stdin', STDIN).toString('utf8'));

/** A size of 0 says nothing of a file that a kernel makes up, so what is read is counted. */
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

/** The files under a folder, at any depth; the path itself where it is a file. Undefined where there is nothing. */
export function filesUnder(path: string): readonly string[] | 'file' | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  return found.isDirectory() ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : 'file';
}

/** Where links lead in the end. */
export const realPathOf = (path: string): string => realpathSync(path);
