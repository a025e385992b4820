import { limits } from '../core/limits.ts';
import type { RuleId } from '../core/rules.ts';
import { readBody } from '../listener/read.ts';
import { AnswerLost } from './answer.ts';
import { begin } from './begin.ts';
import { deliveriesOf, type Sender } from './deliver.ts';
import type { WorldSettings } from './documents.ts';
import type { SandboxDomains, ServePage, Settlers } from './domain.ts';
import { WorldFile } from './file.ts';
import { operationsOf, readerCallsOf, routesOf, type SentToReader } from './operations.ts';
import { applyLate, type Platform, type Sent, serveCall, serveOperation, signedBy } from './platform.ts';
import type { RateLimit } from './rate.ts';
import { router } from './routes.ts';
import { settle } from './schedule.ts';
import type { SeedCredentials } from './seed.ts';
import { gatewayRefusal, unmatched, type Wire } from './wire.ts';
import type { World } from './world.ts';

/** How to open a sandbox. Settings of the domains, such as the days of a notice, apply to a new world only. */
export interface SandboxOptions extends WorldSettings {
  /** Where the world is stored: a path, or `:memory:`. Several sandboxes can share a file. */
  readonly file: string;
  /** The real time in milliseconds. */
  readonly clock: { now(): number };
  /** Ids and keys of a new world are derived from it; 1 by default. */
  readonly seed?: number | undefined;
  /** Freezes the virtual clock of a new world at this time, in milliseconds, until it is moved. */
  readonly frozenAt?: number | undefined;
  /** Hosts that a signed token may name, besides the usual ones. */
  readonly requestHosts?: readonly string[] | undefined;
  /** The merchant of a new world; the seed's merchant by default. */
  readonly merchant?: SeedCredentials | undefined;
  /** No limit by default (D-30). */
  readonly rateLimit?: RateLimit | undefined;
  /** Sends what the platform itself sends, such as deliveries of events. Without one, they wait. */
  readonly send?: Sender | undefined;
  /** Rules that it applies as public models of its clients state them, where the document differs (D-01, D-17). */
  readonly published?: readonly RuleId[] | undefined;
}

/** The platform as a function. */
export interface Sandbox {
  /**
   * Answers a signed request of the platform, or an unsigned one of the control API under `/sandbox/`.
   * `target`: path and query exactly as sent, because signatures cover those and a Request normalizes them.
   * Rejects with AnswerLost if a fault drops the response.
   */
  handle(request: Request, target?: string): Promise<Response>;
  /** Serves a call of an operation that no HTTP request carries; `dropped` where a fault loses the answer. */
  perform(name: string, body: unknown, requestId?: string): Promise<Wire | 'dropped'>;
  /** What a simulated card reader can do, by the call of its SDK. */
  readonly readerCalls: ReadonlyMap<string, SentToReader>;
  /** Beginnings of the paths of its pages, which need no signature. */
  readonly pages: readonly string[];
  readonly world: WorldFile;
  /** Sends what is due of the platform's own requests; resolves once nothing is. */
  deliver(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a sandbox of some domains on a new world, or on an existing one. */
export function sandboxOf(domains: SandboxDomains, options: SandboxOptions): Sandbox {
  const {
    file,
    clock,
    seed = 1,
    frozenAt,
    merchant,
    rateLimit,
    published = [],
    requestHosts = [],
    send,
    ...settings
  } = options;
  const operations = operationsOf(domains);
  const route = router(routesOf(operations));
  const pages = Object.entries(pagesOf(domains));
  const platform: Platform = {
    ...{ operations, rateLimit, requestHosts },
    isPublished: (rule) => published.includes(rule),
  };
  const settlers: Settlers = { ...settlersOf(domains), late: (world, it) => applyLate(world, it, platform) };
  const settleAll = (it: World): Promise<void> => settle(it, settlers);
  const fill = (fresh: World, from: number, at: number | null) =>
    begin(fresh, domains, { seed: from, frozenAt: at, ...settings }, merchant);
  const world = new WorldFile({ file, wall: () => clock.now(), seed, frozenAt: frozenAt ?? null, begin: fill });

  const deliveries = deliveriesOf(domains, world, settleAll, send);

  const called = async (request: Request, url: URL, target: string): Promise<Wire | 'dropped'> => {
    const found = route(request.method, url.pathname);
    if (found.kind !== 'route') return unmatched(found, request.method);
    const bytes = await readBody(request, operations.get(found.to)?.bodyBytes ?? limits.requestBytes);
    if (bytes === null) return gatewayRefusal(413, { connection: 'close' });
    const sent: Sent = { request, url, target, bytes };
    return world.transaction((now) => serveOperation(now, sent, found, platform, settleAll));
  };

  /** A page needs no signature, but a signature can show more of it. */
  const visited = async (serve: ServePage, rest: string, request: Request, url: URL, target: string): Promise<Wire> => {
    const bytes = await readBody(request, limits.requestBytes);
    if (bytes === null) return gatewayRefusal(413, { connection: 'close' });
    return world.transaction(async (now) => {
      await settleAll(now);
      const signer = await signedBy(now, { request, url, target, bytes }, platform);
      const { searchParams: query, origin } = url;
      return serve(now, { method: request.method, rest, query, origin, bytes, signer: signer?.id ?? null });
    });
  };

  let control: Promise<(request: Request, url: URL) => Promise<Wire>> | undefined; // most sandboxes are never controlled
  const answer = async (request: Request, url: URL, target: string): Promise<Wire | 'dropped'> => {
    const { pathname } = url;
    if (pathname.startsWith('/sandbox/')) {
      control ??= import('./control.ts').then((it) => it.controlApi({ domains, file: world, settle: settleAll }));
      return (await control)(request, url);
    }
    const [prefix = '', page] = pages.find(([start]) => pathname.startsWith(start)) ?? [];
    return page === undefined
      ? called(request, url, target)
      : visited(page, pathname.slice(prefix.length), request, url, target);
  };

  const handle = async (
    request: Request,
    target = request.url.slice(new URL(request.url).origin.length),
  ): Promise<Response> => {
    const wire = await answer(request, new URL(request.url), target);
    if (wire === 'dropped') throw new AnswerLost();
    return responseTo(request.method, wire);
  };
  const perform = (name: string, body: unknown, requestId = '') =>
    world.transaction((now) => serveCall(now, { name, body, requestId }, platform, settleAll));
  const close = async (): Promise<void> => {
    await deliveries.stop();
    await world.close();
  };
  return {
    ...{ handle, perform, readerCalls: readerCallsOf(operations), world, close },
    pages: pages.map(([prefix]) => prefix),
    deliver: () => deliveries.run(),
  };
}

const pagesOf = (domains: SandboxDomains): { readonly [prefix: string]: ServePage } =>
  Object.assign({}, ...Object.values(domains).map(({ pages }) => pages));

const settlersOf = (domains: SandboxDomains): Settlers =>
  Object.assign({}, ...Object.values(domains).map(({ settlers }) => settlers));

/** Statuses whose responses have no body. */
const bodiless: readonly number[] = [204, 304];

function responseTo(method: string, { status, headers, text, file }: Wire): Response {
  // An empty text would be announced as one.
  const hasNoBody = method === 'HEAD' || bodiless.includes(status) || (file === undefined && text === '');
  // Node's own stream takes any iterable of pieces.
  const body = file === undefined ? text : (ReadableStream.from(file.pieces()) as ReadableStream<Uint8Array>);
  return new Response(hasNoBody ? null : body, { status, headers });
}
