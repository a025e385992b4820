import { fillPath, type Input, type Operation, type Output } from '../core/operation.ts';
import { type Contract, contract } from '../domains/index.ts';
import { pathsOf, readAnswer } from './answer.ts';
import { InvalidCall, PlatformFault } from './errors.ts';
import { originOf } from './origin.ts';
import type { Platform } from './platform.ts';
import { redact } from './redact.ts';
import type { Clock, Signer } from './signing.ts';

/** The two published prefixes of the agent operations. */
export type AgentPrefix = '/acp/v1' | '/icc/v1';

/** The prefix that the contract prints. */
const contractPrefix = '/acp/v1' satisfies AgentPrefix;

export interface ClientSettings {
  readonly platform: Platform;
  /** Scheme, host and port of the platform. */
  readonly baseUrl: string;
  readonly signer: Signer;
  readonly agentPrefix: AgentPrefix;
  readonly clock: Clock;
  /** The version of Purser, told to the platform. */
  readonly version: string;
}

export type Operations = { readonly [name: string]: Operation };

/** A request as it may be shown: not signed, and redacted. */
export interface Description {
  readonly method: Operation['method'];
  readonly path: string;
  /** Undefined where the request has none. */
  readonly body: unknown;
}

/** What goes with a call beside its input. */
export interface More {
  /** Names the call for the platform's logs (D-40). */
  readonly requestId?: string | undefined;
}

/**
 * One method per operation. Each sends its request once and answers the status and body that the contract states, or
 * throws PlatformRefusal, PlatformFault, or InvalidCall before anything is sent.
 */
export type ClientOf<O extends Operations> = {
  readonly [N in keyof O]: (input: Input<O[N]>, more?: More) => Promise<Output<O[N]>>;
} & {
  /** The request that the method of this name would send, for a preview. Sends nothing; throws InvalidCall as it would. */
  readonly describe: <N extends keyof O & string>(name: N, input: Input<O[N]>) => Description;
};

export type Client = ClientOf<Contract>;

/** The client of the platform. */
export const createClient = (settings: ClientSettings): Client => createClientOf(contract, settings);

/** The client of any operations, derived from them. */
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
  // Each method was made from the operation under whose name it stands, which is what the mapped type says.
  return Object.freeze({ ...Object.fromEntries(methods), describe }) as ClientOf<O>;
}

/** An input as the code sees it, whatever its operation: path names, and perhaps a body and a query. */
type LooseInput = { readonly [name: string]: unknown };

async function call(
  name: string,
  operation: Operation,
  input: LooseInput,
  { requestId }: More,
  origin: string,
  { platform, signer, agentPrefix, clock, version }: ClientSettings,
): Promise<unknown> {
  if (operation.transport !== 'http') throw new InvalidCall(name, ['(transport)']);
  const { path, body } = prepare(name, operation, input, agentPrefix);
  const { method } = operation;
  // The address as it goes out: what is signed is the same text.
  const url = new URL(origin + path).href;
  // The digest covers these very bytes.
  const bytes = body === undefined ? {} : { body: new TextEncoder().encode(JSON.stringify(body)) };
  const headers = await signer({
    method,
    url,
    ...bytes,
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      'user-agent': `purser/${version}`,
      'v-c-client-id': `purser-${version}`,
      ...(requestId === undefined ? {} : { 'x-requestid': requestId }),
    },
  });
  const request = new Request(url, { method, headers, redirect: 'error', ...bytes });
  return readAnswer(operation, await send(platform, request), clock);
}

/** A platform that throws something else than a fault has said nothing about what was sent. */
async function send(platform: Platform, request: Request): Promise<Response> {
  try {
    return await platform(request);
  } catch (error) {
    throw error instanceof PlatformFault ? error : new PlatformFault('no-answer');
  }
}

interface Prepared {
  /** With its query. */
  readonly path: string;
  readonly body: unknown;
}

/** Path and body of a call. Throws InvalidCall where the input does not fit the operation. */
function prepare(name: string, operation: Operation, input: LooseInput, agentPrefix: AgentPrefix): Prepared {
  const faults = [
    ...wrong('body', operation.body, input.body),
    ...wrong('query', operation.query, input.query),
    ...wrongNames(operation, input),
  ];
  if (faults.length > 0) throw new InvalidCall(name, faults);
  // The names were found to be ids just now.
  const filled = fillPath(operation, input as { readonly [name: string]: string });
  const path = filled.startsWith(`${contractPrefix}/`) ? agentPrefix + filled.slice(contractPrefix.length) : filled;
  return { path: path + queryOf(name, input.query), body: bodyOf(operation, input) };
}

/** A call that changes something and takes no body sends an empty object; GET and DELETE send nothing. */
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

/** The path names that are not ids. `fillPath` says what an id is, one name at a time. */
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

/** A query with what is not undefined, percent-encoded; empty where there is none. */
function queryOf(name: string, query: unknown): string {
  const pairs = Object.entries(query ?? {})
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => {
      if (!['string', 'number', 'boolean'].includes(typeof value)) throw new InvalidCall(name, [`query.${key}`]);
      return `${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`;
    });
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
