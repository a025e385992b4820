import { type Captures, filled, filledPath, member } from '../scenario/captures.ts';
import type { Value, Values } from '../scenario/schema.ts';
import { changed } from '../sessions/session.ts';
import type { Posted } from './connection.ts';
import type { Message } from './events.ts';
import { reactionsIn, responsesOf } from './reactions.ts';
import { spoiled } from './request-state.ts';
import { type McpSession, methodOf, type RequestStep } from './session.ts';

// The JSON-RPC messages of a host, by the revision that it speaks.

const host = { name: 'host', version: '0' };

/** A message of a host. */
export const messageOf = (method: string, params: unknown, id?: number): Message => ({
  jsonrpc: '2.0',
  ...(id === undefined ? {} : { id }),
  method,
  ...(params === undefined ? {} : { params }),
});

type Spoken = Pick<McpSession, 'revision' | 'host'>;

/** What a host of the 2026 revision says of itself with each message. */
const envelopeOf = ({ revision, host: capabilities }: Spoken): object => ({
  'io.modelcontextprotocol/protocolVersion': revision,
  'io.modelcontextprotocol/clientInfo': host,
  'io.modelcontextprotocol/clientCapabilities': capabilities,
});

export const isModern = ({ revision }: Pick<McpSession, 'revision'>): boolean => revision === '2026-07-28';

/** What a host of the 2025 revision sends before anything else. */
export const greetings = (session: Spoken): readonly [hello: object, ready: string] => [
  { protocolVersion: session.revision, capabilities: session.host, clientInfo: host },
  'notifications/initialized',
];

/** A notification, as text on its way. */
export const notification = (session: Spoken, method: string, params: object): Posted => ({
  text: JSON.stringify(
    messageOf(method, isModern(session) ? { ...params, _meta: { ...metaOf(params), ...envelopeOf(session) } } : params),
  ),
  headers: headersOf(session, method, params),
});

const metaOf = (params: unknown): object => (member(params, '_meta') ?? {}) as object;

/** The headers in which HTTP says what is in the body. */
function headersOf(session: Spoken, method: string, params: unknown): Readonly<Record<string, string>> {
  if (method === 'initialize') return {};
  const version = { 'mcp-protocol-version': session.revision };
  if (!isModern(session)) return version;
  const name = member(params, 'name') ?? member(params, 'uri');
  return { ...version, 'mcp-method': method, ...(typeof name === 'string' ? { 'mcp-name': name } : {}) };
}

/** The step of a plain call. */
export const callOf = (call: string, args: Values): RequestStep => ({
  ...{ call, args, but: {}, without: [], meanwhile: [], headers: {} },
});

/** The request of a step, as text on its way. */
export function requestOf(session: Spoken, step: RequestStep, captures: Captures, id: number): Posted {
  const method = methodOf(step);
  const params = withMeta(session, step, withAnswer(step, paramsOf(step, captures), captures));
  return {
    ...{ id, text: JSON.stringify(messageOf(method, params, id)) },
    headers: { ...headersOf(session, method, params), ...step.headers },
  };
}

function paramsOf(step: RequestStep, captures: Captures): Value | undefined {
  const given = 'call' in step ? step.args : step.params;
  const whole =
    given === undefined ? undefined : linked(filled(changed(given, step.but, step.without), captures), captures);
  return 'call' in step ? { name: step.call, arguments: whole ?? {} } : whole;
}

/** Addresses of resources have names within them. */
function linked(value: Value, captures: Captures): Value {
  const uri = member(value, 'uri');
  return typeof uri === 'string' ? { ...(value as object), uri: filledPath(uri, captures) } : value;
}

/** A request that brings back the state of a question, with the reaction of the user. */
function withAnswer({ answers, spoilt, user }: RequestStep, params: Value | undefined, captures: Captures) {
  if (answers === undefined) return params;
  const state = String(filled(`$${answers}.requestState`, captures));
  return {
    ...(params as object),
    requestState: spoilt === undefined ? state : spoiled(state, spoilt),
    inputResponses: responsesOf(reactionsIn(user)),
  };
}

function withMeta(session: Spoken, { progress, host: own }: RequestStep, params: unknown): unknown {
  const envelope = isModern(session) && own !== null ? envelopeOf({ ...session, host: own ?? session.host }) : {};
  const meta = { ...envelope, ...(progress === undefined ? {} : { progressToken: progress }), ...metaOf(params) };
  const isPlain = params === undefined || (typeof params === 'object' && params !== null && !Array.isArray(params));
  return Object.keys(meta).length === 0 || !isPlain ? params : { ...params, _meta: meta };
}
