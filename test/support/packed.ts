import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const installed = (name: string) => join(root, 'node_modules', name);

export interface Unpacked {
  readonly folder: string;
  readonly remove: () => void;
}

/** A folder with the package in a tarball, and its dependencies, but no peer. They are linked, because no test downloads anything. */
export function unpacked(tarball: string): Unpacked {
  const folder = mkdtempSync(join(tmpdir(), 'purser-unpacked-'));
  const modules = join(folder, 'node_modules');
  const own = join(modules, 'purser');
  mkdirSync(own, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', own, '--strip-components=1']);
  const here = { folder, remove: () => rmSync(folder, { recursive: true }) };
  const { dependencies } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  add(here, Object.keys(dependencies));
  return here;
}

/** Adds packages that are installed in this tree to such a folder, as `npm install` would. */
export function add({ folder }: Unpacked, names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true });
    symlinkSync(installed(name), join(folder, 'node_modules', name));
  }
}

/** The compiler's command of this tree, run by Node. */
export const compiler = installed('typescript/bin/tsc');
