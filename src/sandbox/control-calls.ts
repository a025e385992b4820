import { z } from 'zod';
import { day } from '../core/schedule.ts';
import { PlatformError } from './answer.ts';
import { begin } from './begin.ts';
import { advanced, after, type Duration, isoTime, parseDuration, setTo } from './clock.ts';
import { type CardFixture, type ClockDocument, faultKinds, type Snapshot } from './documents.ts';
import { type ControlCall, type ControlRequest, controlCall, type SandboxDomains } from './domain.ts';
import { queueFault } from './faults.ts';
import type { World } from './world.ts';

// The calls of the control API that every sandbox has. Domains add their own.

/** The most that the clock moves in one step. Own choice. */
const mostMilliseconds = 100 * 366 * day;
const mostTimes = 1_000_000;
/** The most e-mails or events in one response. Own choice. */
const mostMessages = 10_000;

/** The calls of the control API of a sandbox: the clock, faults, fixtures, snapshots, what was sent, and each domain's own. */
export const controlCallsOf = (domains: SandboxDomains): readonly ControlCall[] => [
  controlCall('GET /sandbox/clock', nothing, ({ world }) => clockView(world)),
  controlCall('POST /sandbox/clock', clockChange, ({ world, body: { advance, now }, settle }) => {
    const clock = world.must('clock', 'clock');
    const then = advance === undefined ? undefined : after(world.now, advance);
    const changed = then === undefined ? setTo(clock, world.wall, now ?? world.now) : advanced(clock, then - world.now);
    return moveClock(world, changed, then ?? now ?? world.now, settle);
  }),
  controlCall('GET /sandbox/faults', nothing, ({ world }) => ({ faults: world.list('fault') })),
  controlCall('POST /sandbox/faults', faultOf(domains), ({ world, body }) => queueFault(world, body)),
  controlCall('DELETE /sandbox/faults', nothing, ({ world }) => {
    for (const { id } of world.list('fault')) world.remove('fault', id);
    return { faults: [] };
  }),
  controlCall('GET /sandbox/fixtures', nothing, ({ world }) => fixturesView(world)),
  controlCall('POST /sandbox/fixtures', fixturesOf(domains), ({ world, body: { cards, shoppers } }) => {
    for (const { instrumentIdentifierId: id, ...card } of cards)
      world.put('cardFixture', { id, ...card } as CardFixture); // each domain parsed its own fields
    for (const { handle: id, ...session } of shoppers) world.put('shopper', { id, session });
    return fixturesView(world);
  }),
  ...Object.values(domains).flatMap(({ control = [] }) => control),
  controlCall('POST /sandbox/reset', nothing, ({ world }) => {
    const { id: _, due: __, ...origin } = world.must('origin', 'origin');
    const [merchant] = world.list('merchant');
    world.clear();
    begin(world, domains, origin, merchant && { ...merchant, merchantId: merchant.id });
    return { reset: true };
  }),
  controlCall('GET /sandbox/snapshot', nothing, ({ world }) => world.export()),
  controlCall('PUT /sandbox/snapshot', snapshot, ({ world, body }) => {
    // The envelope was parsed; the documents in it are not validated.
    world.import(body as Snapshot);
    if (world.get('origin', 'origin') === undefined || world.get('clock', 'clock') === undefined)
      throw new PlatformError(400, 'INVALID_DATA', 'A world has an origin and a clock.', { source: 'documents' });
    return { restored: true };
  }),
  controlCall('GET /sandbox/outbox', nothing, ({ world }) => {
    const emails = world.last('email', mostMessages);
    return { total: world.number('email'), emails: emails.map(({ id: _, ...email }) => email) };
  }),
  controlCall('GET /sandbox/events', nothing, ({ world }) => {
    const events = world.list('event');
    return { total: events.length, events: events.slice(-mostMessages).map(({ id: _, due: __, ...event }) => event) };
  }),
  controlCall('DELETE /sandbox/outbox', nothing, ({ world }) => {
    for (const { id } of world.list('email')) world.remove('email', id);
    return { total: 0, emails: [] };
  }),
  controlCall('DELETE /sandbox/events', nothing, ({ world }) => {
    for (const { id } of world.list('event')) world.remove('event', id);
    return { total: 0, events: [] };
  }),
  controlCall('GET /sandbox/effects', nothing, ({ world }) => ({ effects: world.effects() })),
];

const nothing = z.strictObject({});
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

function faultOf(domains: SandboxDomains) {
  const operations = Object.values(domains).flatMap(({ contract }) => Object.keys(contract));
  return z.strictObject({
    on: z.enum(['*', ...operations], 'must be the name of an operation, or "*"'),
    kind: z.enum(faultKinds),
    times: z.int().min(1).max(mostTimes).default(1),
    status: z.int().min(500).max(599).optional(),
    afterSeconds: z
      .int()
      .nonnegative()
      .max(mostMilliseconds / 1000)
      .optional(),
  });
}

function fixturesOf(domains: SandboxDomains) {
  const fields: { readonly [name: string]: z.ZodType } = Object.assign(
    {},
    ...Object.values(domains).map(({ cards }) => cards?.fields),
  );
  const card = z.strictObject({
    instrumentIdentifierId: text,
    customerId: text,
    paymentInstrumentId: text,
    lastFour: z.string().regex(/^\d{4}$/, 'must be four digits'),
    expires: z.string().regex(/^(0[1-9]|1[0-2])\/\d{4}$/, 'must be MM/YYYY'),
    bin: z
      .string()
      .regex(/^\d{6,8}$/, 'must be six to eight digits')
      .optional(),
    ...fields,
  });
  return z.strictObject({
    cards: z.array(card).default([]),
    shoppers: z.array(z.looseObject({ handle: text, displayName: text })).default([]),
  });
}

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

async function moveClock(world: World, clock: ClockDocument, now: number, settle: ControlRequest<unknown>['settle']) {
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
