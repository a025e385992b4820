import { type FileType, fileSpecOf } from '../core/file-answer.ts';
import { fillPath, type Input, isStreamed, namesAnother, type Operation, type Output } from '../core/operation.ts';
import { type Contract, contract } from '../domains/index.ts';
import { pathsOf, readAnswer } from './answer.ts';
import { InvalidCall, PlatformFault } from './errors.ts';
import { originOf } from './origin.ts';
import type { Platform } from './platform.ts';
import type { Receiving } from './receive-file.ts';
import { redact } from './redact.ts';
import type { Clock, Signer } from './signing.ts';

// The typed client of the platform: one method for each operation of the contract, from input to outcome.

export interface ClientSettings {
  readonly platform: Platform;
  /** Scheme, host and port of the platform. */
  readonly baseUrl: string;
  readonly signer: Signer;
  /** The path prefix of operations that are documented under several. */
  readonly agentPrefix: string;
  readonly clock: Clock;
  /** Purser's version, sent to the platform. */
  readonly version: string;
}

export type Operations = { readonly [name: string]: Operation };

/** A request for display: unsigned and redacted. */
export interface Description {
  readonly method: Operation['method'];
  readonly path: string;
  /** Undefined if the request has no body. */
  readonly body: unknown;
}

/** Options of a call, besides its input. */
export interface More {
  /** The call's id in the platform's logs (D-40). */
  readonly requestId?: string | undefined;
  /** Receives a file response and its progress. */
  readonly receiving?: Receiving | undefined;
}

/**
 * A method per operation. Each sends its request once and returns a documented status and body. Throws PlatformRefusal,
 * PlatformFault, or InvalidCall before anything is sent.
 */
export type ClientOf<O extends Operations> = {
  readonly [N in keyof O]: (input: Input<O[N]>, more?: More) => Promise<Output<O[N]>>;
} & {
  /**
   * The request that the method of this name would send, for a preview. Sends nothing. Throws InvalidCall like the
   * method.
   */
  readonly describe: <N extends keyof O & string>(name: N, input: Input<O[N]>) => Description;
};

export type Client = ClientOf<Contract>;

/** The client of the platform. */
export const createClient = (settings: ClientSettings): Client => createClientOf(contract, settings);

/** The client of any operations, derived from their declarations. */
export function createClientOf<O extends Operations>(operations: O, settings: ClientSettings): ClientOf<O> {
  const origin = originOf(settings.baseUrl);
  const methods = Object.entries(operations).map(([name, operation]) => [
    name,
    async (input: LooseInput, more: More = {}) => call(name, operation, input, more, origin, settings),
  ]);
  const describe = (name: string, input: LooseInput): Description => {
    const operation = operations[name];
    if (operation === undefined) throw new InvalidCall(name, ['(name)']);
    const { path, body } = prepare(name, operation, input, settings.agentPrefix);
    return { method: operation.method, path, body: body === undefined ? undefined : redact(body, operation.body) };
  };
  // A cast: each method was derived from the operation of its name, as the mapped type says.
  return Object.freeze({ ...Object.fromEntries(methods), describe }) as ClientOf<O>;
}

/** The input of any operation: path names, and perhaps a body and a query. */
type LooseInput = { readonly [name: string]: unknown };

async function call(
  name: string,
  operation: Operation,
  input: LooseInput,
  { requestId, receiving }: More,
  origin: string,
  { platform, signer, agentPrefix, clock, version }: ClientSettings,
): Promise<unknown> {
  if (operation.transport !== 'http') throw new InvalidCall(name, ['(transport)']);
  const { path, body, asked } = prepare(name, operation, input, agentPrefix);
  const { method } = operation;
  // The exact address that is sent: the same text is signed.
  const url = new URL(origin + path).href;
  // The digest covers these exact bytes.
  const bytes = body === undefined ? {} : { body: new TextEncoder().encode(JSON.stringify(body)) };
  const headers = await signer({
    method,
    url,
    ...bytes,
    namesKey: operation.namesKey === true,
    headers: {
      accept: acceptOf(operation, asked),
      'content-type': 'application/json',
      'user-agent': `purser/${version}`,
      'v-c-client-id': `purser-${version}`,
      ...(requestId === undefined ? {} : { 'x-requestid': requestId }),
    },
  });
  const request = new Request(url, { method, headers, redirect: 'error', ...bytes });
  const response = await send(platform, request, isStreamed(operation, asked));
  const answer = await readAnswer(operation, response, { clock, receiving, sent: body });
  const another = namesAnother(operation, input, answer.body);
  if (another !== undefined) throw new PlatformFault('wrong-shape', { status: answer.status, paths: [another] });
  return answer;
}

