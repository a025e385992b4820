import { z } from 'zod';
import { contract } from '../domains/index.ts';
import { endReview } from '../domains/invoicing/sandbox/pay.ts';
import { verifyCard } from '../domains/purchase/sandbox/cards.ts';
import { verifyInstruction } from '../domains/purchase/sandbox/instructions.ts';
import { isOurOrigin } from '../listener/gate.ts';
import { readBody } from '../listener/read.ts';
import { PlatformError } from './answer.ts';
import { advanced, after, type Duration, isoTime, parseDuration, setTo } from './clock.ts';
import { type ClockDocument, chargeOutcomes, faultKinds, type Snapshot } from './documents.ts';
import { astray, wire } from './errors.ts';
import { queueFault, type Wire } from './faults.ts';
import type { WorldFile } from './file.ts';
import { type Route, router } from './routes.ts';
import { begin } from './seed.ts';
import type { World } from './world.ts';

// The control API: what a test, an eval or a person does to the sandbox from behind the stage. Unsigned.

/** Bytes of a control request; a snapshot is the longest. Own choice. */
const mostBytes = 67_108_864;
/** Milliseconds the clock goes forward in one step, and the years it can show. Own choice. */
const mostMilliseconds = 100 * 366 * 86_400_000;
const mostTimes = 1_000_000;
/** Charges that a card is told the outcomes of, and messages that are shown at once. Own choice. */
const mostCharges = 10_000;
const mostMessages = 10_000;

const text = z.string().min(1).max(255);
const durationOrMilliseconds = z.union(
  [
    z
      .int()
      .nonnegative()
      .max(mostMilliseconds)
      .transform((milliseconds): Duration => ({ months: 0, milliseconds })),
    z.string().transform((text, context) => {
      const duration = parseDuration(text);
      if (duration !== undefined && after(0, duration) <= mostMilliseconds) return duration;
      context.addIssue('is not a duration');
      return z.NEVER;
    }),
  ],
  'must be an ISO 8601 duration such as "PT2H" or "P1M", or milliseconds, of at most 100 years',
);
const moment = z.union(
  [
    z
      .int()
      .nonnegative()
      .max(8.64e15 / 2),
    z.iso.datetime({ offset: true }).transform((at) => Date.parse(at)),
  ],
  'must be an ISO 8601 date-time such as "2026-01-15T09:00:00Z", or milliseconds since the epoch',
);

const clockChange = z
  .strictObject({ advance: durationOrMilliseconds.optional(), now: moment.optional() })
  .refine(({ advance, now }) => (advance === undefined) !== (now === undefined), 'name either "advance" or "now"');

const fault = z.strictObject({
  on: z.enum(['*', ...Object.keys(contract)], 'must be the name of an operation, or "*"'),
  kind: z.enum(faultKinds),
  times: z.int().min(1).max(mostTimes).default(1),
  status: z.int().min(500).max(599).optional(),
  afterSeconds: z
    .int()
    .nonnegative()
    .max(mostMilliseconds / 1000)
    .optional(),
});

const cardFixture = z.strictObject({
  instrumentIdentifierId: text,
  customerId: text,
  paymentInstrumentId: text,
  lastFour: z.string().regex(/^\d{4}$/, 'must be four digits'),
  expires: z.string().regex(/^(0[1-9]|1[0-2])\/\d{4}$/, 'must be MM/YYYY'),
  enrolls: z.enum(['active', 'pending']),
  credentials: z.enum(['released', 'declined', 'asked']),
  network: text.optional(),
  charges: z.array(z.enum(chargeOutcomes)).min(1).max(mostCharges).optional(),
  verifies: z.boolean().optional(),
});
const fixtures = z.strictObject({
  cards: z.array(cardFixture).default([]),
  shoppers: z.array(z.looseObject({ handle: text, displayName: text })).default([]),
});

