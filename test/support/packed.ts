import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const installed = (name: string) => join(root, 'node_modules', name);

export interface Packed {
  readonly folder: string;
  readonly remove: () => void;
}

/**
 * A folder with the package of this tree, as `npm pack` makes it of what is built, and its dependencies, but no peer. They are
 * linked, because no test downloads anything.
 */
export async function packed(): Promise<Packed> {
  const folder = mkdtempSync(join(tmpdir(), 'purser-packed-'));
  const [stage, modules] = [join(folder, 'stage'), join(folder, 'node_modules')];
  const own = join(modules, 'purser');
  const { files } = manifestOf(root);
  for (const part of [...files, 'package.json']) cpSync(join(root, part), join(stage, part), { recursive: true });
  mkdirSync(own, { recursive: true });
  await run(process.execPath, [
    compiler,
    '-p',
    join(root, 'scripts/types.json'),
    '--outDir',
    join(stage, 'dist/types'),
  ]);
  // What npm runs before it packs would build in this tree, under the feet of other tests.
  await run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: stage });
  await run('tar', ['-xzf', join(folder, 'purser-0.1.0.tgz'), '-C', own, '--strip-components=1']);
  for (const name of Object.keys(manifestOf(own).dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(installed(name), join(modules, name));
  }
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}

/** Adds packages that are installed in this tree to such a folder, as `npm install` would. */
export function add({ folder }: Packed, names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true });
    symlinkSync(installed(name), join(folder, 'node_modules', name));
  }
}

/** The compiler's command of this tree, run by Node. */
export const compiler = installed('typescript/bin/tsc');

const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly files: readonly string[];
    readonly dependencies: Readonly<Record<string, string>>;
    readonly version: string;
  };
