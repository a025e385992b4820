import { z } from 'zod';

/** The media types of the platform's files. */
export const fileTypes = ['text/csv', 'application/xml'] as const;
export type FileType = (typeof fileTypes)[number];

/** The metadata of a file in a response. The file itself is in the file store. */
export interface FileAnswer {
  /** Its name in the file store. */
  readonly name: string;
  readonly type: FileType;
  readonly bytes: number;
  /** SHA-256 of its bytes, in Base64. */
  readonly digest: string;
  /**
   * Records after the header of a CSV file, or elements of the declared name in an XML file; null if the contract
   * declares no element.
   */
  readonly rows: number | null;
  /** The beginning of the file: untrusted text. */
  readonly start: string;
  /** Sums of its amounts, if the contract names their columns and the file could be read. */
  readonly sums?: readonly FileSum[] | undefined;
}

/** The sum of the amounts of a day in one currency, and how many they are. The day is absent if the file has none. */
export interface FileSum {
  readonly day?: string;
  readonly currency: string;
  /** Decimal text, negative where more was paid back. */
  readonly amount: string;
  readonly count: number;
}

export interface FileSpec {
  readonly types: readonly FileType[];
  /** The XML element that counts as a row. */
  readonly element?: string | undefined;
  /** Lines of a CSV file before its first record; by default one. */
  readonly headerLines?: number | undefined;
  /** The columns, or elements within a row, of an amount, its currency and its time, by each name that they can have. */
  readonly sums?:
    | { readonly amount: readonly string[]; readonly currency: readonly string[]; readonly at: readonly string[] }
    | undefined;
  /** The JSON response where the request asks for no file; absent where every response is a file. */
  readonly json?: z.ZodType | undefined;
}

const files = new WeakMap<z.ZodType, FileSpec>();

/** A response that is a file of one of these types. */
export function file(types: readonly [FileType, ...FileType[]], spec: Omit<FileSpec, 'types'> = {}) {
  const schema = z.custom<FileAnswer>();
  files.set(schema, { types, ...spec });
  return schema;
}

/** A response in JSON, or a file of one of these types if the request asks for one. */
export function fileOr<S extends z.ZodType>(
  json: S,
  types: readonly [FileType, ...FileType[]],
  spec: Omit<FileSpec, 'types' | 'json'> = {},
) {
  const schema = z.union([json, z.custom<FileAnswer>()]);
  files.set(schema, { types, ...spec, json });
  return schema;
}

/** Whether the body of a response is a file. */
export const isFileAnswer = <B>(body: B | FileAnswer): body is FileAnswer =>
  typeof body === 'object' && body !== null && 'digest' in body && 'start' in body;

/** A response that asked for no file. Throws for a file. */
export function jsonOf<B>(body: B | FileAnswer): B {
  if (isFileAnswer(body)) throw new Error('The response is a file, and none was asked for.');
  return body;
}

/** The declaration of a file response; undefined for any other schema. */
export const fileSpecOf = (schema: z.ZodType): FileSpec | undefined => files.get(schema);

/**
 * Writes an incoming file. `end` makes it durable and returns its size and digest; `abort` deletes it. `write` and
 * `end` throw FileNotStored.
 */
export interface FileWriter {
  write(chunk: Uint8Array): Promise<void>;
  end(): Promise<Pick<FileAnswer, 'name' | 'bytes' | 'digest'>>;
  abort(): Promise<void>;
}

/** Opens a new file for a response. Throws FileNotStored. */
export type OpenFile = () => Promise<FileWriter>;

/** A file could not be written on this machine: `full`, or the operating system's error code. */
export class FileNotStored extends Error {
  override readonly name = 'FileNotStored';
  readonly code: string;
  constructor(code: string, options?: ErrorOptions) {
    super(`The file can't be stored (${code}).`, options);
    this.code = code;
  }
}

/** A file in the store's list. */
export interface StoredFile {
  readonly name: string;
  readonly bytes: number;
  /** Milliseconds since it was last written, by the machine's clock. */
  readonly ageMilliseconds: number;
}

/** The files of one tenant. A name is a handle, never external text. */
export interface FileStore {
  create(name: string): Promise<FileWriter>;
  /** Bytes of a file; undefined if there is none. */
  size(name: string): number | undefined;
  /** The bytes from `from` up to `to`, fewer at the end of the file. Throws if the file is missing. */
  read(name: string, from: number, to: number): Uint8Array;
  /** The whole file. Breaks off if it doesn't have this many bytes: whoever reads it was told that many. */
  stream(name: string, bytes: number): ReadableStream<Uint8Array>;
  remove(name: string): void;
  list(): readonly StoredFile[];
}
