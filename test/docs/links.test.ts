import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { read } from '../house/files.ts';
import { pages, prose } from './pages.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The anchors of a page, as its headings make them. */
const anchorsOf = (page: string): readonly string[] =>
  [
    ...read(page)
      .replace(/^```[\s\S]*?^```$/gm, '')
      .matchAll(/^#{1,6} (.*)$/gm),
  ].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

describe('a link', () => {
  const links = pages.flatMap((page) =>
    [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => ({ page, target })),
  );
  const local = links.filter(({ target }) => !/^https?:/.test(target));

  it('leads to a file of the repository, and to a heading that is there', () => {
    const lost = local.filter(({ page, target }) => {
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? page : posix.normalize(posix.join(posix.dirname(page), path));
      return (
        file.startsWith('..') ||
        !existsSync(`${root}${file}`) ||
        (anchor !== undefined && !anchorsOf(file).includes(anchor))
      );
    });
    expect(lost).toEqual([]);
    expect(local.length).toBeGreaterThan(0);
  });

  it('leads to every page from the README, at most over one other', () => {
    const from = (page: string) =>
      local
        .filter((link) => link.page === page)
        .map(({ target }) => posix.normalize(posix.join(posix.dirname(page), target.split('#')[0] ?? '')));
    const direct = from('README.md');
    const near = new Set(['README.md', ...direct, ...direct.filter((page) => page.endsWith('.md')).flatMap(from)]);
    expect(pages.filter((page) => !near.has(page))).toEqual([]);
  });
});
