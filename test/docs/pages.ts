import { files, read } from '../house/files.ts';

/** The pages that people read. */
export const pages: readonly string[] = files(
  ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs'],
  ['.md'],
);

/** The text of a page without its blocks of code. */
export const prose = (page: string): string => read(page).replace(/^```[\s\S]*?^```$/gm, '');

/** The blocks of code of a page, with their language. */
export const blocks = (page: string): readonly { readonly language: string; readonly text: string }[] =>
  [...read(page).matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({ language, text }));

/** What stands between backticks outside of blocks. */
export const spans = (page: string): readonly string[] =>
  [...prose(page).matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span.replaceAll('\\|', '|'));

/** What one may type: spans and the lines of shell blocks. */
export const typed = (page: string): readonly string[] => [
  ...spans(page),
  ...blocks(page)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.split('\n')),
];
