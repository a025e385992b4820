import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runCommandLine } from '../../src/bin/command-line.ts';
import { variables } from '../../src/bin/config.ts';
import { tools } from '../../tools/index.ts';
import { read } from '../house/files.ts';
import { blocks, pages, spans, typed } from './pages.ts';

const manifest = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
const said = pages.flatMap((page) => typed(page).map((text) => ({ page, text })));
const found = (pattern: RegExp) =>
  said.flatMap(({ page, text }) => [...text.matchAll(pattern)].map(([match, name = '']) => ({ page, match, name })));
const root = fileURLToPath(new URL('../..', import.meta.url));

/** What `--help` says of a command: its usage line. */
async function usageOf(words: readonly string[]): Promise<string> {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => written.mockRestore());
  await runCommandLine(['node', 'purser', ...words, '--help']);
  const help = written.mock.calls.map(([text]) => String(text)).join('');
  written.mockRestore();
  return help;
}

describe('what the pages tell to type', () => {
  it('are scripts of the package', () => {
    const named = found(/\bnpm (?:run (?:--silent )?)?(start|test|[a-z]+(?::[a-z]+)*)\b/g).filter(
      ({ match, name }) => match.startsWith('npm run') || ['start', 'test'].includes(name),
    );
    expect(named.filter(({ name }) => manifest.scripts[name] === undefined)).toEqual([]);
    expect(named.map(({ name }) => name)).toEqual(expect.arrayContaining(['start', 'test', 'demo', 'generate']));
  });

  it('are files that exist, where a script runs one', () => {
    const run = [...new Set(found(/\bnpm (?:run )?([a-z:]+)\b/g).map(({ name }) => manifest.scripts[name] ?? ''))];
    const named = run.flatMap((script) =>
      [...script.matchAll(/\bnode ((?:scripts|bench)\/\S+)/g)].map(([, file]) => file),
    );
    expect(named.filter((file) => !existsSync(`${root}${file}`))).toEqual([]);
  });

  it('are commands of purser, with their options', async () => {
    const named = [...new Set(found(/^purser ([a-z].*)$/g).map(({ name }) => name))];
    const wrong: string[] = [];
    for (const text of named) {
      const words = text.split(' ').filter((word) => /^[a-z]+$/.test(word));
      const help = await usageOf(words);
      if (!help.startsWith(`Usage: purser ${words.join(' ')} `)) wrong.push(`purser ${text}`);
      for (const [option] of text.matchAll(/--[a-z-]+/g)) if (!help.includes(option)) wrong.push(`purser ${text}`);
    }
    expect(wrong).toEqual([]);
    expect(named.length).toBeGreaterThan(10);
  });

  it('are variables that are read', () => {
    const named = found(/\b(PURSER_[A-Z_]+)\b/g);
    expect(named.filter(({ name }) => !Object.hasOwn(variables, name))).toEqual([]);
  });
});

describe('what the pages name', () => {
  it('are tools that exist', () => {
    const verbs = [...new Set(tools.map(({ name }) => name.split('_')[0]))];
    const named = pages
      .flatMap((page) => spans(page))
      .filter((it) => new RegExp(`^(${verbs.join('|')})_\\w+$`).test(it));
    const known = tools.map(({ name }) => name);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
    expect(known.filter((name) => !named.includes(name))).toEqual([]);
  });

  it('are files and folders that exist', () => {
    const places = /^(?:src|tools|test|scripts|docs|bench)(?:\/[\w.-]+)*$/;
    const named = pages.flatMap((page) => spans(page)).filter((it) => places.test(it) && !it.includes('loyalty'));
    // The table of layers has one that is announced.
    expect([...new Set(named)].filter((it) => !existsSync(`${root}${it}`) && it !== 'src/console')).toEqual([]);
  });

  it('are JSON where they say so', () => {
    const broken = pages.flatMap((page) =>
      blocks(page).filter(({ language, text }) => {
        if (language !== 'json') return false;
        try {
          JSON.parse(text);
          return false;
        } catch {
          return true;
        }
      }),
    );
    expect(broken).toEqual([]);
  });
});
