import type { RuleId } from '../core/rules.ts';
import { type Answer, invalid, PlatformError } from './answer.ts';
import type { LateDocument, Merchant } from './documents.ts';
import { refusal } from './errors.ts';
import { faultEffects, lateSeconds, noFault, takeFault } from './faults.ts';
import { keptBody } from './kept-body.ts';
import type { OperationTable, ServedOperation } from './operations.ts';
import { checkRate, type RateLimit } from './rate.ts';
import type { Found } from './routes.ts';
import { checkAccept, checkBody, checkQuery } from './shape.ts';
import { authenticate } from './verify.ts';
import { dated, fileWire, gatewayRefusal, jose, signedWire, type Wire, wire } from './wire.ts';
import { sha256, type World } from './world.ts';

// How a simulated platform handles a request: it verifies the signature, validates the body, and runs the operation's handler.

/** How this platform treats every request. */
export interface Platform {
  readonly operations: OperationTable;
  readonly rateLimit: RateLimit | undefined;
  readonly requestHosts: readonly string[];
  readonly isPublished: (rule: RuleId) => boolean;
}

/** A request and its body. */
export interface Sent {
  readonly request: Request;
  readonly url: URL;
  /** Path and query, exactly as sent. */
  readonly target: string;
  readonly bytes: Uint8Array;
}

/** A call of an operation, as it was received or as it was stored to be applied later. */
interface Received {
  readonly name: string;
  readonly path: { readonly [name: string]: string };
  readonly query: string;
  readonly origin: string;
  readonly body: string;
  /** The `Accept` header; empty if there was none. */
  readonly accept: string;
  /** The sender's id of the request; empty if it sent none (D-40). */
  readonly requestId: string;
}

type Matched = Extract<Found<string>, { kind: 'route' }>;

/** Serves one signed request in one transaction: signature, due documents, rate limit, injected fault, operation. */
export async function serveOperation(
  world: World,
  sent: Sent,
  { to: name, path }: Matched,
  platform: Platform,
  settleAll: (world: World) => Promise<void>,
): Promise<Wire | 'dropped'> {
  const { request, url, bytes } = sent;
  const { contract } = operationNamed(platform, name);
  const merchant = await signedBy(world, sent, platform);
  if (merchant === null) return gatewayRefusal(401, {}, 'Authentication Failed');
  const body = textOf(bytes);
  if (body === undefined) return refusal(contract, invalid('body', 'The body is not UTF-8.'), world.now);
  await settleAll(world);
  const received: Received = {
    ...{ name, path, query: url.search, origin: url.origin, body },
    accept: request.headers.get('accept') ?? '',
    requestId: request.headers.get('x-requestid') ?? '',
  };
  const limited = checkRate(world, merchant, platform.rateLimit);
  const answer =
    limited === null
      ? await withFault(world, merchant, received, platform)
      : refusal(contract, limited, world.now, received.requestId);
  return answer === 'dropped' ? answer : dated(answer, world.now);
}

/** Serves a call that no HTTP request carries, such as one of a card reader's SDK. It comes from the world's merchant. */
export async function serveCall(
  world: World,
  { name, body, requestId }: Pick<Received, 'name' | 'requestId'> & { readonly body: unknown },
  platform: Platform,
  settleAll: (world: World) => Promise<void>,
): Promise<Wire | 'dropped'> {
  const [merchant] = world.list('merchant');
  if (merchant === undefined) return gatewayRefusal(401);
  await settleAll(world);
  return withFault(
    world,
    merchant,
    { ...{ name, path: {}, query: '', origin: '', body: JSON.stringify(body ?? {}) }, accept: '', requestId },
    platform,
  );
}

/** The merchant that signed a request; null if the signature is missing or invalid. */
export function signedBy(
  world: World,
  { request, url, target, bytes }: Sent,
  { requestHosts }: Pick<Platform, 'requestHosts'>,
): Promise<Merchant | null> {
  const received = {
    method: request.method,
    target,
    host: request.headers.get('host') ?? url.host,
    headers: request.headers,
    body: bytes,
  };
  const merchants = world.list('merchant');
  return authenticate(received, world.wall, (keyId) => merchants.find((it) => it.keyId === keyId), requestHosts);
}

