import { limits } from '../core/limits.ts';
import type { RuleId } from '../core/rules.ts';
import { settleSubscription } from '../domains/billing/sandbox/clock.ts';
import { billing } from '../domains/billing/sandbox/index.ts';
import { contract, type OperationName } from '../domains/index.ts';
import { settleInvoice } from '../domains/invoicing/sandbox/clock.ts';
import { invoicing } from '../domains/invoicing/sandbox/index.ts';
import { servePayment } from '../domains/invoicing/sandbox/pay.ts';
import { purchase } from '../domains/purchase/sandbox/index.ts';
import { expireInstruction } from '../domains/purchase/sandbox/instructions.ts';
import { readBody } from '../listener/read.ts';
import { type Answer, AnswerLost, type Call, type Handler, invalid, PlatformError } from './answer.ts';
import type { LateDocument, Merchant } from './documents.ts';
import { astray, plainRefusal, refusal, wire } from './errors.ts';
import { dated, lateSeconds, mishaps, noMishap, takeFault, type Wire } from './faults.ts';
import { WorldFile } from './file.ts';
import { checkRate, type RateLimit } from './rate.ts';
import { type Found, router } from './routes.ts';
import { type Settlers, settle } from './schedule.ts';
import { begin, type SeedCredentials } from './seed.ts';
import { checkBody, checkQuery } from './shape.ts';
import { authenticate } from './verify.ts';
import { sha256, type World } from './world.ts';

export interface SandboxOptions {
  /** Where the world lives: a path, or `:memory:`. Several sandboxes may share a file. */
  readonly file: string;
  /** The real time in milliseconds. */
  readonly clock: { now(): number };
  /** What ids and keys of a new world are derived from; 1 where nothing is said. */
  readonly seed?: number | undefined;
  /** The virtual clock of a new world stands still at this time, in milliseconds, until it is moved. */
  readonly frozenAt?: number | undefined;
  /** Days before a payment at which a new world tells the customer of it; three where nothing is said, none at 0 (D-20). */
  readonly noticeDays?: number | undefined;
  /** Hosts that a signed token may name, besides the usual ones. */
  readonly requestHosts?: readonly string[] | undefined;
  /** The merchant of a new world; the one that every sandbox has where nothing is said. */
  readonly merchant?: SeedCredentials | undefined;
  /** No limit where nothing is said (D-30). */
  readonly rateLimit?: RateLimit | undefined;
  /** Rules that it keeps as public models of its clients state them, where the document says otherwise (D-01, D-17). */
  readonly published?: readonly RuleId[] | undefined;
}

/** The platform as a function. */
export interface Sandbox {
  /**
   * Answers a signed request of the platform, or an unsigned one of the control API under `/sandbox/`.
   * `target`: path and query as they were sent, where a Request has normalised them: signatures are about those.
   * Rejects with AnswerLost where a fault makes the answer disappear.
   */
  handle(request: Request, target?: string): Promise<Response>;
  readonly world: WorldFile;
  close(): Promise<void>;
}

/** One handler for each operation of the contract: a forgotten one does not compile. */
const handlers: { readonly [N in OperationName]: Handler<N> } = { ...purchase, ...billing, ...invoicing };

/** How this platform behaves towards every request. */
interface Habits {
  readonly rateLimit: RateLimit | undefined;
  readonly requestHosts: readonly string[];
  readonly isPublished: (rule: RuleId) => boolean;
}

/** An operation that was called, as it arrived or as it was kept for later. */
interface Arrived {
  readonly name: OperationName;
  readonly path: { readonly [name: string]: string };
  readonly query: string;
  readonly origin: string;
  readonly body: string;
  /** What its sender calls it; empty where it says nothing (D-40). */
  readonly requestId: string;
}

