import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { LedgerUnavailable } from './ledger.ts';

const OWNER_FOLDER = 0o700;
const OWNER_FILE = 0o600;
const OTHERS_ANYTHING = 0o077;
const OTHERS_WRITE = 0o022;

/** What leads out, by what the operating system said. */
const advice: { readonly [code: string]: string | undefined } = {
  ENOENT: 'the folder above does not exist; create it or name another file',
  ENOTDIR: 'a part of the path is a file, not a folder; name another file',
  EACCES: 'this user may not write there; change the rights or name another file',
  EPERM: 'this user may not change it; change its owner or name another file',
  EROFS: 'the disk is read-only; name a file on a writable one',
  ENOSPC: 'the disk is full; free some space',
};

/**
 * Makes sure that `file` and its companions can be read by their owner alone. A missing file is made with mode 0600,
 * a missing folder (only the last one: a missing mount must not become an empty ledger) with 0700. Wider modes are
 * taken back where the file is ours. Throws LedgerUnavailable where it is not, or where others may write the folder.
 */
export function makePrivate(file: string): void {
  const folder = dirname(file);
  unless('EEXIST', folder, () => mkdirSync(folder, { mode: OWNER_FOLDER }));
  if (others(folder, OTHERS_WRITE))
    throw new LedgerUnavailable(
      `Others may write the ledger's folder ${folder}: run "chmod go-w" on it, or name a file in a folder of its own.`,
    );
  // 'wx' never opens a file that is there: closing it again would drop the locks of this process's other connections.
  unless('EEXIST', file, () => closeSync(openSync(file, 'wx', OWNER_FILE)));
  for (const companion of [file, `${file}-wal`, `${file}-shm`]) tighten(companion);
}

function tighten(file: string): void {
  if (!others(file, OTHERS_ANYTHING)) return;
  if (statSync(file, { throwIfNoEntry: false })?.uid !== process.getuid?.())
    throw new LedgerUnavailable(
      `Others may read ${file}, and it belongs to another user: have its owner run "chmod 600".`,
    );
  // Another process that closes the ledger removes the companions.
  unless('ENOENT', file, () => chmodSync(file, OWNER_FILE));
}

/** Whether group or others have one of these rights. Windows has no such modes. */
function others(path: string, rights: number): boolean {
  const found = process.platform === 'win32' ? undefined : statSync(path, { throwIfNoEntry: false });
  return found !== undefined && (found.mode & rights) !== 0;
}

function unless(expected: string, path: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    if (code === expected) return;
    throw new LedgerUnavailable(`Purser needs ${path} (${code}): ${advice[code] ?? 'see the cause'}.`, {
      cause: error,
    });
  }
}
