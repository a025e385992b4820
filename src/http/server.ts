import type { IncomingMessage } from 'node:http';
import { type Context, Hono } from 'hono';
import { createApprovalPage } from '../console/approval-page.ts';
import { limits } from '../core/limits.ts';
import { demandDistinct, questionKey, type Role, type Tokens } from '../engine/access-tokens.ts';
import type { Engine } from '../engine/engine.ts';
import { isOurHost, loopback, refuseStranger } from '../listener/gate.ts';
import { readBody } from '../listener/read.ts';
import { fault, json, notFound } from '../listener/reply.ts';
import { responseWithoutEcho } from '../mcp/error-redaction.ts';
import { counted } from '../mcp/pending-calls.ts';
import type { Prompt } from '../mcp/prompts.ts';
import { refuseUnknown, safeHeaders } from './authenticate.ts';
import { createMcpPaths } from './mcp-paths.ts';
import { merchantRoutes } from './merchant-routes.ts';
import { peopleRoutes } from './person-routes.ts';
import type { Route } from './routes.ts';

export interface HttpOptions {
  readonly engine: Engine;
  readonly tokens: Tokens;
  readonly tenant: string;
  readonly version: string;
  readonly prompts?: readonly Prompt[] | undefined;
  /** Host names that are served, with or without a port; those of this machine where nothing is said. */
  readonly hosts?: readonly string[] | undefined;
  /** The address by which people and hosts reach us, where a proxy stands before us; its host and its pages are served. */
  readonly publicUrl?: string | undefined;
  /** Origins whose pages may call besides our own. */
  readonly origins?: readonly string[] | undefined;
  /** The sandbox's control API, and its payment links. It takes no token, so it is for callers on this machine alone. */
  readonly sandboxControl?: ((request: Request) => Promise<Response>) | undefined;
  /** The time by which idle MCP sessions end; by default the engine's, which the embedded sandbox may set forward. */
  readonly clock?: { now(): number } | undefined;
  /** Hears of what went wrong inside; stderr is the caller's. */
  readonly onFailure?: ((failure: unknown) => void) | undefined;
}

/** Everything over HTTP as a function, for `listen` or a test. */
export interface HttpFace {
  /** Every call that is served: method and path. */
  readonly calls: readonly string[];
  fetch(request: Request, env?: Env): Promise<Response>;
  /** Waits for the calls that are under way. */
  close(): Promise<void>;
}

/** What the server knows of a connection; absent in process. */
export interface Env {
  readonly incoming?: Pick<IncomingMessage, 'socket'>;
  /** Counts the request for a role; false where too many of that role are under way. */
  readonly admit?: ((role: Role | 'stranger') => boolean) | undefined;
}

/** The HTTP face: MCP for the agent, registration and credentials for the merchant's app, decisions for people. */
export function createHttpFace(options: HttpOptions): HttpFace {
  const { tokens, tenant, sandboxControl, onFailure = () => undefined } = options;
  const { hosts, origins } = reachedBy(options);
  const { engine, idle } = counted(options.engine.of(tenant));
  demandDistinct(tokens);
  const mcp = createMcpPaths({
    ...options,
    engine,
    caller: { tenant, principal: 'agent' },
    stateKey: questionKey(tokens),
    now: () => (options.clock ?? engine.parts.ports.clock).now(),
  });
  const app = new Hono<{ Bindings: Env }>();

  app.use(async ({ req, env }, next) => {
    const refused = env.admit?.('stranger') === false ? busy() : refuseStranger(req.raw, hosts, origins);
    if (refused !== undefined) return refused;
    await next();
  });
  app.get('/healthz', () => json(200, { status: 'ok', environment: engine.environment }));
  if (sandboxControl !== undefined)
    for (const path of ['/sandbox/*', '/pay/*'])
      app.all(path, ({ req, env }) => (isNear(req.raw, env) ? sandboxControl(req.raw) : notFound()));
  for (const path of ['/mcp', '/mcp/*'])
    app.all(path, async ({ req, env }) => {
      const refused = refuseEntry(req.raw, 'agent', tokens, env);
      if (refused !== undefined) return refused;
      const request = await readWhole(req.raw);
      return request === undefined ? tooLarge() : (answerOf(mcp.fetch(request)) ?? notFound());
    });
  for (const path of ['/approve', '/approve/', '/approve/:id'])
    app.get(path, () => createApprovalPage(engine.parts.settings));
  for (const route of [...merchantRoutes(engine, tenant), ...peopleRoutes(engine.parts, tenant)])
    mount(app, route, tokens);
  app.notFound(() => notFound());
  app.onError((failure) => {
    if (failure.name === 'BadCursor') return badCursor(); // the ledger's: a cursor that it never gave for this list
    onFailure(failure);
    return fault(500, { code: 'INTERNAL', message: 'Purser failed inside; the operator can read why.' });
  });

  return {
    calls: app.routes.filter(({ path }) => path !== '/*').map(({ method, path }) => `${method} ${path}`),
    fetch: async (request, env = {}) => dressed(await app.fetch(request, env)),
    close: async () => {
      await idle();
      await mcp.close();
    },
  };
}

