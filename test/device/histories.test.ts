import fc from 'fast-check';
import { expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { decimal, money } from '../../src/core/money.ts';
import type { DeviceTransactionDocument } from '../../src/domains/device/sandbox/documents.ts';
import type { Snapshot } from '../../src/sandbox/index.ts';
import { atReader, held } from '../engine/device.ts';
import { openWorld, type World } from '../engine/support.ts';

// Random histories of a hold, through the tools: increments, captures, refunds, answers that are lost, and days that pass. A model of a few lines says
// what each call must come to; in the end the tool, the model and the reader's books agree.

const seed = Number(process.env.SEED ?? 20260115);
const runs = process.env.SOAK === undefined ? 40 : 1_000;
const day = 86_400;

type Act =
  | { readonly what: 'increment' | 'capture' | 'refund'; readonly minor: bigint | undefined; readonly isLost: boolean }
  | { readonly what: 'wait'; readonly days: number };

const change = fc.record({
  what: fc.constantFrom('increment' as const, 'capture' as const, 'refund' as const),
  minor: fc.option(fc.bigInt({ min: 0n, max: 6_000n }), { nil: undefined }),
  isLost: fc.boolean(),
});
const wait = fc.record({ what: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 4 }) });
const history: fc.Arbitrary<readonly Act[]> = fc.array(
  fc.oneof({ weight: 3, arbitrary: change }, { weight: 1, arbitrary: wait }),
  {
    maxLength: 7,
  },
);

/** What a hold is, in minor units. */
interface Hold {
  total: bigint;
  captured: bigint;
  refunded: bigint;
  days: number;
}

const isOpen = (it: Hold): boolean => it.captured === 0n && it.days < limits.preauthorizationDays;

/** What a call takes: its amount, or all that is left. */
const takes = (it: Hold, { what, minor }: Exclude<Act, { what: 'wait' }>): bigint =>
  minor ?? (what === 'capture' ? it.total : what === 'refund' ? it.captured - it.refunded : 500n);

function isAllowed(it: Hold, act: Exclude<Act, { what: 'wait' }>): boolean {
  const amount = takes(it, act);
  if (amount === 0n) return false;
  if (act.what === 'increment') return isOpen(it);
  if (act.what === 'capture') return isOpen(it) && amount <= it.total;
  return amount <= it.captured - it.refunded;
}

const tools = {
  increment: ['increment_preauthorization', 'total'],
  capture: ['capture_preauthorization', 'captured'],
  refund: ['refund_device_transaction', 'refunded'],
} as const;

/** Makes a call, and settles it where its answer was lost. Answers whether it took effect. */
async function made(
  it: World,
  transaction: string,
  act: Exclude<Act, { what: 'wait' }>,
  args: object,
  isLost: boolean,
) {
  const [tool] = tools[act.what];
  if (isLost) await atReader(it, { does: 'approve', lostAt: 'FINISHED' });
  const said = await it.through(tool, { transaction, ...args });
  if (!isLost) return said.outcome === 'done';
  expect(said.outcome).toBe('unknown');
  await it.advance(limits.readerAskSeconds);
  await it.running.engine.recover();
  return (await it.operation(said.operation)).state === 'SUCCEEDED';
}

it(`${runs} histories of a hold come to what a model says, and to what the books say`, {
  timeout: 600_000,
}, async () => {
  const seen = { done: 0, refused: 0, lost: 0, expired: 0 };
  await fc.assert(
    fc.asyncProperty(history, async (acts) => {
      const it = await openWorld();
      const transaction = await held(it);
      const model: Hold = { total: 4_000n, captured: 0n, refunded: 0n, days: 0 };
      for (const [at, act] of acts.entries()) {
        if (act.what === 'wait') {
          await it.advance(act.days * day);
          model.days += act.days;
          continue;
        }
        const allowed = isAllowed(model, act);
        const named = act.minor ?? (act.what === 'increment' ? 500n : undefined);
        const args = {
          ...(named === undefined ? {} : { amount: decimal({ minor: named, currency: 'GBP' }) }),
          ...(act.what === 'capture' ? {} : { reference: `${act.what}-${at}` }),
        };
        expect([at, act, await made(it, transaction, act, args, allowed && act.isLost)]).toEqual([at, act, allowed]);
        seen[allowed ? (act.isLost ? 'lost' : 'done') : 'refused'] += 1;
        if (allowed) model[tools[act.what][1]] += takes(model, act);
      }
      const { data } = await it.call('lookup_device_transaction', { transaction });
      const minor = (text = '0'): bigint => money(text, 'GBP').minor;
      expect([data.total, data.captured, data.refunded].map((sum) => minor(sum?.amount))).toEqual([
        ...[model.total, model.captured, model.refunded],
      ]);
      const { documents } = (await it.control('GET', 'snapshot')) as Snapshot;
      const [books] = documents
        .filter(({ kind }) => kind === 'deviceTransaction')
        .map(({ body }) => body as DeviceTransactionDocument);
      expect([books?.amount, books?.capturedAmount, books?.refundedAmount].map(minor)).toEqual([
        ...[model.total, model.captured, model.refunded],
      ]);
      const isExpired = model.captured === 0n && model.days >= limits.preauthorizationDays;
      seen.expired += isExpired ? 1 : 0;
      expect(data.state === 'EXPIRED').toBe(isExpired);
      expect((await it.running.engine.parts.ledger.verify()).ok).toBe(true);
      await it.running.close();
    }),
    { numRuns: runs, seed },
  );
  console.log(`histories of a hold, seed ${seed}:`, seen);
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0);
});