/** Applies a request that was stored for later. Its sender has gone, so the response is discarded. */
export async function applyLate(
  world: World,
  { id, merchantId, operation, ...request }: LateDocument,
  platform: Platform,
): Promise<void> {
  world.remove('late', id);
  await apply(world, world.must('merchant', merchantId), { name: operation, ...request }, platform, false);
}

function operationNamed({ operations }: Platform, name: string): ServedOperation {
  const found = operations.get(name);
  if (found === undefined) throw new Error(`The sandbox has no operation ${name}.`);
  return found;
}

/** Bytes as text; undefined if they are not UTF-8. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Applies a request as the next queued fault says, or as usual. */
async function withFault(
  world: World,
  merchant: Merchant,
  received: Received,
  platform: Platform,
): Promise<Wire | 'dropped'> {
  const fault = takeFault(world, received.name);
  const effect = fault === undefined ? noFault : faultEffects[fault.kind];
  const applications: { readonly [how in typeof effect.applies]: () => Promise<Wire> } = {
    now: () => apply(world, merchant, received, platform, false),
    asked: () => apply(world, merchant, received, platform, true),
    later: () => store(world, merchant, received, fault?.afterSeconds ?? lateSeconds),
    twice: async () => {
      await apply(world, merchant, received, platform, false);
      return apply(world, merchant, received, platform, false);
    },
    never: () => Promise.resolve(wire(200, {})),
  };
  const answer = await applications[effect.applies]();
  if (effect.dropsResponse === true) return 'dropped';
  const error = fault === undefined ? undefined : effect.error?.(fault);
  const { contract } = operationNamed(platform, received.name);
  const response = error === undefined ? answer : refusal(contract, error, world.now, received.requestId);
  return effect.alter?.(response, world.now) ?? response;
}

/** Applies the operation. Its changes and its effect are kept only if the platform does not reject it. */
async function apply(
  world: World,
  merchant: Merchant,
  received: Received,
  platform: Platform,
  asks: boolean,
): Promise<Wire> {
  const { path, origin, requestId } = received;
  const operation = operationNamed(platform, received.name);
  const { contract, handler, forms } = operation;
  try {
    const answer = await world.attempt(async () => {
      const query = checkQuery(contract, received.query);
      const body = checkBody(contract, forms, received.body);
      const accept = checkAccept(contract, received.accept);
      const { isPublished } = platform;
      const call = { path, query, origin, body, accept, merchant, requestId, asks, isPublished };
      // Path, query and body were just parsed by the contract of this handler's operation.
      const done = await handler(call as never, world);
      recordEffect(world, operation, received, body, done);
      return done;
    });
    if (answer.signed !== undefined && received.accept.includes(jose)) return signedWire(answer.status, answer.signed);
    return answer.file === undefined ? wire(answer.status, answer.body) : fileWire(answer.status, answer.file);
  } catch (failure) {
    if (!(failure instanceof PlatformError)) throw failure;
    failure.leaves?.(world);
    return refusal(contract, failure, world.now, requestId);
  }
}

/** Records the effect of an operation that changes something. */
function recordEffect(
  world: World,
  { contract }: ServedOperation,
  { name, body, requestId }: Received,
  parsed: unknown,
  { status, entity }: Answer,
): void {
  // The body matches the operation's schema; not every schema has this property.
  const { clientCorrelationId = requestId } = parsed as { readonly clientCorrelationId?: string };
  if (contract.effect !== 'read')
    world.effect({ operation: name, entity, correlationId: clientCorrelationId, digest: sha256(body), status });
}

/** Stores a request that is applied later. */
async function store(world: World, merchant: Merchant, received: Received, seconds: number): Promise<Wire> {
  const { name, body, ...request } = received;
  const due = world.now + seconds * 1000;
  world.put('late', {
    id: world.uuid('late'),
    operation: name,
    merchantId: merchant.id,
    ...request,
    body: keptBody(body),
    due,
  });
  return wire(200, {});
}
