import { beforeAll, describe, expect, it } from 'vitest';
import { gradeAccounts } from '../../evals/harness/graders/accounts.ts';
import { later, retriesFor } from '../../evals/harness/graders/calendar.ts';
import { replay } from '../../evals/harness/replay/replay.ts';
import type { Run } from '../../evals/harness/replay/run.ts';
import { scenariosWith, stageOfFile } from './support.ts';

const stage = stageOfFile();
const ids = {
  converted: 'conversion-512-refunded-in-parts',
  device: 'device-817-refunded-in-two-parts',
  invoice: 'invoicing-423-a-part-stays-paid',
  retried: 'billing-368-the-second-try-is-paid',
  fee: 'billing-318-a-closed-plan-goes-on-billing',
};
const runs = new Map<string, Run>();

beforeAll(async () => {
  const wanted = Object.values(ids);
  for (const { scenario } of await scenariosWith(new RegExp(`^id: (?:${wanted.join('|')})$`, 'm'))) {
    const world = await stage().open(scenario.world);
    runs.set(scenario.id, await replay(scenario, { tools: world.tools, world }));
  }
});

type Body = Readonly<Record<string, unknown>>;

/** How many faults are found once each document of a kind, or the one at this place, has other members. */
function faults(of: keyof typeof ids, kind: string, change: (body: Body) => Body, place?: number): number {
  const run = runs.get(ids[of]);
  if (run?.after === undefined) throw new Error(`${ids[of]} was not played.`);
  let at = -1;
  const documents = run.after.platform.documents.map((it) => {
    if (it.kind !== kind) return it;
    at += 1;
    return place === undefined || place === at
      ? { ...it, body: { ...it.body, ...change(it.body as unknown as Body) } }
      : it;
  });
  if (at < (place ?? 0)) throw new Error(`${ids[of]} ends without such a ${kind}.`);
  return gradeAccounts({ ...run, after: { ...run.after, platform: { ...run.after.platform, documents } } } as Run)
    .length;
}

const day = 86_400_000;
const plus = (member: string, milliseconds: number) => (body: Body) => ({
  [member]: Number(body[member]) + milliseconds,
});

describe('the books of the platform', () => {
  it.each(Object.keys(ids) as (keyof typeof ids)[])('are in order: %s', (of) => {
    expect(faults(of, 'none', (body) => body, -1)).toBe(0);
  });

  it.each<[what: string, of: keyof typeof ids, kind: string, change: (body: Body) => Body, place?: number]>([
    ['a payment for another day', 'fee', 'payment', plus('billingStart', day)],
    ['a payment until another day', 'fee', 'payment', plus('billingEnd', day)],
    ['a retry a day late', 'retried', 'payment', plus('at', day / 2), 1],
    ['a payment that was made twice', 'retried', 'payment', () => ({ state: 'PAID' })],
    ['a count of payments', 'fee', 'subscription', ({ payments }) => ({ payments: Number(payments) + 1 })],
    ['a count of what was paid', 'fee', 'subscription', ({ paid }) => ({ paid: Number(paid) + 1 })],
    ['a tenth of a penny', 'fee', 'payment', () => ({ amount: '1.001' })],
    [
      'an invoice paid beyond its total',
      'invoice',
      'invoice',
      ({ payments }) => ({ payments: (payments as Body[]).map((it) => ({ ...it, amount: '999999.00' })) }),
    ],
    ['an invoice that is said to be paid', 'invoice', 'invoice', () => ({ state: 'PAID' })],
    ['an invoice of which nothing was paid', 'invoice', 'invoice', () => ({ payments: [] })],
    [
      'an offer with one minor unit more',
      'converted',
      'offer',
      ({ amount }) => ({ amount: (Number(amount) + 0.01).toFixed(2) }),
    ],
    ['a rate the other way round', 'converted', 'offer', ({ inverted }) => ({ inverted: inverted !== true })],
    ['a capture that is not kept', 'converted', 'charge', () => ({ capturedAmount: '0' })],
    ['a refund that is not kept', 'converted', 'capture', () => ({ refundedAmount: '0' })],
    ['a refund above its capture', 'converted', 'refund', () => ({ amount: '99999.00' })],
    ['a refund in another currency', 'converted', 'refund', () => ({ currency: 'GBP' })],
    [
      'a refund at the reader above its sale',
      'device',
      'deviceMovement',
      ({ kind }) => (kind === 'refund' ? { amount: '9999.00' } : {}),
    ],
    [
      'a sale above its transaction',
      'device',
      'deviceMovement',
      ({ kind }) => (kind === 'sale' ? { amount: '9999.00' } : {}),
    ],
  ])('are not, with %s', (_, of, kind, change, place) => {
    expect(faults(of, kind, change, place)).toBeGreaterThan(0);
  });
});

describe('a calendar of our own', () => {
  it.each([
    ['2026-01-31', 'M', 1, '2026-02-28'],
    ['2024-01-31', 'M', 1, '2024-02-29'],
    ['2026-01-31', 'M', 2, '2026-03-31'],
    ['2024-02-29', 'Y', 1, '2025-02-28'],
    ['2026-12-31', 'M', 2, '2027-02-28'],
    ['2026-01-15', 'W', 2, '2026-01-29'],
    ['2026-02-27', 'D', 3, '2026-03-02'],
  ])('%s and %s × %i is %s', (from, unit, count, to) => {
    expect(later(Date.parse(`${from}T09:30:00Z`), unit, count)).toBe(Date.parse(`${to}T09:30:00Z`));
  });

  it.each([
    ['D', 1, 1, 1],
    ['W', 1, 3, 24],
    ['D', 8, 5, 48],
    ['M', 1, 5, 48],
    ['M', 2, 3, 360],
    ['Y', 1, 3, 360],
  ])('a payment of every %s × %i is tried again', (unit, length, times, hours) => {
    expect(retriesFor(unit, length)).toEqual({ times, apart: hours * 3_600_000 });
  });
});
