import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf, isThere, thisUser, UnsafeFile } from './check.ts';
import { type KindName, kinds } from './kinds.ts';

const OWNER_FOLDER = 0o700;
const OWNER_FILE = 0o600;
const OTHERS_ANYTHING = 0o077;
const OTHERS_WRITE = 0o022;
const ROOT = 0;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** The suffixes of a SQLite database and its companion files. */
export const companions = ['', '-wal', '-shm', '-journal'] as const;

/** What to do, by error code of the operating system. */
const advice: { readonly [code: string]: string | undefined } = {
  ENOENT: 'the folder above does not exist; create it or name another file',
  ENOTDIR: 'a part of the path is a file, not a folder; name another file',
  EACCES: 'this user may not write there; change the permissions or name another file',
  EPERM: 'this user may not change it; change its owner or name another file',
  EROFS: 'the disk is read-only; name a file on a writable disk',
  ENOSPC: 'the disk is full; free some space',
  ELOOP: 'it is a link that leads to itself; name another file',
  ENAMETOOLONG: 'the name is too long; choose a shorter one',
};

/**
 * Ensures that a database and its companions are regular files that only this user may read, before SQLite opens them:
 * SQLite follows links, and its files get the umask's modes. Creates a missing file with mode 0600 and a missing folder
 * with 0700 (only the last one: an unmounted volume must not become an empty ledger). Narrows wider modes. Throws
 * UnsafeFile if something else is there, another user owns it, or others may write the folder.
 */
export function makePrivate(name: KindName, file: string): void {
  const { what } = kinds[name];
  const folder = dirname(file);
  unless('EEXIST', folder, () => mkdirSync(folder, { mode: OWNER_FOLDER }));
  requireFolder(what, folder);
  // O_EXCL never opens an existing file: closing it would release the locks of this process's other connections.
  unless('EEXIST', file, () => closeSync(openSync(file, CREATE, OWNER_FILE)));
  for (const companion of companions) restrict(what, `${file}${companion}`);
}

/** What `makePrivate` would throw, without creating or changing anything. */
export function requireMakeable(name: KindName, file: string): void {
  const { what } = kinds[name];
  const folder = dirname(file);
  requireFolder(what, folder);
  if (!isThere(file)) lookedAt(file, () => requireWritable(folder));
  for (const companion of companions) requireOwn(what, `${file}${companion}`);
}

/** Creates a database that isn't there, as `makePrivate` does. One that is there is only looked at: it may be another program's. */
export const makeMissing = (name: KindName, file: string): void =>
  (isThere(file) ? requireMakeable : makePrivate)(name, file);

/** Throws the operating system's error unless this user may create files in a folder. */
export const requireWritable = (folder: string): void => accessSync(`${folder}/`, constants.W_OK | constants.X_OK); // with the slash, a file is no folder

/** Throws UnsafeFile if the last name of a path can't be one below an existing folder, as one that is too long. */
export const requireName = (path: string, existing: string): void =>
  void lookedAt(path, () => lstatSync(join(existing, basename(path)), { throwIfNoEntry: false }));

/** Whether other users have any permission. */
export const isOpenToOthers = (path: string): boolean =>
  thisUser() !== undefined && (statSync(path).mode & OTHERS_ANYTHING) !== 0;

/** Bytes of a database; 0 if it doesn't exist. */
export const bytesOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** Bytes of the files of an open database. */
export interface OpenBytes {
  readonly database: number;
  readonly log: number;
}

/**
 * Remembers which files an open database consists of. What is returned tells their sizes as long as their paths still name them: a
 * database that is moved, removed or replaced stays open, and what is written to it then is lost when it is closed.
 */
export function rememberFiles(file: string): () => OpenBytes | undefined {
  const opened = openFiles.map((end) => found(`${file}${end}`)?.id);
  return () => {
    const [database, log, ...more] = openFiles.map((end) => found(`${file}${end}`));
    const areOurs = [database, log, ...more].every((it, at) => opened[at] === undefined || it?.id === opened[at]);
    return areOurs ? { database: database?.bytes ?? 0, log: log?.bytes ?? 0 } : undefined;
  };
}

/** Those that exist as long as a connection with a log is open: the database, its log, and the log's index. */
const openFiles = companions.filter((end) => end !== '-journal');

