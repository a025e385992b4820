import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Command, CommanderError } from 'commander';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { commandLine, runCommandLine } from '../../src/cli/command-line.ts';
import { ownVariables, variables } from '../../src/cli/environment.ts';
import { everyTool, tools } from '../../tools/index.ts';
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

/** What follows `purser` where a line runs it: by its name, by `npx`, or by the file; up to what the shell does with it. */
const commandsIn = (line: string): readonly string[] =>
  [...line.matchAll(/(?:^|[("] ?)(?:\w+=\S* )*(?:npx |node )?(?:\S*\/)?purser(?:\.js)? ([a-z-][^|#;&)]*)/g)].map(
    ([, text = '']) =>
      text
        .replace(/ >.*$/, '')
        .replace(/[\s.,"]+$/, '')
        .replace(/^-- node \S+ /, ''),
  );

/** The words of a line as a shell makes them; what stands for a number is one. */
const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word = '']) =>
    (quoted ?? word).replace(/^(?:<number>|N)$/, '7').replace(/\.\.\.$/, ''),
  );

/** What the command line says against these words; nothing is run. */
async function refusalOf(words: readonly string[]): Promise<string | undefined> {
  const said: string[] = [];
  const program = commandLine(() => undefined);
  quiet(program, (text) => said.push(text));
  try {
    await program.parseAsync(['node', 'purser', ...words]);
    return undefined;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // A command that is only mentioned leaves out what it needs.
    if (words.every((word) => /^[a-z]+$/.test(word)) && incomplete.includes(error.code)) return undefined;
    if (error.exitCode === 0) return undefined;
    return said.join(' ') || String(error);
  }
}

const incomplete: readonly string[] = [
  'commander.help',
  'commander.missingArgument',
  'commander.missingMandatoryOptionValue',
];

/** Keeps a command and those below it from doing anything. */
function quiet(command: Command, said: (text: string) => void): void {
  command.exitOverride().configureOutput({ outputError: said, writeErr: said, writeOut: () => undefined });
  if (command.commands.length === 0 || ['eval', 'sandbox'].includes(command.name())) command.action(() => undefined);
  for (const below of command.commands) quiet(below, said);
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

  it('are command lines of purser that parse as they are', async () => {
    const all = [...new Set([...pages, 'SECURITY.md'].flatMap((page) => typed(page).flatMap(commandsIn)))];
    const wrong: string[] = [];
    for (const line of all) {
      const because = await refusalOf(wordsOf(line));
      if (because !== undefined) wrong.push(`${line}: ${because}`);
    }
    expect(wrong).toEqual([]);
    expect(all.length).toBeGreaterThan(40);
  });

  it('and a wrong one is noticed', async () => {
    const lines = ['audit verifi', 'doctor --jsn', 'doctor now', 'eval record --to x', 'approvals list --limit 0'];
    for (const line of lines) expect(await refusalOf(wordsOf(line)), line).toBeDefined();
    expect(commandsIn('FORCE_COLOR=1 npx purser audit export > rows.jsonl')).toEqual(['audit export']);
    expect(commandsIn('npm run purser')).toEqual([]);
  });

  it('say which commands take a folder and a configuration, and which only group others', () => {
    const program = commandLine(() => undefined);
    const own = program.commands.filter((command) => command.name() !== 'eval');
    const optionsOf = ({ options }: Command) => options.map(({ long }) => long);
    const below = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(below)];
    const isGroup = (command: Command): boolean => optionsOf(command).length === 0;
    const leaves = own.flatMap(below).filter((command) => !isGroup(command));
    const lacking = leaves.filter((it) => !['--data', '--config'].every((option) => optionsOf(it).includes(option)));
    expect(lacking.map((it) => it.name())).toEqual([]);
    expect(leaves.length).toBeGreaterThan(15);
    const [, named = ''] = /only groups\s+commands \(([^)]+)\)/.exec(read('docs/commands.md')) ?? [];
    expect([...named.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(own.filter(isGroup).map((it) => it.name()));
  });

  it('are variables that are read', () => {
    const named = found(/\b(PURSER_[A-Z_]+)\b/g);
    expect(named.filter(({ name }) => !Object.hasOwn({ ...variables, ...ownVariables }, name))).toEqual([]);
  });
});

describe('what the pages name', () => {
  it('are tools that exist', () => {
    const verbs = [...new Set(tools.map(({ name }) => name.split('_')[0]))];
    const named = pages
      .flatMap((page) => spans(page))
      .filter((it) => new RegExp(`^(${verbs.join('|')})_\\w+$`).test(it));
    const known = tools.map(({ name }) => name);
    const existing = everyTool.map(({ name }) => name);
    expect(named.filter((name) => !existing.includes(name))).toEqual([]);
    expect(
      known.filter((name) => !named.includes(name)),
      '`npm run generate` writes the pages that name every tool',
    ).toEqual([]);
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
