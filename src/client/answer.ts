import type { z } from 'zod';
import { FileNotStored, fileSpecOf } from '../core/file-answer.ts';
import { limits } from '../core/limits.ts';
import type { Operation } from '../core/operation.ts';
import { parseJson } from '../core/parse-json.ts';
import { secretsIn } from '../core/secret-leaves.ts';
import { PlatformFault } from './errors.ts';
import { type Receiving, receiveFile } from './receive-file.ts';
import { refusal } from './refusal.ts';
import type { Clock } from './signing.ts';

/** A successful response: a documented status with its body. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

interface Reading {
  readonly clock: Clock;
  readonly receiving?: Receiving | undefined;
  /** The body of the request, with its secrets opened. */
  readonly sent?: unknown;
}

/**
 * Reads a response of the platform. Returns only what the contract documents (EN-08). Throws PlatformRefusal for a
 * status of 400 or above, whatever its body, and PlatformFault for everything else.
 */
export async function readAnswer(
  operation: Operation,
  response: Response,
  { clock, receiving, sent }: Reading,
): Promise<Answer> {
  if (response.status >= 400) {
    const secrets = secretsIn(operation.body, sent);
    throw refusal(operation.error, response, await errorBody(response), clock, secrets);
  }
  const status = meant(operation, response.status);
  const schema = operation.output[status];
  if (schema === undefined) {
    await response.body?.cancel();
    throw new PlatformFault(status >= 300 ? 'redirected' : 'wrong-shape', { status });
  }
  const spec = fileSpecOf(schema);
  if (spec !== undefined && (spec.json === undefined || !isJson(response))) {
    if (receiving === undefined) throw new FileNotStored('no file store');
    return { status, body: await receiveFile(spec, response, receiving) };
  }
  const bytes = await readBytes(response);
  // An empty response is valid only if the contract documents one.
  const body = bytes.length === 0 && schema.safeParse(undefined).success ? undefined : readJson(response, bytes);
  const parsed = (spec?.json ?? schema).safeParse(body);
  if (!parsed.success) throw new PlatformFault('wrong-shape', { status, paths: pathsOf(parsed.error) });
  return { status, body: parsed.data };
}

/** The status of an operation's output that a response stands for. */
const meant = ({ output, successes = [] }: Operation, status: number): number =>
  successes.includes(status) ? Number(Object.keys(output)[0]) : status;

/**
 * The paths of schema errors: names in the schema, `[]` for an element, `*` for any other name, `(all)` for the root.
 */
export function pathsOf(error: z.ZodError): readonly string[] {
  const step = (key: PropertyKey) =>
    typeof key === 'number' ? '[]' : `.${/^[\w-]{1,64}$/.test(String(key)) ? String(key) : '*'}`;
  const paths = error.issues.map((issue) => issue.path.map(step).join('').replace(/^\./, '') || '(all)');
  return [...new Set(paths)];
}

/** The body of an error response: undefined if it is empty, null if it is unreadable. The status alone decides then. */
async function errorBody(response: Response): Promise<unknown> {
  try {
    const bytes = await readBytes(response);
    return bytes.length === 0 ? undefined : readJson(response, bytes);
  } catch (error) {
    if (error instanceof PlatformFault) return null;
    throw error;
  }
}

function readJson(response: Response, bytes: Uint8Array): unknown {
  const { status } = response;
  if (!isJson(response)) throw new PlatformFault('not-json', { status });
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // The parser's error would quote the text.
    throw new PlatformFault('not-json', { status });
  }
}

const isJson = ({ headers }: Response): boolean =>
  /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(headers.get('content-type') ?? '');

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
