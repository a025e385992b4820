import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { files, read } from './files.ts';
import { importsOf } from './imports.ts';

// A secret is opened where it leaves Purser for the one who knows it anyway, and where it is sealed: nowhere else.

// biome-ignore format: a table
const openers: { readonly [file: string]: string } = {
  'src/core/secret.ts':         'has the lock',
  'src/core/webhook-signature.ts': 'signs deliveries of events, and checks their signatures',
  'src/ledger/vault.ts':        'hands what it keeps to the payment system',
  'src/ledger/seal.ts':         'seals what money decisions read with the key',
  'src/ledger/secret-store.ts':         'seals released credentials with the key',
  'src/ledger/postgres.ts':     'connects with the password in the address',
  'src/client/signing.ts':      'signs for the platform',
  'src/client/request-secrets.ts': 'writes the secrets of a request into it',
  'evals/harness/external/server.ts': 'says the token to the server that is evaluated',
  'evals/harness/live/openai.ts':   'says the key to the model',
  'evals/harness/live/langchain.ts': 'says the key to the model',
};

const sources = files(['src', 'tools', 'evals/harness'], ['.ts', '.tsx', '.mts']);

/** Every file that can open a secret: by the name of what does, or by all of the module that has it. */
const opening = (given: readonly (readonly [file: string, text: string])[]): readonly string[] =>
  given
    .filter(([file, text]) =>
      importsOf(file, text).some(
        ({ to, typeOnly, names }) =>
          to === 'src/core/secret.ts' && !typeOnly && names.some((name) => ['reveal', '*'].includes(name)),
      ),
    )
    .map(([file]) => file);

describe('a secret', () => {
  it('is opened by the files of the table, each of which still does', () => {
    const found = opening(sources.map((file) => [file, read(file)]));
    expect(['src/core/secret.ts', ...found].toSorted()).toEqual(Object.keys(openers).toSorted());
  });

  it('is opened by no other module of what is shipped', async () => {
    const { outputFiles } = await build({
      ...{ bundle: true, platform: 'node', format: 'esm', target: 'node22', packages: 'external', splitting: true },
      ...{ entryPoints: ['src/cli/purser.ts', 'src/cli/library.ts'], outdir: 'none', write: false, logLevel: 'error' },
    });
    // Each module of a bundle begins with its path.
    const modules = outputFiles.flatMap(({ text }) => text.split(/^\/\/ (?=(?:src|tools|evals)\/)/m).slice(1));
    const found = modules.filter((it) => /\breveal\b/.test(it)).map((it) => it.slice(0, it.indexOf('\n')));
    expect(found.filter((file) => openers[file] === undefined)).toEqual([]);
    expect(found).toContain('src/client/signing.ts');
  });

  it.each([
    ["import { reveal } from '../core/secret.ts';"],
    ["import { reveal as open, type Secret } from '../core/secret.ts';"],
    ["export { reveal } from '../core/secret.ts';"],
    ["export * from '../core/secret.ts';"],
    ["import * as vault from '../core/secret.ts';"],
    ["const { reveal } = await import('../core/secret.ts');"],
  ])('that somebody else would open is noticed: %s', (text) => {
    expect(opening([['src/engine/leak.ts', text]])).toEqual(['src/engine/leak.ts']);
  });

  it('is held, and not opened, by whoever takes its type, or another way to look at it', () => {
    expect(opening([['src/engine/none.ts', "import { holds, Secret } from '../core/secret.ts';"]])).toEqual([]);
  });
});
