import { limits } from '../../src/core/limits.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { tools } from '../../tools/index.ts';
import { type Found, tally } from '../support/found.ts';
import { type Numbers, numbers } from '../support/numbers.ts';
import { agent, bought, openWorld } from './support.ts';

// Input that is made to keep a process busy. What is measured is the time that this thread worked, not the time that passed:
// a machine with other things to do measures the same.

/** Milliseconds for which no input may keep the process from everything else (P10). */
export const longestMilliseconds = 200;

/** Texts that are short, and together a lot of work for whoever goes back and forth in them. */
export const texts: { readonly [name: string]: string } = {
  'digits with spaces': '1 ',
  'digits that begin a card number': '5 ',
  'pairs of digits': '41 ',
  'groups of four': '4444 ',
  'digits of another script': '\u0661 ',
  'digits without an end': '9',
  'digits of a far script': '\u0e59',
  'mathematical digits': '\u{1d7ff} ',
  'a ligature of eighteen letters': '\ufdfa',
  'marks on one letter': '\u0301',
  'marks out of order': 'a\u0315\u0301\u0300\u0327',
  'words for a code': 'otp ',
  'words for a code, far from a number': `otp${' '.repeat(11)}`,
  'almost a cryptogram': 'A',
  'signs that are no digits': '4--',
  'an e-mail without an end': 'a@a.',
  'a domain without an end': 'a-a.',
  'a time without an end': '2026-01-15T',
  'an amount without an end': '0.',
  'a key of a prototype': '__proto__',
  markup: '<a href="',
  escapes: '\\u0000',
  directions: '\u202e',
  'halves of characters': '\ud800',
  'null bytes': '\0',
};

/** Ways to put texts into arguments. */
const shapes: readonly ((text: string, random: Numbers) => unknown)[] = [
  (text) => text,
  (text) => Array.from({ length: 8 }, () => text),
  (text) => Array.from({ length: limits.argumentElements - 2 }, () => text.slice(0, 32)),
  (text) => Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`${text.slice(0, 200)}${at}`, text])),
  (text) => nested(limits.argumentLevels - 2, text),
  (text) => nested(100_000, text),
  (text, random) =>
    Object.fromEntries([
      ['__proto__', text],
      ['constructor', { prototype: text }],
      [String(random(9)), text],
    ]),
];

function nested(levels: number, text: string): unknown {
  let it: unknown = text;
  for (let level = 0; level < levels; level++) it = level % 2 === 0 ? [it] : { a: it };
  return it;
}

/** The same text again and again, so many characters of it. */
export const filled = (text: string, characters: number): string =>
  text.repeat(Math.ceil(characters / text.length)).slice(0, characters);

/** Makes so many hostile calls of every tool and argument; the longest work of one of them is among the counts. */
export async function hostile(calls: number, seed: number): Promise<Found> {
  const it = tally();
  const random = numbers(seed);
  const names = Object.keys(texts);
  const sizes = [16, 255, 256, 1_000, limits.blobCharacters, limits.blobCharacters + 1, 60_000, limits.requestBytes];
  for (let made = 0; made < calls; ) {
    const world = await openWorld();
    const instruction = await bought(world);
    const engine = createEngine(world.parts);
    for (let at = 0; at < 500 && made < calls; at++, made++) {
      // Every text at the size of a whole message comes first, then chance decides.
      const name = made < names.length ? (names[made] ?? '') : random.of(names);
      const size = made < names.length ? 60_000 : random.of(sizes);
      const text = filled(texts[name] ?? '', size);
      const shape = made < names.length ? 1 : random(shapes.length);
      const value = shapes[shape]?.(made < names.length ? text.slice(0, limits.blobCharacters) : text, random);
      const tool = random.of(tools);
      const argument = random.of([...Object.keys(tool.inputSchema.shape), 'stranger']);
      const args = random(4) === 0 ? value : { card: 'card_ada', instruction, [argument]: value };
      const before = process.threadCpuUsage();
      const answer = await engine.call(tool.name, args, agent).catch((error: unknown) => error as Error);
      const { user, system } = process.threadCpuUsage(before);
      const milliseconds = (user + system) / 1_000;
      it.count('calls');
      it.count('longest milliseconds', 0);
      it.atLeast('longest milliseconds', Math.ceil(milliseconds));
      if (milliseconds > 50) it.count('longer than 50 ms');
      const what = `${tool.name}.${argument} with ${name}, ${size} characters, shape ${shape} (seed ${seed}, call ${made})`;
      if (milliseconds > longestMilliseconds) it.find(`${what} took ${milliseconds.toFixed(0)} ms.`);
      if (answer instanceof Error) it.find(`${what} threw ${answer.name}.`);
    }
    await world.running.close();
  }
  return it.found();
}