const count = z.int().nonnegative();
const snapshot = z.strictObject({
  version: z.literal(1),
  documents: z.array(z.strictObject({ kind: text, body: z.looseObject({ id: text, due: count.optional() }) })),
  counters: z.record(text, count),
  effects: z.array(
    z.strictObject({
      ...{ seq: count, operation: text, entity: text, correlationId: z.string(), digest: text },
      ...{ status: count, at: count },
    }),
  ),
});

const nothing = z.strictObject({});
const verification = z.strictObject({ succeeds: z.boolean().default(true) });
const review = z.strictObject({ accepts: z.boolean().default(true) });

/** Lets everything happen that the clock has reached. */
type Settle = (world: World) => Promise<void>;

interface Asked<B> {
  readonly world: World;
  readonly path: { readonly [name: string]: string };
  readonly body: B;
  readonly settle: Settle;
}

interface Serves {
  readonly body: z.ZodType;
  readonly serve: (asked: Asked<unknown>) => unknown;
}

/** One call of the control API. */
function on<S extends z.ZodType>(call: string, body: S, serve: (asked: Asked<z.output<S>>) => unknown): Route<Serves> {
  // The body is checked against this very schema before `serve` is called.
  return [call, { body, serve: serve as Serves['serve'] }];
}

const routes: readonly Route<Serves>[] = [
  on('GET /sandbox/clock', nothing, ({ world }) => clockView(world)),
  on('POST /sandbox/clock', clockChange, ({ world, body: { advance, now }, settle }) => {
    const clock = world.must('clock', 'clock');
    const then = advance === undefined ? undefined : after(world.now, advance);
    const changed = then === undefined ? setTo(clock, world.wall, now ?? world.now) : advanced(clock, then - world.now);
    return moveClock(world, changed, then ?? now ?? world.now, settle);
  }),
  on('GET /sandbox/faults', nothing, ({ world }) => ({ faults: world.list('fault') })),
  on('POST /sandbox/faults', fault, ({ world, body }) => queueFault(world, body)),
  on('DELETE /sandbox/faults', nothing, ({ world }) => {
    for (const { id } of world.list('fault')) world.remove('fault', id);
    return { faults: [] };
  }),
  on('GET /sandbox/fixtures', nothing, ({ world }) => fixturesView(world)),
  on('POST /sandbox/fixtures', fixtures, ({ world, body: { cards, shoppers } }) => {
    for (const { instrumentIdentifierId: id, ...card } of cards) world.put('cardFixture', { id, ...card });
    for (const { handle: id, ...session } of shoppers) world.put('shopper', { id, session });
    return fixturesView(world);
  }),
  on('POST /sandbox/cards/{id}/verify', verification, ({ world, path, body: { succeeds } }) => {
    const { id, state } = verifyCard(world, must(world.get('card', path.id ?? ''), 'card'), succeeds);
    return { instrumentIdentifierId: id, status: state };
  }),
  on('POST /sandbox/instructions/{id}/verify', nothing, ({ world, path }) => {
    const it = must(world.get('instruction', path.id ?? ''), 'instruction');
    const { id, state } = verifyInstruction(world, it);
    return { instructionId: id, status: state };
  }),
  on('POST /sandbox/invoices/{number}/review', review, ({ world, path, body: { accepts } }) => {
    const it = must(
      world.list('invoice').find(({ number }) => number === path.number),
      'invoice',
    );
    const { number, state } = endReview(world, it, accepts);
    return { invoice: number, status: state };
  }),
  on('POST /sandbox/reset', nothing, ({ world }) => {
    const { seed, frozenAt, noticeDays } = world.must('origin', 'origin');
    const [merchant] = world.list('merchant');
    world.clear();
    begin(world, seed, frozenAt, noticeDays, merchant && { ...merchant, merchantId: merchant.id });
    return { reset: true };
  }),
  on('GET /sandbox/snapshot', nothing, ({ world }) => world.export()),
  on('PUT /sandbox/snapshot', snapshot, ({ world, body }) => {
    // The envelope was checked; the documents in it are as true as the one who made them.
    world.import(body as Snapshot);
    if (world.get('origin', 'origin') === undefined || world.get('clock', 'clock') === undefined)
      throw new PlatformError(400, 'INVALID_DATA', 'A world has an origin and a clock.', { source: 'documents' });
    return { restored: true };
  }),
  on('GET /sandbox/outbox', nothing, ({ world }) => {
    const emails = world.last('email', mostMessages);
    return { total: world.number('email'), emails: emails.map(({ id: _, ...told }) => told) };
  }),
  on('GET /sandbox/events', nothing, ({ world }) => {
    const events = world.list('event');
    return { total: events.length, events: events.slice(-mostMessages).map(({ id: _, ...told }) => told) };
  }),
  on('DELETE /sandbox/outbox', nothing, ({ world }) => {
    for (const { id } of world.list('email')) world.remove('email', id);
    return { total: 0, emails: [] };
  }),
  on('DELETE /sandbox/events', nothing, ({ world }) => {
    for (const { id } of world.list('event')) world.remove('event', id);
    return { total: 0, events: [] };
  }),
  on('GET /sandbox/effects', nothing, ({ world }) => ({ effects: world.effects() })),
];
const route = router(routes);

