import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stripVTControlCharacters, styleText } from 'node:util';
import { codeOf } from '../files/check.ts';

/** A command that can't be done now, as one line that says why and what to do. Exit code 1. */
export class NotDone extends Error {
  override readonly name = 'NotDone';
}

/** A text and its style. Control characters are removed before it is painted. */
export interface Painted {
  readonly text: string;
  readonly look?: Look | undefined;
}

/** Output for people: texts, painted or not. */
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

/** Prints for people. External text can't move the cursor, colour the terminal or hide anything. */
export const say = (text: Rich): void => void process.stdout.write(`${rendered(text)}\n`);

/** Prints for programs. */
export const sayJson = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

/** Prints pieces as fast as the reader takes them. A reader such as `head` may close early; that is no error. */
export async function sayPieces(pieces: AsyncIterable<string>, to: Writable = process.stdout): Promise<void> {
  try {
    await pipeline(pieces, to, { end: false });
  } catch (error) {
    if (codeOf(error) !== 'EPIPE') throw error;
  }
}

/** Shows a text to a person on stderr, because stdout belongs to a program. */
export const show = (text: Rich): void => void process.stderr.write(`${rendered(text, process.stderr)}\n`);

/** A one-line message to the operator on stderr. */
export const tell = (text: string): void => void process.stderr.write(`purser: ${oneLine(text)}\n`);

/** How a command ended that failed: its exit code, and whether a program reads it. */
export interface Failing {
  readonly exit: number;
  readonly json: boolean;
}

/** Says on stderr why a command failed: in one line for people, or as one object in a line of its own for programs. */
export function tellFailure(message: string, { exit, json }: Failing): void {
  if (json) process.stderr.write(`${JSON.stringify({ error: { message: visible(message), exit } })}\n`);
  else tell(message);
}

/** Whether the arguments of a command ask for JSON. */
export const asksJson = (argv: readonly string[]): boolean => argv.includes('--json');

/**
 * Removes invisible characters: controls other than line breaks, bidirectional marks, zero widths. The left-to-right mark stays: with
 * it an approval keeps its order, and it can move nothing.
 */
const visible = (text: string): string =>
  stripVTControlCharacters(text).replace(/(?![\n\u200e])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '');

/** Colours only if the stream is a terminal. Node respects NO_COLOR and FORCE_COLOR. */
function rendered(text: Rich, stream: NodeJS.WriteStream = process.stdout): string {
  if (typeof text === 'string') return visible(text);
  if (!('text' in text)) return text.map((part) => rendered(part, stream)).join('');
  const cleaned = visible(text.text);
  return text.look === undefined ? cleaned : styleText(looks[text.look], cleaned, { stream });
}

/** The text on one line. */
export const oneLine = (text: string): string => visible(text).replace(/\s*\n\s*/g, ' ');

/** One text per line. Line breaks within a text become spaces. */
export const lined = (lines: readonly Rich[]): Rich =>
  lines.map((line, index) => [index === 0 ? '' : '\n', typeof line === 'string' ? oneLine(line) : line]);

export const iso = (at: number): string => new Date(at).toISOString();

/** Reports an internal failure to the operator: its name and message, no stack. */
export const failed = (failure: unknown): void =>
  tell(failure instanceof Error ? `${failure.name}: ${failure.message}` : 'An unknown internal error occurred.');
