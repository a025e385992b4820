import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stripVTControlCharacters } from 'node:util';
import { codeOf } from '../files/judge.ts';

/** A command that can't be done now: one line that says why and what leads out. The command ends with code 1. */
export class NotDone extends Error {
  override readonly name = 'NotDone';
}

/** Prints for people. Text from outside can't move the cursor, colour the terminal or hide. */
export const say = (text: string): void => void process.stdout.write(`${visible(text)}\n`);

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
export const show = (text: string): void => void process.stderr.write(`${visible(text)}\n`);

/** Tells the operator on stderr, in one line. */
export const tell = (text: string): void =>
  void process.stderr.write(`purser: ${visible(text).replace(/\s*\n\s*/g, ' ')}\n`);

/** Without what nobody sees: controls but line breaks, directions, zero widths. */
const visible = (text: string): string =>
  stripVTControlCharacters(text).replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '');

/** Rows as columns, two blanks apart. The last column is as long as it is. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) =>
      row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join('  '),
    )
    .map((line) => line.trimEnd())
    .join('\n');
}

export const iso = (at: number): string => new Date(at).toISOString();
