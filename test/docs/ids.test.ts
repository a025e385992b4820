import { describe, expect, it } from 'vitest';
import { assumptions } from '../../src/core/assumptions.ts';
import { isRuleId, rules } from '../../src/core/rules.ts';
import { files, lines, read, shown } from '../house/files.ts';
import { pages } from './pages.ts';

const sources = files(['src', 'tools', 'scripts'], ['.ts']);
const everything = [...sources, ...files(['test', 'bench', 'evals', '.ci'], ['.ts', '.md', 'run']), ...pages];

/** Every place of a pattern, as `file:line  match`. */
const places = (scanned: readonly string[], pattern: RegExp) =>
  scanned.flatMap((file) =>
    lines(file).flatMap(({ at, text }) => [...text.matchAll(pattern)].map(([match]) => ({ at, match }))),
  );

describe('an id that is named', () => {
  it('is a rule of the rule book', () => {
    const families = [...new Set(Object.keys(rules).map((id) => id.slice(0, 2)))];
    const found = places([...sources, ...pages], new RegExp(`\\b(?:${families.join('|')})-\\d{2}\\b`, 'g'));
    expect(found.filter(({ match }) => !isRuleId(match))).toEqual([]);
    expect(found.length).toBeGreaterThan(0);
  });

  it('is an assumption that docs/assumptions.md lists', () => {
    const found = places([...sources, ...pages], /\bD-\d{2}\b/g);
    expect(found.filter(({ match }) => !Object.hasOwn(assumptions, match))).toEqual([]);
    expect(Object.keys(assumptions).filter((id) => !read('docs/assumptions.md').includes(`| ${id} |`))).toEqual([]);
  });
});

describe('a page of ours', () => {
  // Pages that are not in this repository. They are spelt so that this file does not hold them.
  const strangers = [
    ...['gaps', 'decisions', 'rules', 'mcp', 'reliability', 'style', 'peers'].map(
      (name) => `(?<![\\w/])${name}\\.md\\b`,
    ),
    '/work/sha' + 'red',
    '\\bthe iss' + 'ue\\b(?!\\w)',
    '\\breliability A\\d',
  ];
  const never = new RegExp(strangers.join('|'), 'i');

  it('and a comment refer to nothing outside of the repository', () => {
    const own = everything.filter((file) => file !== 'test/docs/ids.test.ts');
    const found = own.flatMap((file) => lines(file).filter(({ text }) => never.test(text)));
    expect(shown(found)).toEqual([]);
  });

  it('and such a reference is noticed', () => {
    const caught = [
      '// gaps.md, section 1',
      'see rules.md',
      'as /work/sha' + 'red/spec says',
      'what the iss' + 'ue says',
    ];
    const passed = ['[rules](docs/rules.md)', '(docs/rules.md)', 'the issues', 'the message of an issue'];
    expect([caught.filter((text) => !never.test(text)), passed.filter((text) => never.test(text))]).toEqual([[], []]);
  });
});