/** Every call of the control API: method and path. */
export const controlCalls: readonly string[] = routes.map(([call]) => call);

/** Answers a request of the control API. A page of another origin may not call it. */
export async function control(request: Request, url: URL, file: WorldFile, settle: Settle): Promise<Wire> {
  const found = route(request.method === 'HEAD' ? 'GET' : request.method, url.pathname);
  if (found.kind !== 'route') return astray(found, request.method);
  if (!isOwnOrigin(request, url)) return no(403, 'A page of another origin may not control the sandbox.');
  const bytes = await readBody(request, mostBytes);
  if (bytes === null) return no(413, `The body has more than ${mostBytes} bytes.`);
  const { to, path } = found;
  const parsed = to.body.safeParse(json(bytes));
  if (!parsed.success) return wrong(parsed.error);
  try {
    return await file.transaction(async (world) => {
      await settle(world);
      return wire(200, await to.serve({ world, path, body: parsed.data, settle }));
    });
  } catch (failure) {
    if (failure instanceof PlatformError) return no(failure.status, failure.message, failure.source);
    throw failure;
  }
}

async function moveClock(world: World, clock: ClockDocument, now: number, settle: Settle) {
  const later = world.at(now);
  later.put('clock', clock);
  await settle(later);
  return clockView(later);
}

const clockView = (world: World) => ({
  now: isoTime(world.now),
  milliseconds: world.now,
  runs: world.must('clock', 'clock').runs,
});

const fixturesView = (world: World) => ({
  merchants: world.list('merchant').map(({ id, name, keyId }) => ({ id, name, keyId })),
  cards: world.list('cardFixture').map(({ id, ...card }) => ({ instrumentIdentifierId: id, ...card })),
  shoppers: world.list('shopper').map(({ id, session }) => ({ handle: id, ...session })),
});

function must<T>(found: T | undefined, kind: string): T {
  if (found === undefined) throw new PlatformError(404, 'NOT_FOUND', `There is no ${kind} with this id.`);
  return found;
}

function isOwnOrigin(request: Request, url: URL): boolean {
  const origin = request.headers.get('origin');
  return origin === null || isOurOrigin(origin, request.headers.get('host') ?? url.host, []);
}

/** The JSON of a body; an empty one is an empty object. Undefined where it is no JSON, which no schema accepts. */
function json(bytes: Uint8Array): unknown {
  const written = new TextDecoder().decode(bytes);
  try {
    return written === '' ? {} : JSON.parse(written);
  } catch {
    return undefined;
  }
}

function wrong({ issues: [issue] }: z.ZodError): Wire {
  const keys = issue?.code === 'unrecognized_keys' ? issue.keys : [];
  const field = [...(issue?.path ?? []), ...keys.slice(0, 1)].map(String).join('.');
  return no(400, field === '' ? (issue?.message ?? 'The body is wrong.') : `${field}: ${issue?.message}`, field);
}

const no = (status: number, message: string, field = ''): Wire =>
  wire(status, { error: { message, ...(field === '' ? {} : { field }) } });
