import type { FileType } from '../core/file-answer.ts';

/** The request that the client sends. */
export interface Request {
  readonly names: Names;
  readonly query?: unknown;
  readonly body: unknown;
  /** The type of file that it asks for, where the response can be JSON or a file. */
  readonly accept?: FileType;
}

export type Names = Readonly<Record<string, string>>;
