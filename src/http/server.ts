import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { type Context, Hono } from 'hono';
import { createApprovalPage } from '../console/approval-page.ts';
import { createCustomerPages } from '../console/customer-page.ts';
import { hasDuplicateKeys } from '../core/duplicate-keys.ts';
import { limits } from '../core/limits.ts';
import { demandDistinct, questionKey, type Role, type Tokens } from '../engine/access-tokens.ts';
import { closestName } from '../engine/closest-name.ts';
import type { Engine } from '../engine/engine.ts';
import { badCursor, isBadCursor } from '../engine/refusal.ts';
import { isOurHost, loopback, refuseForeign } from '../listener/gate.ts';
import { jsonIn, readBody, UnfinishedBody } from '../listener/read.ts';
import { fault, json, notFound } from '../listener/reply.ts';
import { responseWithoutEcho } from '../mcp/error-redaction.ts';
import { trackCalls, trackEngineCalls } from '../mcp/pending-calls.ts';
import type { Prompt } from '../mcp/prompts.ts';
import { refuseUnknown, safeHeaders, senderOf } from './authenticate.ts';
import { customerRoutes, type OpenRoute } from './customer-routes.ts';
import { fileRoutes } from './file-routes.ts';
import { messageOf, refuseDeep, refuseGarbled, unreadable } from './mcp-message.ts';
import { createMcpPaths } from './mcp-paths.ts';
import { merchantRoutes } from './merchant-routes.ts';
import { peopleRoutes } from './person-routes.ts';
import { createDeliveries, type DeliveryOptions, deliveryCall } from './platform-events.ts';
import { type ReaderDoor, type RefuseReader, readerRoutes } from './reader-upgrade.ts';
import type { Route } from './routes.ts';

// The HTTP server: who a request comes from, and which routes that sender may use.

/** The parts of a sandbox that are served without signed requests. */
export interface SandboxRoutes {
  handle(request: Request): Promise<Response>;
  readonly pages: readonly string[];
}

export interface HttpOptions {
  readonly engine: Engine;
  readonly tokens: Tokens;
  readonly tenant: string;
  readonly version: string;
  readonly prompts?: readonly Prompt[] | undefined;
  /** Accepted host names, with or without a port; by default those of this machine. */
  readonly hosts?: readonly string[] | undefined;
  /** The public URL behind a proxy; its host and pages are accepted. */
  readonly publicUrl?: string | undefined;
  /** Further origins whose pages may call. */
  readonly origins?: readonly string[] | undefined;
  /**
   * The sandbox's control API, and its pages by path prefix. They need no token, so only callers on this machine can
   * use them.
   */
  readonly sandbox?: SandboxRoutes | undefined;
  /** The time by which idle MCP sessions end; by default the engine's, which the embedded sandbox may set forward. */
  readonly clock?: { now(): number } | undefined;
  /** The bridge to the app of a card reader; without it, none can connect. */
  readonly reader?: ReaderDoor | undefined;
  /** How deliveries of events are taken; without it, none is. */
  readonly deliveries?: DeliveryOptions | undefined;
  /** Hears of what went wrong inside; stderr is the caller's. */
  readonly onFailure?: ((failure: unknown) => void) | undefined;
}

/** The HTTP server as a function, for `listen` or a test. */
export interface HttpFace {
  /** Method and path of every route. */
  readonly calls: readonly string[];
  fetch(request: Request, env?: Env): Promise<Response>;
  /** Where the app of a card reader connects, and who may not. */
  readonly reader?: { readonly door: ReaderDoor; readonly refuse: RefuseReader } | undefined;
  /** Waits for calls in progress. */
  idle(): Promise<void>;
  /** Waits likewise, and ends all sessions and streams. */
  close(): Promise<void>;
}

/** Connection details from `listen`; absent in process. */
export interface Env {
  readonly incoming?: Pick<IncomingMessage, 'socket'>;
  /** Counts a request of a role; false if that role has too many in progress. */
  readonly admit?: ((role: Role | 'stranger' | 'platform') => boolean) | undefined;
}

