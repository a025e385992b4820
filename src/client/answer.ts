import type { z } from 'zod';
import { limits } from '../core/limits.ts';
import type { Operation } from '../core/operation.ts';
import { PlatformFault } from './errors.ts';
import { refusal } from './refusal.ts';
import type { Clock } from './signing.ts';

/** A success: a status that the contract states, and the body that belongs to it. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Reads what the platform answered. Answers only what the contract states (EN-08); throws a PlatformRefusal for a status of
 * 400 or above, whatever its body, and a PlatformFault for everything else.
 */
export async function readAnswer(operation: Operation, response: Response, clock: Clock): Promise<Answer> {
  const { status } = response;
  if (status >= 400) throw refusal(operation.error, response, await errorBody(response), clock);
  const schema = operation.output[status];
  if (schema === undefined) {
    await response.body?.cancel();
    throw new PlatformFault(status >= 300 ? 'redirected' : 'wrong-shape', { status });
  }
  const bytes = await readBytes(response);
  // An answer without a body is one only where the contract says so.
  const body = bytes.length === 0 && schema.safeParse(undefined).success ? undefined : readJson(response, bytes);
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new PlatformFault('wrong-shape', { status, paths: pathsOf(parsed.error) });
  return { status, body: parsed.data };
}

/** Where a shape is broken: names that stand in a shape, `[]` for an element, `*` for any other name, `(all)` for the root. */
export function pathsOf(error: z.ZodError): readonly string[] {
  const step = (key: PropertyKey) =>
    typeof key === 'number' ? '[]' : `.${/^[\w-]{1,64}$/.test(String(key)) ? String(key) : '*'}`;
  const paths = error.issues.map((issue) => issue.path.map(step).join('').replace(/^\./, '') || '(all)');
  return [...new Set(paths)];
}

/** The body of a refusal. Treats an unreadable body as empty: the status alone decides what a refusal means. */
async function errorBody(response: Response): Promise<unknown> {
  try {
    return readJson(response, await readBytes(response));
  } catch (error) {
    if (error instanceof PlatformFault) return undefined;
    throw error;
  }
}

function readJson(response: Response, bytes: Uint8Array): unknown {
  const { status } = response;
  const type = response.headers.get('content-type') ?? '';
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) throw new PlatformFault('not-json', { status });
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // The parser's own error repeats the text.
    throw new PlatformFault('not-json', { status });
  }
}

async function readBytes(response: Response): Promise<Uint8Array> {
  const { status, body } = response;
  if (body === null) return new Uint8Array();
  const stated = response.headers.get('content-length');
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      length += chunk.length;
      if (length > limits.answerBytes) throw new PlatformFault('oversized', { status });
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof PlatformFault && error.kind === 'oversized'
      ? error
      : new PlatformFault('truncated', { status });
  }
  if (stated !== null && Number(stated) !== length) throw new PlatformFault('truncated', { status });
  return Buffer.concat(chunks);
}
