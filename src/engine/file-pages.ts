import { limits } from '../core/limits.ts';

// A file is read in pages of about equal size, each of whole lines. Any page can be read without the ones before it.

const { filePageBytes, fileEdgeBytes } = limits;
const lineFeed = 0x0a;

/** A page of a file, with the text around it in which a card number that crosses the page's ends may go on. */
export interface PieceOfFile {
  readonly before: string;
  readonly text: string;
  readonly after: string;
}

type Read = (from: number, to: number) => Uint8Array;

export const pagesOf = (bytes: number): number => Math.max(1, Math.ceil(bytes / filePageBytes));

/**
 * The offset of page `count + 1`: after the first line that ends at or after `count` times the page size. A line longer
 * than a page is cut between two characters.
 */
export function boundaryOf(count: number, bytes: number, read: Read): number {
  const at = count * filePageBytes;
  if (count === 0 || at >= bytes) return Math.min(at, bytes);
  const found = read(at - 1, at - 1 + filePageBytes).indexOf(lineFeed);
  return found >= 0 ? at + found : firstCharacter(at, read(at, at + longestCharacter));
}

/** The page of this number, counted from 1. */
export function pieceOf(page: number, bytes: number, read: Read): PieceOfFile {
  const [from, to] = [boundaryOf(page - 1, bytes, read), boundaryOf(page, bytes, read)];
  const textOf = (...range: Parameters<Read>) => new TextDecoder().decode(read(...range));
  return {
    before: textOf(Math.max(0, from - fileEdgeBytes), from),
    text: textOf(from, to),
    after: textOf(to, Math.min(bytes, to + fileEdgeBytes)),
  };
}

const longestCharacter = 4;

/** The first byte that doesn't continue a UTF-8 character. */
function firstCharacter(at: number, bytes: Uint8Array): number {
  const found = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80);
  return at + Math.max(0, found);
}