/** Opens a sandbox: its own world, or its share of one. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const {
    file,
    clock,
    seed = 1,
    frozenAt,
    noticeDays,
    merchant,
    rateLimit,
    published = [],
    requestHosts = [],
  } = options;
  const wall = () => clock.now();
  const habits: Habits = { rateLimit, requestHosts, isPublished: (rule) => published.includes(rule) };
  const settleAll = (it: World): Promise<void> => settle(it, settlersOf(habits));
  const fill = (fresh: World, from: number, at: number | null) => begin(fresh, from, at, noticeDays, merchant);
  const world = new WorldFile({ file, wall, seed, frozenAt: frozenAt ?? null, begin: fill });
  const platform = async (request: Request, url: URL, target: string): Promise<Wire | 'lost'> => {
    const found = route(request.method, url.pathname);
    if (found.kind !== 'route') return astray(found, request.method);
    const bytes = await readBody(request, longest[found.to] ?? limits.requestBytes);
    if (bytes === null) return plainRefusal(413, { connection: 'close' });
    return world.transaction(async (now) =>
      serveSigned(now, { request, url, target, bytes }, found, habits, settleAll),
    );
  };

  /** A payment link is anybody's who has it; the merchant may sign. */
  const payments = async (request: Request, url: URL, target: string): Promise<Wire> => {
    const bytes = await readBody(request, limits.requestBytes);
    if (bytes === null) return plainRefusal(413, { connection: 'close' });
    return world.transaction(async (now) => {
      await settleAll(now);
      const signer = await signedBy(now, { request, url, target, bytes }, habits);
      return servePayment(now, request.method, url.pathname.slice(payPrefix.length), bytes, signer?.id ?? null);
    });
  };

  const handle = async (
    request: Request,
    target = request.url.slice(new URL(request.url).origin.length),
  ): Promise<Response> => {
    const url = new URL(request.url);
    const answer = await (url.pathname.startsWith('/sandbox/')
      ? (await import('./control.ts')).control(request, url, world, settleAll) // most sandboxes are never controlled
      : url.pathname.startsWith(payPrefix)
        ? payments(request, url, target)
        : platform(request, url, target));
    if (answer === 'lost') throw new AnswerLost();
    return responseTo(request.method, answer);
  };
  return { handle, world, close: () => world.close() };
}

/** Bytes of a request where it may be longer than others: a logo stands in it. */
const longest: { readonly [N in OperationName]?: number } = { updateInvoiceSettings: limits.settingsRequestBytes };

/** Where customers pay. */
const payPrefix = '/pay/';

// The keys of the contract are the names of its operations.
const names = Object.keys(contract) as OperationName[];

const route = router(
  names.flatMap((name) => [contract[name].call, ...(contract[name].also ?? [])].map((call) => [call, name] as const)),
);

type Operation = Extract<Found<OperationName>, { kind: 'route' }>;

/** A request, its body read. */
interface Sent {
  readonly request: Request;
  readonly url: URL;
  /** Path and query, exactly as sent. */
  readonly target: string;
  readonly bytes: Uint8Array;
}

/** Everything the platform does about one request, within one transaction. */
async function serveSigned(
  world: World,
  sent: Sent,
  { to: name, path }: Operation,
  habits: Habits,
  settleAll: (world: World) => Promise<void>,
): Promise<Wire | 'lost'> {
  const { request, url, bytes } = sent;
  const merchant = await signedBy(world, sent, habits);
  if (merchant === null) return plainRefusal(401, {}, 'Authentication Failed');
  const body = textOf(bytes);
  if (body === undefined) return refusal(name, invalid('body', 'The body is not UTF-8.'), world.now);
  await settleAll(world);
  const arrived = {
    ...{ name, path, query: url.search, origin: url.origin, body },
    requestId: request.headers.get('x-requestid') ?? '',
  };
  const limited = checkRate(world, merchant, habits.rateLimit);
  const answer =
    limited === null ? await withFaults(world, merchant, arrived, habits) : refusal(name, limited, world.now);
  return answer === 'lost' ? answer : dated(answer, world.now);
}

