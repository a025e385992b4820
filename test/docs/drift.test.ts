import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { generate, type Made, makeSections, pages } from '../../scripts/generate.ts';
import { toolTable } from '../../scripts/sections/tools.ts';
import { tools } from '../../tools/index.ts';
import { factsOf, fullArgs } from '../support/every-call.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The sections, made once for all tests. */
let made: readonly Made[];
beforeAll(async () => {
  made = await makeSections();
});

/** A copy of the pages, to be spoilt. */
function copy() {
  const folder = mkdtempSync(join(tmpdir(), 'purser-docs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const part of ['docs', 'README.md', 'ARCHITECTURE.md'])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  const told: string[] = [];
  return {
    told,
    read: (page: string) => readFileSync(join(folder, page), 'utf8'),
    write: (page: string, text: string) => writeFileSync(join(folder, page), text),
    generate: (isCheck: boolean) => generate(isCheck, (line) => told.push(line), pathToFileURL(`${folder}/`), made),
  };
}

describe('the generated sections', () => {
  it('stand in the pages as the code has them', async () => {
    const found = (await pages(undefined, made)).filter(({ stale }) => stale.length > 0);
    expect(found.map(({ page, stale }) => `${page}: ${stale.join(', ')}`)).toEqual([]);
  });

  it('are the same whenever they are made', async () => {
    expect(await pages()).toEqual(await pages(undefined, made));
  });
});

describe('a stale section', () => {
  it('is named by --check, which says what to run and writes nothing; then it is mended', async () => {
    const { told, read, write, generate } = copy();
    const whole = read('docs/rules.md');
    const stale = whole.replace('| AP-04 |', '| AP-99 |');
    write('docs/rules.md', stale);
    expect(await generate(true)).toBe(1);
    expect(told).toEqual(['docs/rules.md: stale: rules. Run "npm run generate" and commit what it writes.']);
    expect(read('docs/rules.md')).toBe(stale);
    expect(await generate(false)).toBe(0);
    expect(read('docs/rules.md')).toBe(whole);
    expect(await generate(true)).toBe(0);
  });

  it.each([
    ['no place', (text: string) => text.replace('<!-- generated: rules -->', '')],
    ['no end', (text: string) => text.replace('<!-- /generated -->', '')],
    ['two places', (text: string) => text + text],
  ])('with %s in its page is a mistake that names page and section', async (_, spoil) => {
    const { read, write, generate } = copy();
    const spoilt = spoil(read('docs/rules.md'));
    write('docs/rules.md', spoilt);
    await expect(generate(false)).rejects.toThrow('docs/rules.md needs one "<!-- generated: rules -->"');
    expect(read('docs/rules.md')).toBe(spoilt);
  });

  it('that nothing makes is a mistake', async () => {
    const { read, write, generate } = copy();
    write('docs/rules.md', `${read('docs/rules.md')}\n<!-- generated: dreams -->\n<!-- /generated -->\n`);
    await expect(generate(false)).rejects.toThrow('docs/rules.md has a section "dreams"');
  });
});

describe('the table of tools', () => {
  const asking = tools.flatMap((tool) =>
    tool.kind === 'platform' && tool.policy.approval !== undefined ? [[tool.name, tool] as const] : [],
  );
  const rows = toolTable().split('\n');
  const saysAlways = (name: string): boolean =>
    rows.some((row) => row.includes(`\`${name}\``) && /\| always \|/.test(row));

  it('has tools that always ask a person, and others', () => {
    expect(new Set(asking.map(([name]) => saysAlways(name)))).toEqual(new Set([true, false]));
  });

  it.each(asking.filter(([name]) => saysAlways(name)))('is right that %s asks whatever is known', (_, tool) => {
    expect(tool.policy.approval?.needed(factsOf(tool, {}, {}))).toBe(true);
    expect(tool.policy.approval?.needed(factsOf(tool, fullArgs(tool)))).toBe(true);
  });
});
