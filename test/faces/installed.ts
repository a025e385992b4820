import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Purser as a new user has it. */
export interface Installed {
  /** A folder with nothing in it but the installed package. */
  readonly folder: string;
  /** The command as npm has linked it. */
  readonly purser: string;
  readonly tarball: string;
  readonly remove: () => void;
}

/** Packs the project as `npm publish` does, and installs the tarball into an empty folder with the locked versions. */
export function installed(): Installed {
  const place = mkdtempSync(join(tmpdir(), 'purser-packed-'));
  const [source, folder] = [join(place, 'source'), join(place, 'shop')];
  copyProject(source);
  npm(source, ['pack', '--pack-destination', place]);
  const tarball = `purser-${manifestOf(root).version}.tgz`;
  mkdirSync(folder);
  copyFileSync(join(place, tarball), join(folder, tarball));
  writeManifests(folder, tarball);
  npm(folder, ['ci', '--prefer-offline', '--no-audit', '--no-fund']);
  return {
    folder,
    purser: join(folder, 'node_modules', '.bin', 'purser'),
    tarball: join(place, tarball),
    remove: () => rmSync(place, { recursive: true }),
  };
}

/** A copy, because packing builds, and other tests run what this project has built. */
function copyProject(source: string): void {
  const left = ['.git', 'dist', 'node_modules', 'test', 'bench'];
  cpSync(root, source, { recursive: true, filter: (path) => !left.some((name) => path === join(root, name)) });
  const modules = join(source, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(join(root, 'node_modules')).filter((it) => it !== '.cache'))
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
}

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}
interface Locked {
  readonly dev?: true;
  readonly peer?: true;
}

const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/** The lock file names what `npm ci` of the project has put into npm's cache, so nothing has to be looked up. */
function writeManifests(folder: string, tarball: string): void {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  const { '': _, ...others } = packages;
  const needed = Object.entries(others).filter(([, { dev, peer }]) => dev !== true && peer !== true);
  const dependencies = { purser: `file:${tarball}` };
  const manifest = { name: 'shop', version: '1.0.0', private: true, dependencies };
  const locked = {
    '': manifest,
    'node_modules/purser': { ...manifestOf(root), resolved: `file:${tarball}` },
    ...Object.fromEntries(needed),
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const lock = { ...manifest, lockfileVersion: 3, requires: true, packages: locked };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
}

/** Without what an npm around this one says of its own folder. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^npm_(?!config_)|^npm_config_local_prefix$/.test(name)),
);

/** Runs npm on the Node of the tests. */
const npm = (cwd: string, args: readonly string[]): string =>
  execFileSync('npm', args, {
    cwd,
    encoding: 'utf8',
    env: { ...environment, PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