const json = 'application/json';

/** The media types of an operation's responses; errors are JSON. Where there is a choice, exactly one is asked for (RP-11). */
const acceptOf = ({ output, streams }: Operation, asked: FileType | undefined): string =>
  streams === 'asked'
    ? (asked ?? json)
    : [...Object.values(output).flatMap((schema) => fileSpecOf(schema)?.types ?? []), json].join(', ');

/** Whether a type of file may be asked for. */
const isOffered = ({ output, streams }: Operation, asked: unknown): boolean =>
  asked === undefined ||
  (streams === 'asked' &&
    Object.values(output).some((schema) => fileSpecOf(schema)?.types.some((type) => type === asked)));

/** An unexpected exception says nothing about whether the request was sent. */
async function send(platform: Platform, request: Request, streams: boolean): Promise<Response> {
  try {
    return await platform(request, { streams });
  } catch (error) {
    throw error instanceof PlatformFault ? error : new PlatformFault('no-answer');
  }
}

interface Prepared {
  /** Including the query. */
  readonly path: string;
  readonly body: unknown;
  /** The type of file that is asked for. */
  readonly asked: FileType | undefined;
}

/** The path, body and type of a call. Throws InvalidCall if the input doesn't match the operation. */
function prepare(name: string, operation: Operation, input: LooseInput, agentPrefix: string): Prepared {
  const faults = [
    ...wrong('body', operation.body, input.body),
    ...wrong('query', operation.query, input.query),
    ...wrongNames(operation, input),
    ...(isOffered(operation, input.accept) ? [] : ['accept']),
  ];
  if (faults.length > 0) throw new InvalidCall(name, faults);
  // A cast: the names were checked above.
  const names = input as { readonly [name: string]: string };
  const path = fillPath({ ...operation, template: templateUnder(agentPrefix, operation) }, names);
  return {
    path: path + queryOf(name, input.query),
    body: bodyOf(operation, input),
    asked: input.accept as FileType | undefined, // it is offered
  };
}

/** An operation's path under the prefix, if the platform accepts several. */
function templateUnder(prefix: string, { method, template, also = [] }: Operation): string {
  const paths = also.filter((call) => call.startsWith(`${method} `)).map((call) => call.slice(method.length + 1));
  return [template, ...paths].find((path) => path.startsWith(`${prefix}/`)) ?? template;
}

/** A change without a body sends an empty object; GET and DELETE send nothing. */
function bodyOf(operation: Operation, input: LooseInput): unknown {
  if (operation.method === 'GET' || operation.method === 'DELETE') return undefined;
  return operation.body === undefined ? {} : input.body;
}

function wrong(part: 'body' | 'query', schema: Operation['body'], value: unknown): readonly string[] {
  const parsed = schema?.safeParse(value);
  return parsed === undefined || parsed.success
    ? []
    : pathsOf(parsed.error).map((path) => (path === '(all)' ? part : `${part}.${path}`));
}

/** The path names that are not valid ids, each checked by `fillPath`. */
function wrongNames({ template, worded }: Operation, input: LooseInput): readonly string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].flatMap(([braced, key = '']) => {
    const value = input[key];
    try {
      if (typeof value === 'string' && Object.hasOwn(input, key))
        fillPath({ template: braced, worded }, { [key]: value });
      else return [key];
    } catch {
      return [key];
    }
    return [];
  });
}

/** The percent-encoded query of all defined values; empty if there are none. */
function queryOf(name: string, query: unknown): string {
  const pairs = Object.entries(query ?? {})
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => {
      if (!['string', 'number', 'boolean'].includes(typeof value)) throw new InvalidCall(name, [`query.${key}`]);
      return `${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`;
    });
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
