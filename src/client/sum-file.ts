import { parse } from 'csv-parse';
import { SaxesParser } from 'saxes';
import { isCurrency } from '../core/currencies.ts';
import type { FileSpec, FileSum, FileType } from '../core/file-answer.ts';
import { amountText, thousandths } from '../core/file-sums.ts';
import { limits } from '../core/limits.ts';

/** Sums the amounts of a file as its bytes arrive. It never fails: a file that it can't read has no sums. */
export interface FileSums {
  add(chunk: Uint8Array): Promise<void>;
  /** By day and currency, in their order; undefined if the file has no amounts, or too many days and currencies. */
  end(): Promise<readonly FileSum[] | undefined>;
}

/** The columns that hold a sum, by what they say. Files can be written by more than one convention. */
type Columns = NonNullable<FileSpec['sums']>;
type Row = Readonly<Record<string, string | undefined>>;

/** Sums a file of a type. Undefined if the contract names no columns. */
export function createFileSums(
  type: FileType,
  { sums: columns, element, headerLines = 1 }: FileSpec,
): FileSums | undefined {
  if (columns === undefined) return undefined;
  const table = createTable(columns);
  return type === 'text/csv'
    ? csvSums(table, headerLines)
    : xmlSums(table, element ?? '', new Set(Object.values(columns).flat()));
}

interface Table {
  readonly add: (row: Row) => void;
  readonly sums: () => readonly FileSum[] | undefined;
}

function createTable({ amount, currency, at }: Columns): Table {
  const found = new Map<string, { readonly day: string; readonly currency: string; minor: bigint; count: number }>();
  const textOf = (row: Row, names: readonly string[]): string =>
    names.map((name) => row[name]).find((value) => value !== undefined) ?? '';
  return {
    add: (row) => {
      const minor = thousandths(textOf(row, amount));
      const code = textOf(row, currency);
      if (minor === undefined || !isCurrency(code)) return;
      const day = dayOf(textOf(row, at));
      const key = `${day} ${code}`;
      // Whoever writes a file does not decide how much is remembered of it.
      if (found.size > limits.fileSumRows) return;
      const sum = found.get(key) ?? { day, currency: code, minor: 0n, count: 0 };
      sum.minor += minor;
      sum.count += 1;
      found.set(key, sum);
    },
    sums: () =>
      found.size === 0 || found.size > limits.fileSumRows
        ? undefined
        : [...found.values()]
            .toSorted((one, other) => (`${one.day} ${one.currency}` < `${other.day} ${other.currency}` ? -1 : 1))
            .map(({ day, currency: code, minor, count }) => ({
              ...(day === '' ? {} : { day }),
              ...{ currency: code, amount: amountText(minor, code), count },
            })),
  };
}

/** The day of a time; empty text if the calendar has no such day. */
function dayOf(time: string): string {
  const [day = ''] = /^\d{4}-\d\d-\d\d/.exec(time) ?? [];
  const at = Date.parse(day);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day) ? day : '';
}

function csvSums({ add, sums }: Table, headerLines: number): FileSums {
  const parser = parse({
    columns: (names: readonly string[]) => [...names],
    from_line: headerLines,
    relax_column_count: true,
    max_record_size: limits.fileRecordBytes,
  });
  let isBroken = false;
  const over = new Promise<void>((resolve) => {
    parser.on('error', () => {
      isBroken = true;
      resolve();
    });
    parser.on('end', resolve);
  });
  parser.on('data', (row: Row) => add(row));
  /** Records so far, and bytes since the last one ended. The parser holds them in memory, and bounds the values alone: commas are bytes, too. */
  let records = 0;
  let held = 0;
  return {
    add: async (chunk) => {
      if (isBroken) return;
      const hasRoom = parser.write(chunk);
      held = parser.info.records === records ? held + chunk.length : 0;
      ({ records } = parser.info);
      isBroken ||= held > limits.fileRecordBytes;
      if (!hasRoom && !isBroken)
        await Promise.race([over, new Promise((resolve) => void parser.once('drain', resolve))]);
    },
    end: async () => {
      if (!isBroken) {
        parser.end();
        await over;
      }
      return isBroken ? undefined : sums();
    },
  };
}

/** Characters of a value that is looked at: more than any amount, currency or time has. Own choice. */
const longestValue = 64;

function xmlSums({ add, sums }: Table, element: string, wanted: ReadonlySet<string>): FileSums {
  const parser = new SaxesParser();
  const decoder = new TextDecoder();
  let isBroken = false;
  let row: Record<string, string> | undefined;
  /** Characters since a tag ended, and tags that are open: the parser holds them in memory. */
  let held = 0;
  let open = 0;
  let field = '';
  parser.on('error', () => {
    isBroken = true;
  });
  parser.on('opentag', ({ name }) => {
    held = 0;
    open += 1;
    isBroken ||= open > limits.fileLevels;
    if (name === element) row = {};
    field = name;
  });
  parser.on('text', (text) => {
    if (row !== undefined && wanted.has(field)) row[field] = `${row[field] ?? ''}${text}`.slice(0, longestValue);
  });
  parser.on('closetag', ({ name }) => {
    held = 0;
    open -= 1;
    field = '';
    if (name !== element) return;
    if (row !== undefined) add(row);
    row = undefined;
  });
  const write = (text: string): void => {
    held += text.length;
    if (!isBroken) parser.write(text);
    isBroken ||= held > limits.fileRecordBytes;
  };
  return {
    add: async (chunk) => write(decoder.decode(chunk, { stream: true })),
    end: async () => {
      write(decoder.decode());
      if (!isBroken) parser.close();
      return isBroken ? undefined : sums();
    },
  };
}