/** The HTTP server: MCP for the agent, registration and credentials for the merchant's app, decisions for people. */
export function createHttpFace(options: HttpOptions): HttpFace {
  const { tokens, tenant, sandbox, deliveries, onFailure = () => undefined } = options;
  const { hosts, origins } = reachedBy(options);
  const { engine, idle } = trackEngineCalls(options.engine.of(tenant));
  demandDistinct(tokens);
  const mcp = createMcpPaths({
    ...options,
    engine,
    caller: { tenant, principal: 'agent' },
    stateKey: questionKey(tokens),
    now: () => (options.clock ?? engine.parts.ports.clock).now(),
  });
  const app = new Hono<{ Bindings: Env }>();

  app.use(async (context, next) => {
    const { req, env } = context;
    const isCrowded = env.admit?.(senderOf(req.raw, tokens)) === false;
    const refused = isCrowded ? busy() : refuseForeign(req.raw, hosts, origins);
    if (refused !== undefined) return refused;
    await next();
    // Hono answers HEAD with the headers of GET. Nobody reads the body, and a file in it would stay open.
    if (req.method === 'HEAD') await context.res.body?.cancel();
  });
  app.get('/healthz', ({ req, env }) => {
    const { reader } = options;
    // Who is at the counter is nobody's business elsewhere.
    const near = reader !== undefined && isNear(req.raw, env);
    const found = near ? { reader: reader.connected() === undefined ? 'none' : 'connected' } : {};
    return json(200, { status: 'ok', environment: engine.environment, ...found });
  });
  if (sandbox !== undefined)
    for (const path of ['/sandbox/', ...sandbox.pages])
      app.all(`${path}*`, ({ req, env }) => (isNear(req.raw, env) ? sandbox.handle(req.raw) : notFound()));
  for (const path of ['/mcp', '/mcp/*'])
    app.all(path, async ({ req }) => {
      const refused = refuseUnknown(req.raw, 'agent', tokens);
      if (refused !== undefined) return refused;
      const bytes = await readBody(req.raw, limits.requestBytes);
      if (bytes === null) return tooLarge();
      const unread = refuseGarbled(bytes) ?? refuseDeep(bytes);
      if (unread !== undefined) return unread;
      const message = messageOf(req.raw, bytes);
      return message.isAmbiguous ? unreadable(bytes) : (answerOf(mcp.fetch(message)) ?? notFound());
    });
  for (const path of ['/approve', '/approve/', '/approve/:id'])
    app.get(path, () => createApprovalPage(engine.parts.settings));
  const pages = createCustomerPages(engine.parts);
  app.get('/act/:file', ({ req }) => pages(req.param('file')) ?? notFound());
  for (const route of customerRoutes(engine, tenant)) mountOpen(app, route);
  const taking = deliveries && trackCalls(createDeliveries({ ...deliveries, engine, tenant, onFailure }));
  if (taking !== undefined)
    app.post(pathOf(deliveryCall), ({ req, env: { admit } }) =>
      taking.call(req.raw, admit && (() => admit('platform'))),
    );
  const routes = [
    ...(options.reader === undefined ? [] : readerRoutes(options.reader)),
    ...merchantRoutes(engine, tenant),
    ...fileRoutes(engine, tenant),
    ...peopleRoutes(engine, tenant),
  ];
  for (const route of routes) mount(app, route, tokens);
  app.notFound(({ req }) => notFound(nothingAt(req.path, app.routes)));
  app.onError((failure) => {
    if (isBadCursor(failure)) return foreignCursor();
    if (failure instanceof UnfinishedBody) return unfinished();
    onFailure(failure);
    return fault(500, { code: 'INTERNAL', message: 'Internal error. The operator can see the cause on stderr.' });
  });

  const allIdle = async (): Promise<void> => {
    await idle();
    await taking?.idle();
  };
  return {
    calls: app.routes.filter(({ path }) => path !== '/*').map(({ method, path }) => `${method} ${path}`),
    fetch: async (request, env = {}) => dressed(await app.fetch(request, env)),
    reader: options.reader && {
      door: options.reader,
      refuse: (request) => {
        const refused = refuseForeign(request, hosts, origins) ?? refuseUnknown(request, 'reader', tokens);
        return refused && dressed(refused);
      },
    },
    idle: allIdle,
    close: async () => {
      await allIdle();
      await mcp.close();
    },
  };
}

