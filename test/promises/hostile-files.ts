import { execFileSync } from 'node:child_process';
import { chmodSync, lchownSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import type { Fault } from '../../src/files/check.ts';
import type { Trust } from '../../src/files/kinds.ts';
import { folder } from '../faces/cli.ts';

// What somebody else may have put in the place of a file, and what is wrong with it by whom the file is trusted from.

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

export interface Form {
  readonly make: (path: string) => void | Promise<void>;
  readonly faults: { readonly [T in Trust]: Fault | undefined };
}

const everybody = (fault: Fault) => ({ self: fault, operator: fault, anyone: fault }) as const;
const trusted = (fault: Fault) => ({ self: fault, operator: fault, anyone: undefined }) as const;

const good = (path: string, mode = 0o600): void => {
  writeFileSync(path, 'x'.repeat(64), { mode });
  chmodSync(path, mode);
};

/** Has somebody else own it: in truth where this user may, or else by another answer of who this user is. */
export function giveAway(path: string): void {
  if (isRoot) {
    lchownSync(path, NOBODY, NOBODY);
    return;
  }
  vi.spyOn(process, 'geteuid').mockReturnValue(NOBODY);
  onTestFinished(() => void vi.restoreAllMocks());
}

export const forms = {
  'a link of ours to a file of ours': {
    make: (path) => {
      good(`${path}.target`);
      symlinkSync(`${path}.target`, path);
    },
    faults: { self: 'link', operator: undefined, anyone: undefined },
  },
  "another user's link to a file of ours": {
    make: (path) => {
      good(`${path}.target`);
      symlinkSync(`${path}.target`, path);
      giveAway(path);
    },
    faults: { self: 'link', operator: 'link', anyone: undefined },
  },
  'a link that leads nowhere': {
    make: (path) => symlinkSync(join(folder(), 'nowhere'), path),
    faults: { self: 'link', operator: 'missing', anyone: 'missing' },
  },
  'a folder': { make: (path) => mkdirSync(path, { mode: 0o700 }), faults: everybody('type') },
  'a FIFO': { make: (path) => void execFileSync('mkfifo', ['-m', '600', path]), faults: everybody('type') },
  'a socket': {
    make: async (path) => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(path, resolve));
      onTestFinished(() => void server.close());
    },
    faults: everybody('type'),
  },
  'a link to an endless device': {
    make: (path) => symlinkSync('/dev/zero', path),
    faults: { self: 'link', operator: 'type', anyone: 'type' },
  },
  "another user's file": {
    make: (path) => {
      good(path);
      giveAway(path);
    },
    faults: trusted('owner'),
  },
  'a file that the group may write': { make: (path) => good(path, 0o620), faults: trusted('writable') },
  'a file that everybody may write': { make: (path) => good(path, 0o602), faults: trusted('writable') },
  'a file that the group may read': { make: (path) => good(path, 0o640), faults: trusted('readable') },
  'a file that everybody may read': { make: (path) => good(path, 0o604), faults: trusted('readable') },
  'a file of endless size': {
    make: (path) => {
      good(path);
      truncateSync(path, limits.inputFileBytes + 1); // without a block on the disk
    },
    faults: everybody('size'),
  },
} as const satisfies { readonly [form: string]: Form };

export type FormName = keyof typeof forms;
export const formNames = Object.keys(forms) as readonly FormName[];
