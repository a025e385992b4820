import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { wordsOf } from '../../evals/harness/external/server.ts';
import { defineScenario } from '../../evals/harness/scenario/schema.ts';
import { folder } from '../faces/cli.ts';
import { read } from '../house/files.ts';
import { blocks } from './pages.ts';

// The page as a stranger follows it, in an empty folder where the package is installed.

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = 'docs/evals-servers.md';
const steps = blocks(page);
const commands = steps.filter(({ language }) => language === 'sh').flatMap(({ text }) => text.trim().split('\n'));
const yaml = steps
  .filter(({ language }) => language === 'yaml')
  .map(({ text }) => {
    const [, name = ''] = /^# (\S+)\n/.exec(text) ?? [];
    return { name, text: text.replace(/^# .*\n/, '') };
  });
const files = yaml.filter(({ name }) => name !== '');
const parts = yaml.filter(({ name }) => name === '');

/** An empty folder with the package in it: what a build has, and the examples. */
function installed(): string {
  const place = folder();
  const packed = join(place, 'node_modules/purser');
  mkdirSync(dirname(packed), { recursive: true });
  symlinkSync(root, packed);
  return place;
}

/** Does one line of the page; what npm fetches is there already. */
async function typed(line: string, cwd: string): Promise<{ readonly code: number; readonly out: string }> {
  const [name = '', ...args] = wordsOf(line);
  if (name === 'cp') cpSync(join(cwd, args[0] ?? ''), join(cwd, args[1] ?? '', 'server.mjs'));
  if (name === 'mkdir') mkdirSync(join(cwd, args[0] ?? ''));
  if (name !== 'npx') return { code: 0, out: '' };
  const purser = [join(cwd, 'node_modules/purser/dist/purser.js'), ...args.slice(1)];
  return new Promise((resolve) => {
    const env = { PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
    execFile(process.execPath, purser, { cwd, env }, (error, out) =>
      resolve({ code: error === null ? 0 : Number(error.code), out }),
    );
  });
}

describe(page, () => {
  it('leads from nothing to a green run, with every command as it is', async () => {
    const cwd = installed();
    const tutorial = commands.filter((line) => !line.includes('npx -y'));
    const ends: unknown[] = [];
    for (const line of tutorial) {
      if (line.startsWith('npx')) for (const { name, text } of files) writeFileSync(join(cwd, name), text);
      const { code, out } = await typed(line, cwd);
      if (line.startsWith('npx'))
        ends.push([code, /^\d+ (?:of \d+ )?\w+ (?:passed|failed|changes)|^\d+ of \d+ changes/m.test(out)]);
    }
    expect(ends).toEqual([
      [1, true],
      [0, true],
      [0, true],
      [0, true],
      [0, true],
    ]);
  });

  it('shows the scenarios of the example, and names only what is there', () => {
    const example = 'evals/examples/tab-server/evals';
    const own = readdirSync(join(root, example)).filter((name) => name.endsWith('.yaml'));
    expect(files.map(({ name }) => name.replace('evals/', ''))).toEqual(own);
    for (const { text } of parts)
      expect(() =>
        defineScenario({ id: 'tab-003', title: 'A part', ...(parse(text) as object) } as never),
      ).not.toThrow();
    for (const { name, text } of files) expect(text).toBe(read(`${example}/${name.replace('evals/', '')}`));
  });
});
