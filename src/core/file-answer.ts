import { z } from 'zod';

/** A media type in which the platform sends files. */
export type FileType = 'text/csv' | 'application/xml';

/** What is known of a file that an answer brought. The file itself is in the file store. */
export interface FileAnswer {
  /** Its name in the file store. */
  readonly name: string;
  readonly type: FileType;
  readonly bytes: number;
  /** SHA-256 of its bytes, hexadecimal. */
  readonly digest: string;
  /** Records after the header of a CSV file, or elements of the declared name in an XML file; null where none is declared. */
  readonly rows: number | null;
  /** The beginning of the file, as the platform wrote it: text from outside. */
  readonly start: string;
}

interface FileSpec {
  readonly types: readonly FileType[];
  /** The XML element that counts as a row. */
  readonly element?: string | undefined;
}

const files = z.registry<FileSpec>();

/** An answer that is a file of one of these types. */
export function file(types: readonly [FileType, ...FileType[]], { element }: Pick<FileSpec, 'element'> = {}) {
  const schema = z.custom<FileAnswer>();
  files.add(schema, { types, element });
  return schema;
}

/** What a contract says of a file answer; undefined for any other schema. */
export const fileSpecOf = (schema: z.ZodType): FileSpec | undefined => files.get(schema);

export const isFile = (schema: unknown): boolean => files.has(schema as z.ZodType);

/**
 * Where a file goes while it arrives. `end` makes it durable and answers its size and digest; `abort` leaves nothing behind.
 */
export interface FileWriter {
  write(chunk: Uint8Array): Promise<void>;
  end(): Promise<{ readonly name: string; readonly bytes: number; readonly digest: string }>;
  abort(): Promise<void>;
}

/** Opens a new file for an answer. */
export type OpenFile = () => Promise<FileWriter>;
