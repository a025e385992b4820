import { limits } from '../core/limits.ts';

// A file is read in pages of about equal size, each of whole lines. Any page can be read without the ones before it.

const { filePageBytes } = limits;
const lineFeed = 0x0a;

export const pagesOf = (bytes: number): number => Math.max(1, Math.ceil(bytes / filePageBytes));

/**
 * The offset of page `count + 1`: after the first line that ends at or after `count` times the page size. A line longer
 * than a page is cut between two characters.
 */
export function boundaryOf(count: number, bytes: number, read: (from: number, to: number) => Uint8Array): number {
  const at = count * filePageBytes;
  if (count === 0 || at >= bytes) return Math.min(at, bytes);
  const found = read(at - 1, at - 1 + filePageBytes).indexOf(lineFeed);
  return found >= 0 ? at + found : firstCharacter(at, read(at, at + longestCharacter));
}

const longestCharacter = 4;

/** The first byte that doesn't continue a UTF-8 character. */
function firstCharacter(at: number, bytes: Uint8Array): number {
  const found = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80);
  return at + Math.max(0, found);
}
