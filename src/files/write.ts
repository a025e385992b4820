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
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { attempt, isThere, refuseLink, requireSafe } from './check.ts';
import { type Kind, type KindName, kinds } from './kinds.ts';

const OWNER_FILE = 0o600;
/** Before the umask. */
const SHARED_FILE = 0o666;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
const NO_LINK = constants.O_NOFOLLOW ?? 0;
const DRAFT_BYTES = 6;

const modeOf = ({ trust }: Kind): number => (trust === 'anyone' ? SHARED_FILE : OWNER_FILE);

/**
 * Writes a file that must not exist yet: complete or not at all, and never through a link. Durable when it returns.
 * Throws UnsafeFile.
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
 * Replaces a file, or creates it. An existing one must be as its kind requires. Durable when it returns; a reader sees
 * the old or the new content, never a part. Throws UnsafeFile.
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

/** Throws UnsafeFile if `replaceFile` could not replace a file. Leaves nothing behind. */
export function requireReplaceable(name: KindName, path: string, text: string): void {
  const kind = kinds[name];
  attempt(kind, path, () => rmSync(drafted(kind, path, text)));
}

/** Appends to one of Purser's files, in a single write. Throws UnsafeFile. */
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

/** Creates a folder for results, with missing parents. */
export function makeFolders(name: KindName, folder: string): void {
  attempt(kinds[name], folder, () => makeEach(resolve(folder)));
}

/** One by one: Node's recursive mkdir never returns where a parent can't be created, such as below /proc. */
function makeEach(folder: string): void {
  if (isFolder(folder)) return;
  makeEach(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!isFolder(folder)) throw error; // otherwise another process created it first
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** A new temporary folder for this user only. */
export const temporaryFolder = (prefix: string): string => mkdtempSync(join(tmpdir(), prefix));

/** The path of a temporary folder with this name. */
export const temporaryPath = (name: string): string => join(tmpdir(), name);

export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** Writes the text to a temporary file beside the target, on disk. */
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

/** A new name is durable when its folder is synced. Windows can't open folders and doesn't need this. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const opened = openSync(folder, constants.O_RDONLY);
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