/** Bytes as text; undefined where they are not UTF-8. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The merchant whose signature a request bears; null where it bears none that holds. */
function signedBy(
  world: World,
  { request, url, target, bytes }: Sent,
  { requestHosts }: Habits,
): Promise<Merchant | null> {
  const received = {
    method: request.method,
    target,
    host: request.headers.get('host') ?? url.host,
    headers: request.headers,
    body: bytes,
  };
  const known = world.list('merchant');
  return authenticate(received, world.wall, (keyId) => known.find((it) => it.keyId === keyId), requestHosts);
}

/** Applies a request as the next fault says, or as it should be where none waits. */
async function withFaults(world: World, merchant: Merchant, arrived: Arrived, habits: Habits): Promise<Wire | 'lost'> {
  const fault = takeFault(world, arrived.name);
  const mishap = fault === undefined ? noMishap : mishaps[fault.kind];
  const applications: { readonly [how in typeof mishap.applies]: () => Promise<Wire> } = {
    now: () => apply(world, merchant, arrived, habits, false),
    asked: () => apply(world, merchant, arrived, habits, true),
    later: () => keep(world, merchant, arrived, fault?.afterSeconds ?? lateSeconds),
    never: () => Promise.resolve(wire(200, {})),
  };
  const answer = await applications[mishap.applies]();
  if (mishap.loses === true) return 'lost';
  const refused = fault === undefined ? undefined : mishap.refuses?.(fault);
  const told = refused === undefined ? answer : refusal(arrived.name, refused, world.now);
  return mishap.spoils?.(told, world.now) ?? told;
}

/** Lets the operation happen. What it did is kept, with its effect, only if the platform says yes. */
async function apply(
  world: World,
  merchant: Merchant,
  arrived: Arrived,
  { isPublished }: Habits,
  asks: boolean,
): Promise<Wire> {
  const { name, path } = arrived;
  try {
    const answer = await world.attempt(async () => {
      const query = checkQuery(name, arrived.query);
      const body = checkBody(name, arrived.body);
      // Path, query and body were just checked against this very operation.
      const call = { path, query, origin: arrived.origin, body, merchant, asks, isPublished } as Call<OperationName>;
      const done = await (handlers[name] as AnyHandler)(call, world);
      remember(world, arrived, body, done);
      return done;
    });
    return wire(answer.status, answer.body);
  } catch (failure) {
    if (failure instanceof PlatformError) return refusal(name, failure, world.now);
    throw failure;
  }
}

type AnyHandler = (call: Call<OperationName>, world: World) => Answer | Promise<Answer>;

/** Writes the effect of an operation that changes something. */
function remember(
  world: World,
  { name, body, requestId }: Arrived,
  checked: unknown,
  { status, entity }: Answer,
): void {
  // It was checked against the operation's schema; a body without this member says nothing.
  const { clientCorrelationId = requestId } = checked as { readonly clientCorrelationId?: string };
  if (contract[name].effect !== 'read')
    world.effect({ operation: name, entity, correlationId: clientCorrelationId, digest: sha256(body), status });
}

/** Keeps a request that is applied when its time has come. */
async function keep(world: World, merchant: Merchant, arrived: Arrived, seconds: number): Promise<Wire> {
  const { name, ...request } = arrived;
  const due = world.now + seconds * 1000;
  world.put('late', { id: world.uuid('late'), operation: name, merchantId: merchant.id, ...request, due });
  return wire(200, {});
}

/** What happens when a kept request falls due: its sender is gone, so nobody hears the answer. */
async function applyLate(
  world: World,
  { id, merchantId, operation, ...request }: LateDocument,
  habits: Habits,
): Promise<void> {
  world.remove('late', id);
  // It was kept under a name of the contract.
  const arrived = { name: operation as OperationName, ...request };
  await apply(world, world.must('merchant', merchantId), arrived, habits, false);
}

/** What falls due, by kind, and what then happens. */
const settlersOf = (habits: Habits): Settlers => ({
  instruction: expireInstruction,
  subscription: settleSubscription,
  invoice: settleInvoice,
  late: (world, it) => applyLate(world, it, habits),
});

function responseTo(method: string, { status, headers, text }: Wire): Response {
  const silent = method === 'HEAD' || status === 204;
  return new Response(silent ? null : text, { status, headers });
}
