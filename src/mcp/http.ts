import type { IncomingMessage } from 'node:http';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { limits } from '../contract/limits.ts';
import { demandDistinct, questionKey, type Tokens } from '../engine/access.ts';
import type { Engine } from '../engine/engine.ts';
import { isOurHost, loopback, refuseStranger, refuseUnknown, safeHeaders } from './gate.ts';
import { counted } from './idle.ts';
import { merchantRoutes } from './merchant.ts';
import { approvalPage } from './page.ts';
import { createMcpPaths } from './paths.ts';
import { peopleRoutes } from './people.ts';
import type { Prompt } from './prompts.ts';
import { fault, json, notFound } from './reply.ts';
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
  /** Hears of what went wrong inside; stderr is the caller's. */
  readonly onFailure?: ((failure: unknown) => void) | undefined;
}

/** Everything over HTTP as a function, for `listen` or a test. */
export interface HttpFace {
  fetch(request: Request, env?: Env): Promise<Response>;
  /** Waits for the calls that are under way. */
  close(): Promise<void>;
}

/** What the server knows of a connection; absent in process. */
export interface Env {
  readonly incoming?: IncomingMessage;
}

/** The HTTP face: MCP for the agent, registration and credentials for the merchant's app, decisions for people. */
export function createHttpFace(options: HttpOptions): HttpFace {
  const { tokens, tenant, sandboxControl, onFailure = () => undefined } = options;
  const { hosts, origins } = reachedBy(options);
  const { engine, idle } = counted(options.engine);
  demandDistinct(tokens);
  const mcp = createMcpPaths({
    ...options,
    engine,
    caller: { tenant, principal: 'agent' },
    stateKey: questionKey(tokens),
  });
  const app = new Hono<{ Bindings: Env }>();

  app.use(async ({ req }, next) => {
    const refused = refuseStranger(req.raw, hosts, origins);
    if (refused !== undefined) return refused;
    await next();
  });
  app.get('/healthz', () => json(200, { status: 'ok', environment: engine.environment }));
  if (sandboxControl !== undefined)
    for (const path of ['/sandbox/*', '/pay/*'])
      app.all(path, ({ req, env }) => (isNear(req.raw, env) ? sandboxControl(req.raw) : notFound()));
  app.use(bodyLimit({ maxSize: limits.requestBytes, onError: tooLarge }));
  for (const path of ['/mcp', '/mcp/*'])
    app.all(path, ({ req }) => refuseUnknown(req.raw, 'agent', tokens) ?? mcp.fetch(req.raw) ?? notFound());
  app.get('/approve/:id', () => approvalPage());
  for (const route of [...merchantRoutes(engine, tenant), ...peopleRoutes(engine.parts, tenant)])
    mount(app, route, tokens);
  app.notFound(() => notFound());
  app.onError((failure) => {
    if (failure.name === 'BadCursor') return badCursor(); // the ledger's: a cursor that it never gave for this list
    onFailure(failure);
    return fault(500, { code: 'INTERNAL', message: 'Purser failed inside; the operator can read why.' });
  });

  return {
    fetch: async (request, env = {}) => dressed(await app.fetch(request, env)),
    close: async () => {
      await idle();
      await mcp.close();
    },
  };
}

function mount(app: Hono<{ Bindings: Env }>, { call, role, serve }: Route, tokens: Tokens): void {
  const [method = '', path = ''] = call.split(' ');
  app.on(method, path, async ({ req }: Context) => {
    const refused = refuseUnknown(req.raw, role, tokens);
    if (refused !== undefined) return refused;
    const text = await req.text();
    if (text !== '' && !/^application\/json\b/i.test(req.header('content-type') ?? '')) return noJson(415);
    const body = parsed(text);
    return body === noBody && text !== ''
      ? noJson(400)
      : serve({ id: req.param('id') ?? '', query: req.query(), body });
  });
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
const noJson = (status: 400 | 415): Response =>
  fault(status, { code: 'INVALID', message: 'The body must be JSON, sent as application/json.', rule: 'EN-01' });
const badCursor = (): Response =>
  fault(400, { code: 'INVALID', message: 'It is not the `more` of this list.', field: 'cursor', rule: 'EN-01' });