function mount(app: Hono<{ Bindings: Env }>, { call, role, serve }: Route, tokens: Tokens): void {
  const [method = '', path = ''] = call.split(' ');
  app.on(method, path, async ({ req }: Context<{ Bindings: Env }>) => {
    const refused = refuseUnknown(req.raw, role, tokens);
    if (refused !== undefined) return refused;
    const asked = { id: req.param('id') ?? '', query: req.query() };
    return withJson(req.raw, (body) => serve({ ...asked, body }));
  });
}

/** The message for an unknown path or method. It names paths that are documented, and never the caller's. */
function nothingAt(path: string, routes: readonly { readonly path: string }[]): string {
  const first = (of: string): string => of.split('/')[1] ?? '';
  const known = [...new Set(routes.map((route) => first(route.path)).filter((name) => /^\w+$/.test(name)))];
  const meant = closestName(first(path), known);
  const hint = meant === undefined || meant === first(path) ? '' : ` Did you mean /${meant}?`;
  return `There is nothing at this path by this method.${hint} docs/http.md lists them all.`;
}

const pathOf = (call: string): string => call.split(' ')[1] ?? '';

/** Serves a call without a token: the link in its body authorizes it. */
function mountOpen(app: Hono<{ Bindings: Env }>, { call, serve }: OpenRoute): void {
  const [method = '', path = ''] = call.split(' ');
  app.on(method, path, ({ req }: Context<{ Bindings: Env }>) => withJson(req.raw, serve));
}

/** Parses the JSON body, undefined if there is none, and serves the request. Refuses a body that has a property twice. */
async function withJson(request: Request, serve: (body: unknown) => Promise<Response>): Promise<Response> {
  const bytes = await readBody(request, limits.requestBytes);
  if (bytes === null) return tooLarge();
  const text = new TextDecoder().decode(bytes);
  if (text !== '' && !/^application\/json\b/i.test(request.headers.get('content-type') ?? '')) return noJson(415);
  const body = isUtf8(bytes) ? jsonIn(text) : undefined;
  if (body === undefined && text !== '') return noJson(400);
  return hasDuplicateKeys(text) ? noSingle() : serve(body);
}

const answerOf = (answer: Promise<Response> | undefined) => answer?.then(responseWithoutEcho);

/** The accepted hosts and origins: the given ones and the public URL's. */
function reachedBy({ hosts = loopback, origins = [], publicUrl }: HttpOptions) {
  if (publicUrl === undefined) return { hosts, origins };
  const { host, origin } = new URL(publicUrl);
  return { hosts: [...hosts, host], origins: [...origins, origin] };
}

/** Whether the caller is on this machine. A local proxy doesn't count, because it forwards for others. */
const isNear = ({ headers, url }: Request, { incoming }: Env): boolean =>
  isOurHost(headers.get('host') ?? new URL(url).host, loopback) &&
  (incoming === undefined || /^(::1$|(::ffff:)?127\.)/.test(incoming.socket.remoteAddress ?? ''));

const policyHeader = 'content-security-policy';

function dressed(response: Response): Response {
  // Pages have a policy of their own.
  for (const [name, value] of Object.entries(safeHeaders))
    if (name !== policyHeader || !response.headers.has(name)) response.headers.set(name, value);
  return response;
}

const tooLarge = (): Response =>
  fault(
    413,
    { code: 'TOO_LARGE', message: `The body is longer than ${limits.requestBytes} bytes.` },
    { connection: 'close' },
  );
const unfinished = (): Response =>
  fault(400, { code: 'INVALID_ARGUMENT', message: 'The body ended before its end.' }, { connection: 'close' });
const busy = (): Response =>
  fault(
    503,
    { code: 'BUSY', message: 'Too many requests are in progress. Retry in a second.' },
    { 'retry-after': '1', connection: 'close' },
  );
const noJson = (status: 400 | 415): Response =>
  fault(status, {
    code: 'INVALID_ARGUMENT',
    message: 'The body must be JSON in UTF-8, sent as application/json.',
    rule: 'EN-01',
  });
const noSingle = (): Response =>
  fault(400, {
    code: 'INVALID_ARGUMENT',
    message: 'The body has a property twice: only one of them can count.',
    rule: 'EN-01',
  });
const foreignCursor = (): Response => {
  const { because, field, rule } = badCursor;
  return fault(400, { code: 'INVALID_ARGUMENT', message: because, field, rule });
};
