import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  rmSync,
  type Stats,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { attempt, UnsafeFile } from './check.ts';
import { type KindName, kinds } from './kinds.ts';
import { syncFolder } from './write.ts';

/** A new file for a secret that is still to come. Its owner alone can read it. */
export interface ReservedFile {
  /** Writes the text in the place of what was reserved, durably. Throws UnsafeFile. */
  fill(text: string): void;
  /** Closes the file, and removes it unless it was filled. */
  release(): void;
}

const OWNER_FILE = 0o600;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/**
 * Creates a file that must not exist yet, with room for so many bytes, so that what would keep a secret from being written shows
 * before the secret exists: a missing folder, a full disk, a lack of permission. Throws UnsafeFile.
 */
export function reserveFile(name: KindName, path: string, bytes: number): ReservedFile {
  const kind = kinds[name];
  const file = attempt(kind, path, () => openSync(path, CREATE, OWNER_FILE));
  const own = fstatSync(file);
  let isFilled = false;
  const release = (): void => {
    if (!isFilled && isSame(own, path)) rmSync(path);
    closeSync(file);
  };
  try {
    attempt(kind, path, () => {
      writeWhole(file, '\n'.repeat(bytes));
      fsyncSync(file);
      syncFolder(dirname(path));
    });
  } catch (error) {
    release();
    throw error;
  }
  return {
    fill: (text) =>
      attempt(kind, path, () => {
        if (!isSame(own, path))
          throw new UnsafeFile('missing', `The ${kind.what} ${path} was moved or replaced while it was waiting.`);
        ftruncateSync(file, writeWhole(file, text));
        fsyncSync(file);
        isFilled = true;
      }),
    release,
  };
}

/** Whether the path still names the file that was created. */
function isSame({ ino, dev }: Stats, path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.ino === ino && found.dev === dev;
}

/** Writes a text from the beginning of a file on. Returns its bytes. */
function writeWhole(file: number, text: string): number {
  const bytes = Buffer.from(text);
  let at = 0;
  while (at < bytes.length) at += writeSync(file, bytes, at, bytes.length - at, at);
  return at;
}
