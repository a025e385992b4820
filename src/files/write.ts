import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fsyncSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { attempt, isThere, refuseLink, requireSafe } from './check.ts';
import { type Kind, type KindName, kinds } from './kinds.ts';

const OWNER_FILE = 0o600;
/** What the umask leaves of it. */
const SHARED_FILE = 0o666;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
const NO_LINK = constants.O_NOFOLLOW ?? 0;
const DRAFT_BYTES = 6;

const modeOf = ({ trust }: Kind): number => (trust === 'anyone' ? SHARED_FILE : OWNER_FILE);

/**
 * Writes a file that must not exist yet: whole or not at all, and never through a link. When it returns, the file survives a
 * crash of the machine. Throws UnsafeFile.
 */
export function writeNew(name: KindName, path: string, text: string): void {
  const kind = kinds[name];
  attempt(kind, path, () => {
    const draft = drafted(kind, path, text);
    try {
      linkSync(draft, path);
    } finally {
      rmSync(draft);
    }
    syncFolder(dirname(path));
  });
}

/**
 * Puts a file in the place of an earlier one, if there is one, which must be what its kind must be. When it returns, the
 * new content survives a crash of the machine; a reader sees the old or the new one, never half. Throws UnsafeFile.
 */
export function replaceFile(name: KindName, path: string, text: string): void {
  const kind = kinds[name];
  if (isThere(path)) {
    refuseLink(name, path);
    requireSafe(name, path);
  }
  attempt(kind, path, () => {
    const draft = drafted(kind, path, text);
    try {
      renameSync(draft, path);
    } catch (error) {
      rmSync(draft);
      throw error;
    }
    syncFolder(dirname(path));
  });
}

/** Adds to a file of ours, in one write. Throws UnsafeFile. */
export function appendTo(name: KindName, path: string, text: string): void {
  requireSafe(name, path);
  attempt(kinds[name], path, () => {
    const file = openSync(path, constants.O_WRONLY | constants.O_APPEND | NO_LINK);
    try {
      writeFileSync(file, text);
    } finally {
      closeSync(file);
    }
  });
}

/** Makes a folder for results, with what is missing above it. */
export function makeFolders(name: KindName, folder: string): void {
  attempt(kinds[name], folder, () => mkdirSync(folder, { recursive: true }));
}

/** A new folder of this user alone, for a while. */
export const temporaryFolder = (prefix: string): string => mkdtempSync(join(tmpdir(), prefix));

export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** The text in a file of another name beside it, on disk. */
function drafted(kind: Kind, path: string, text: string): string {
  const draft = `${path}.${randomBytes(DRAFT_BYTES).toString('hex')}`;
  const file = openSync(draft, CREATE | NO_LINK, modeOf(kind));
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } catch (error) {
    rmSync(draft);
    throw error;
  } finally {
    closeSync(file);
  }
  return draft;
}

/** A new name is durable once its folder is. Windows can't open a folder, and needs none of it. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const opened = openSync(folder, constants.O_RDONLY);
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
