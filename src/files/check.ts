import { lstatSync, type Stats, statSync } from 'node:fs';
import { type Kind, type KindName, kinds } from './kinds.ts';

/** The fault of a file. */
export type Fault =
  | 'missing'
  | 'link'
  | 'type'
  | 'owner'
  | 'readable'
  | 'writable'
  | 'size'
  | 'refused'
  | 'exists'
  | 'full';

/**
 * A file that isn't as its kind requires. The message says which, why, and what to do, and contains none of the
 * content.
 */
export class UnsafeFile extends Error {
  override readonly name = 'UnsafeFile';
  readonly fault: Fault;
  constructor(fault: Fault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

const OTHERS_WRITE = 0o022;
const OTHERS_READ = 0o055;
/** Root's group may read root's files, as with mounted secrets. */
const EVERYBODY_READ = 0o005;
const ROOT = 0;

/** Throws UnsafeFile unless the file exists and is as its kind requires. */
export function requireSafe(name: KindName, path: string): void {
  const kind = kinds[name];
  const link = attempt(kind, path, () => lstatSync(path));
  if (link.isSymbolicLink()) checkLink(kind, path, link);
  checkFile(kind, path, link.isSymbolicLink() ? attempt(kind, path, () => statSync(path)) : link);
}

/** Throws UnsafeFile if the path is a link: its creator decides where a write goes. */
export function refuseLink(name: KindName, path: string): void {
  const { what, todo } = kinds[name];
  if (lstatSync(path).isSymbolicLink())
    throw new UnsafeFile('link', `The ${what} ${path} is a symbolic link: ${todo}.`);
}

/** The fault of a file; undefined if it is safe. */
export function faultOf(name: KindName, path: string): UnsafeFile | undefined {
  try {
    requireSafe(name, path);
    return undefined;
  } catch (error) {
    if (error instanceof UnsafeFile) return error;
    throw error;
  }
}

/**
 * Whether the path exists, even as a dangling link. A path that this user may not inspect counts as existing: opening
 * it then reports why.
 */
export function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return codeOf(error) !== 'ENOTDIR'; // a parent is a file, so nothing is below it
  }
}

/** Throws UnsafeFile unless this is a regular file with the required owner, mode and size. */
export function checkFile(kind: Kind, path: string, found: Stats): void {
  if (!found.isFile()) throw new UnsafeFile('type', `The ${kind.what} ${path} is not a regular file: ${kind.todo}.`);
  if (kind.trust !== 'anyone') checkRights(kind, path, found);
  if (found.size > kind.bytes)
    throw new UnsafeFile('size', `The ${kind.what} ${path} has more than ${kind.bytes} bytes: ${kind.todo}.`);
}

function checkRights({ what, trust, todo }: Kind, path: string, found: Stats): void {
  const me = thisUser();
  if (me === undefined) return;
  const isRoots = trust === 'operator' && found.uid === ROOT && me !== ROOT;
  if (found.uid !== me && !isRoots)
    throw new UnsafeFile('owner', `The ${what} ${path} belongs to another user: have this user own it, or ${todo}.`);
  if ((found.mode & OTHERS_WRITE) !== 0)
    throw new UnsafeFile(
      'writable',
      `Others may write the ${what} ${path}: check what it holds, then "chmod 600" it, or ${todo}.`,
    );
  if ((found.mode & (isRoots ? EVERYBODY_READ : OTHERS_READ)) !== 0)
    throw new UnsafeFile(
      'readable',
      `Others may read the ${what} ${path}: run "chmod 600" on it, and replace what it holds if somebody has read it.`,
    );
}

/** A link is only as trustworthy as its creator, and Purser creates none. */
function checkLink({ what, trust, todo }: Kind, path: string, link: Stats): void {
  const me = thisUser();
  const isTrusted = me === undefined || link.uid === me || link.uid === ROOT;
  if (trust === 'anyone' || (trust === 'operator' && isTrusted)) return;
  throw new UnsafeFile('link', `The ${what} ${path} is a symbolic link: ${todo}.`);
}

/** This user's id; undefined on Windows, which has no such owners and modes. */
export const thisUser = (): number | undefined => process.geteuid?.();

/** Runs an operation on a file, and explains the operating system's error. */
export function attempt<T>({ what, todo }: Kind, path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof UnsafeFile) throw error;
    const code = codeOf(error);
    const fault = faults[code] ?? 'refused';
    throw new UnsafeFile(
      fault,
      messages[fault]?.(what, path, todo) ??
        `The ${what} ${path} can't be used (${code}): give this user permission, or ${todo}.`,
      {
        cause: error,
      },
    );
  }
}

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown';

const faults: { readonly [code: string]: Fault | undefined } = {
  ENOENT: 'missing',
  ENOTDIR: 'missing',
  EEXIST: 'exists',
  ELOOP: 'link',
  EISDIR: 'type',
  ENXIO: 'type',
  ENOSPC: 'full',
  EDQUOT: 'full',
};

const messages: { readonly [F in Fault]?: (what: string, path: string, todo: string) => string } = {
  missing: (what, path, todo) => `There is no ${what} ${path}: ${todo}.`,
  link: (what, path, todo) => `The ${what} ${path} is a symbolic link: ${todo}.`,
  type: (what, path, todo) => `The ${what} ${path} is not a regular file: ${todo}.`,
  exists: (what, path, todo) => `The ${what} ${path} already exists: ${todo}.`,
  full: (what, path) => `The disk of the ${what} ${path} is full: free some space or some files.`,
};
