import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { UnsafeFile } from '../../src/files/check.ts';
import { createFileStore } from '../../src/files/store.ts';
import { folder } from '../support/folder.ts';

// A stored file that somebody replaces after it was checked, and before it is opened.

const race = vi.hoisted(() => ({ replace: (_path: string): void => undefined }));
vi.mock('node:fs', async (real) => {
  const fs = await real<typeof import('node:fs')>();
  const openSync: typeof fs.openSync = (path, ...more) => {
    race.replace(String(path));
    return fs.openSync(path, ...more);
  };
  return { ...fs, openSync };
});
afterEach(() => {
  race.replace = () => undefined;
});

const replacements = [
  ['a FIFO', (path: string) => execFileSync('mkfifo', ['-m', '600', path])],
  ['a folder', (path: string) => mkdirSync(path, { mode: 0o700 })],
  ['a file that others may write', (path: string) => writeFileSync(path, 'theirs', { mode: 0o666 })],
] as const;

it.runIf(process.platform === 'linux').each(replacements)(
  'by %s is refused at once, and stays open nowhere',
  (what, put) => {
    const own = join(folder(), 'files');
    mkdirSync(own, { mode: 0o700 });
    const store = createFileStore({ folder: own, clock: { now: () => 0 } });
    const umask = process.umask(0);
    race.replace = (path) => {
      rmSync(path, { recursive: true });
      put(path);
    };
    const open = () => readdirSync('/proc/self/fd').length;
    const before = open();
    for (const read of [() => store.read('file_a', 0, 9), () => store.stream('file_a', 9)]) {
      rmSync(join(own, 'file_a'), { recursive: true, force: true });
      writeFileSync(join(own, 'file_a'), 'ours', { mode: 0o600 });
      expect(read, what).toThrow(UnsafeFile);
    }
    process.umask(umask);
    expect(open()).toBe(before);
  },
);
