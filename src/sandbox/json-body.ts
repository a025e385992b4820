import type { z } from 'zod';
import { PlatformError } from './answer.ts';

/** The JSON of a body; an empty body is an empty object. Undefined if it is not JSON in UTF-8, which no schema accepts. */
export function jsonBody(bytes: Uint8Array): unknown {
  try {
    const written = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return written === '' ? {} : JSON.parse(written);
  } catch {
    return undefined;
  }
}

/** The body of a page's own call. Throws the platform's 400 with `message` if it is another one. */
export function pageBody<S extends z.ZodType>(schema: S, bytes: Uint8Array, message: string): z.output<S> {
  const read = schema.safeParse(jsonBody(bytes));
  if (!read.success) throw new PlatformError(400, 'INVALID_DATA', message);
  return read.data;
}
