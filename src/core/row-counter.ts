import type { FileSpec, FileType } from './file-answer.ts';

/** Counts the rows of a file as its bytes arrive. */
export interface RowCounter {
  add(chunk: Uint8Array): void;
  /** The rows of the whole file; null if the contract declares no row element. */
  rows(): number | null;
}

export function createRowCounter(type: FileType, { element, headerLines = 1 }: FileSpec): RowCounter {
  if (type === 'text/csv') return countRecords(headerLines);
  return element === undefined ? { add: () => undefined, rows: () => null } : countElements(element);
}

const [quote, comma, lineFeed, carriageReturn] = [...'",\n\r'].map((sign) => sign.charCodeAt(0));

/** Counts CSV records (RFC 4180): a line break in quotes is text, and empty lines don't count. */
function countRecords(headerLines: number): RowCounter {
  let lines = 0;
  let isQuoted = false;
  let isFieldStart = true;
  let hasText = false;
  const read = (byte: number): void => {
    // A doubled quote in a quoted field closes and reopens it.
    if (byte === quote && (isQuoted || isFieldStart)) isQuoted = !isQuoted;
    else if (byte === lineFeed && !isQuoted) {
      if (hasText) lines++;
      hasText = false;
      isFieldStart = true;
      return;
    }
    // After a closing quote, only another quote can reopen the field; the two then mean one quote.
    isFieldStart = !isQuoted && (byte === comma || byte === quote);
    if (byte !== carriageReturn) hasText = true;
  };
  return {
    add: (chunk) => {
      for (const byte of chunk) read(byte);
    },
    rows: () => Math.max(0, lines + (hasText ? 1 : 0) - headerLines),
  };
}

/** Counts start tags of one element, except in comments and CDATA. */
function countElements(element: string): RowCounter {
  let count = 0;
  let tag: string | undefined;
  let until: string | undefined;
  let tail = '';
  const read = (sign: string): void => {
    if (until !== undefined) {
      tail = (tail + sign).slice(-until.length);
      if (tail === until) until = undefined;
    } else if (tag === undefined) {
      if (sign === '<') tag = '';
    } else if (tag !== '' && /[\s/>]/.test(sign)) {
      if (tag === element) count++;
      tag = undefined;
    } else {
      tag += sign;
      until = hidden[tag];
      if (until !== undefined || tag.length > longestTag) tag = undefined;
      if (until !== undefined) tail = '';
    }
  };
  return {
    add: (chunk) => {
      for (const byte of chunk) read(String.fromCharCode(byte));
    },
    rows: () => count,
  };
}

/** Sections without tags: their beginnings and ends. */
const hidden: { readonly [begins: string]: string | undefined } = { '!--': '-->', '![CDATA[': ']]>' };
/** Characters of a tag name that are kept. Own choice. */
const longestTag = 128;