/** Undefined if there is no file. */
function found(path: string): { readonly id: string; readonly bytes: number } | undefined {
  const it = lookedAt(path, () => lstatSync(path, { bigint: true, throwIfNoEntry: false }));
  return it && { id: [it.dev, it.ino].join('/'), bytes: Number(it.size) };
}

/**
 * A fingerprint of a closed database that every write changes: it includes the time of the last change, which nobody
 * can set back without changing the system clock. Undefined if a log file has more data, or the file doesn't exist or
 * can't be inspected.
 */
export function stateOf(file: string): string | undefined {
  const options = { bigint: true, throwIfNoEntry: false } as const;
  try {
    const found = statSync(file, options);
    const log = statSync(`${file}-wal`, options)?.size ?? 0n;
    return found === undefined || log > 0n ? undefined : [found.ino, found.size, found.ctimeNs].join('/');
  } catch (error) {
    if (codeOf(error) === 'unknown') throw error;
    return undefined;
  }
}

/**
 * Whether code can be kept in a folder, because only this user can write to it and below it. Creates a missing one with its parents,
 * and narrows it, whatever the umask: the folders that Node makes in it get the umask's modes.
 */
export function isOwnFolder(folder: string): boolean {
  try {
    makeWithParents(folder);
    requireFolder('cache', folder);
    if (isOpenToOthers(folder)) chmodSync(folder, OWNER_FOLDER);
    return true;
  } catch {
    return false;
  }
}

function makeWithParents(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) return;
  makeWithParents(dirname(folder));
  unless('EEXIST', folder, () => makeOwnFolder(folder)); // another process may create it first
}

/** Creates a folder for this user only. Throws the operating system's error. */
export const makeOwnFolder = (folder: string): void => void mkdirSync(folder, { mode: OWNER_FOLDER });

/** Throws UnsafeFile if other users could replace the files in a folder. */
export function requireFolder(what: string, folder: string): void {
  const link = lookedAt(folder, () => lstatSync(folder));
  const found = link.isSymbolicLink() ? lookedAt(folder, () => statSync(folder, { throwIfNoEntry: false })) : link;
  if (found === undefined || !found.isDirectory())
    throw new UnsafeFile('type', `The folder ${folder} of the ${what} is not a folder: name another one.`);
  const me = thisUser();
  if (me === undefined) return;
  if ([link, found].some(({ uid }) => uid !== me && uid !== ROOT))
    throw new UnsafeFile(
      'owner',
      `The folder ${folder} of the ${what} belongs to another user: have this user own it, or name another one.`,
    );
  if ((found.mode & OTHERS_WRITE) !== 0)
    throw new UnsafeFile(
      'writable',
      `Others may write the folder ${folder} of the ${what}: run "chmod go-w" on it, or name a file in a folder of its own.`,
    );
}

function restrict(what: string, file: string): void {
  const found = requireOwn(what, file);
  if (found === undefined || thisUser() === undefined || (found.mode & OTHERS_ANYTHING) === 0) return;
  // Another process removes the companions when it closes the database.
  unless('ENOENT', file, () => chmodSync(file, OWNER_FILE));
}

/** Throws UnsafeFile unless a file is regular and this user's. Undefined if there is none. */
function requireOwn(what: string, file: string): Stats | undefined {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (found.isSymbolicLink())
    throw new UnsafeFile('link', `The ${what} ${file} is a symbolic link: name the file itself.`);
  if (!found.isFile()) throw new UnsafeFile('type', `The ${what} ${file} is not a regular file: name another file.`);
  const me = thisUser();
  if (me !== undefined && found.uid !== me)
    throw new UnsafeFile(
      'owner',
      `The ${what} ${file} belongs to another user: run Purser as that user, or name another file.`,
    );
  return found;
}

function unless(expected: string, path: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    if (codeOf(error) !== expected) throw refusal(path, error);
  }
}

function lookedAt<T>(path: string, look: () => T): T {
  try {
    return look();
  } catch (error) {
    throw refusal(path, error);
  }
}

/** The operating system's error as a sentence. */
const refusal = (path: string, cause: unknown): UnsafeFile =>
  new UnsafeFile('refused', `Purser needs ${path} (${codeOf(cause)}): ${advice[codeOf(cause)] ?? 'see the cause'}.`, {
    cause,
  });
