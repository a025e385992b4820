import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stripVTControlCharacters, styleText } from 'node:util';
import { codeOf } from '../files/check.ts';

/** A command that can't be done now: one line that says why and what leads out. The command ends with code 1. */
export class NotDone extends Error {
  override readonly name = 'NotDone';
}

/** A text and its look. It is cleaned before it is painted, so what is in it can't paint, move or hide anything. */
export interface Painted {
  readonly text: string;
  readonly look?: Look | undefined;
}

/** What a person reads: texts, painted or not, one after the other. */
export type Rich = string | Painted | readonly Rich[];

const looks = {
  good: 'green',
  warned: 'yellow',
  bad: 'red',
  faint: 'dim',
  strong: 'bold',
  head: ['bold', 'underline'],
} as const satisfies Readonly<Record<string, Parameters<typeof styleText>[0]>>;

export type Look = keyof typeof looks;

export const paint = (look: Look | undefined, text: string): Painted => ({ look, text });

/** Prints for people. Text from outside can't move the cursor, colour the terminal or hide. */
export const say = (text: Rich): void => void process.stdout.write(`${rendered(text)}\n`);

/** Prints for machines. */
export const sayJson = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

/** Prints pieces as fast as the reader takes them. A reader such as `head` may leave early, and has what it wanted. */
export async function sayPieces(pieces: AsyncIterable<string>, to: Writable = process.stdout): Promise<void> {
  try {
    await pipeline(pieces, to, { end: false });
  } catch (error) {
    if (codeOf(error) !== 'EPIPE') throw error;
  }
}

/** Shows a text to a person on stderr, where stdout is a machine's. */
export const show = (text: Rich): void => void process.stderr.write(`${rendered(text, process.stderr)}\n`);

/** Tells the operator on stderr, in one line. */
export const tell = (text: string): void => void process.stderr.write(`purser: ${oneLine(text)}\n`);

/** Without what nobody sees: controls but line breaks, directions, zero widths. */
const visible = (text: string): string =>
  stripVTControlCharacters(text).replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '');

/** Colours only where the stream is a terminal; Node heeds NO_COLOR and FORCE_COLOR. */
function rendered(text: Rich, stream: NodeJS.WriteStream = process.stdout): string {
  if (typeof text === 'string') return visible(text);
  if (!('text' in text)) return text.map((part) => rendered(part, stream)).join('');
  const cleaned = visible(text.text);
  return text.look === undefined ? cleaned : styleText(looks[text.look], cleaned, { stream });
}

/** A text that can't begin a line of its own. */
export const oneLine = (text: string): string => visible(text).replace(/\s*\n\s*/g, ' ');

/** Lines one below the other. A text is one line, whatever is in it. */
export const lined = (lines: readonly Rich[]): Rich =>
  lines.map((line, index) => [index === 0 ? '' : '\n', typeof line === 'string' ? oneLine(line) : line]);

export const iso = (at: number): string => new Date(at).toISOString();
