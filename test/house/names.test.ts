import { expect, it } from 'vitest';
import { files, lines, shown } from './files.ts';

// Names that Purser does not use: it is not the vendor's, and says so by silence. They are spelt in two halves, so that
// this file does not hold them either.
const names = [
  ['cyber', 'source'],
  ['vi', 'sa'],
  ['author', 'ize.net'],
].map((halves) => halves.join(''));

/** Whole words, wherever a word ends: at a sign, a digit, an underscore, or a capital in the middle of a name. */
const never = new RegExp(`(?<![a-z])(${names.map((name) => name.replace('.', '\\.?')).join('|')})(?![a-z])`);
const words = (text: string) => text.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
const named = (text: string) => never.test(words(text));

it('names neither the vendor nor a product of theirs', () => {
  const places = ['src', 'tools', 'docs', 'prompts', 'evals', 'test', 'bench', 'scripts', 'examples', '.ci'];
  const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'package.json'];
  const all = files([...places, ...pages], ['.ts', '.md', '.json', '.yaml', '.yml', '.html', '.csv', '.txt', '.mjs']);
  expect(shown(all.flatMap((file) => lines(file).filter(({ text }) => named(text))))).toEqual([]);
});

it('notices a name in any spelling, and no word that merely holds one', () => {
  const [vendor = '', product = '', other = ''] = names;
  const upper = product.toUpperCase();
  const caught = [vendor, `${product}.`, `${upper}_PASSKEY`, `the ${product}Token`, other, `https://api.${vendor}.com`];
  const passed = ['provisional', 'advisable', 'revisable', 'supervisant', 'authorize the network', 'cyber sources'];
  expect([caught.filter((text) => !named(text)), passed.filter(named)]).toEqual([[], []]);
});