function mount(app: Hono<{ Bindings: Env }>, { call, role, serve }: Route, tokens: Tokens): void {
  const [method = '', path = ''] = call.split(' ');
  app.on(method, path, async ({ req, env }: Context<{ Bindings: Env }>) => {
    const refused = refuseEntry(req.raw, role, tokens, env);
    if (refused !== undefined) return refused;
    const bytes = await readBody(req.raw, limits.requestBytes);
    if (bytes === null) return tooLarge();
    const text = new TextDecoder().decode(bytes);
    if (text !== '' && !/^application\/json\b/i.test(req.header('content-type') ?? '')) return noJson(415);
    const body = parsed(text);
    return body === noBody && text !== ''
      ? noJson(400)
      : serve({ id: req.param('id') ?? '', query: req.query(), body });
  });
}

/** Refuses a request without its role's token, or one too many of that role at once. */
const refuseEntry = (request: Request, role: Role, tokens: Tokens, { admit }: Env): Response | undefined =>
  refuseUnknown(request, role, tokens) ?? (admit?.(role) === false ? busy() : undefined);

const answerOf = (answer: Promise<Response> | undefined) => answer?.then(responseWithoutEcho);

/** The same request with a body that was read; undefined where that is too long. A copy, because the server owns the original. */
async function readWhole(request: Request): Promise<Request | undefined> {
  const bytes = await readBody(request, limits.requestBytes);
  if (bytes === null) return undefined;
  const { url, method, headers, signal } = request;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(url, { method, headers: [...headers], signal, ...(hasBody ? { body: bytes } : {}) });
}

const noBody = undefined;

function parsed(text: string): unknown {
  try {
    return text === '' ? noBody : JSON.parse(text);
  } catch {
    return noBody; // the parser's own message quotes the text
  }
}

/** Hosts that are served and origins whose pages may call: those given, and the public address. */
function reachedBy({ hosts = loopback, origins = [], publicUrl }: HttpOptions) {
  if (publicUrl === undefined) return { hosts, origins };
  const { host, origin } = new URL(publicUrl);
  return { hosts: [...hosts, host], origins: [...origins, origin] };
}

/** Whether the caller is on this machine and means it: a proxy on it is near, too, and calls for anybody. */
const isNear = ({ headers, url }: Request, { incoming }: Env): boolean =>
  isOurHost(headers.get('host') ?? new URL(url).host, loopback) &&
  (incoming === undefined || /^(::1|(::ffff:)?127\.)/.test(incoming.socket.remoteAddress ?? ''));

const policyHeader = 'content-security-policy';

function dressed(response: Response): Response {
  // The one page there is has a policy of its own.
  for (const [name, value] of Object.entries(safeHeaders))
    if (name !== policyHeader || !response.headers.has(name)) response.headers.set(name, value);
  return response;
}

const tooLarge = (): Response =>
  fault(
    413,
    { code: 'TOO_LARGE', message: `A body has at most ${limits.requestBytes} bytes.` },
    { connection: 'close' },
  );
const busy = (): Response =>
  fault(
    503,
    { code: 'BUSY', message: 'Too many requests are under way. Send it again in a second.' },
    { 'retry-after': '1', connection: 'close' },
  );
const noJson = (status: 400 | 415): Response =>
  fault(status, { code: 'INVALID', message: 'The body must be JSON, sent as application/json.', rule: 'EN-01' });
const badCursor = (): Response =>
  fault(400, { code: 'INVALID', message: 'It is not the `more` of this list.', field: 'cursor', rule: 'EN-01' });
