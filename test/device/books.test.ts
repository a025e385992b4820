import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal, money } from '../../src/core/money.ts';
import type { DeviceMovementDocument, DeviceTransactionDocument } from '../../src/domains/device/sandbox/documents.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { charging, readyDevice } from '../engine/device.ts';
import { type World, world } from '../engine/support.ts';

const start = Date.UTC(2026, 0, 15, 9);
const runs = process.env.SOAK === undefined ? 60 : 3_000;

/** A sandbox whose device is enrolled, and the calls of its reader. */
async function reader() {
  const sandbox = createSandbox({ file: ':memory:', clock: { now: () => start }, frozenAt: start });
  await sandbox.world.transaction((now) => {
    now.put('reader', { ...now.must('reader', 'reader'), state: 'enrolled' });
  });
  const call = async (name: string, body: object) => {
    const answer = await sandbox.perform(name, body);
    if (answer === 'dropped') throw new Error('No fault is queued.');
    return { status: answer.status, body: JSON.parse(answer.text) };
  };
  const documents = async <T>(kind: string) =>
    (await sandbox.world.snapshot()).documents.filter((it) => it.kind === kind).map(({ body }) => body as T);
  return { call, documents, close: () => sandbox.close() };
}

const currencies = ['JPY', 'GBP', 'BHD'] as const;
const act = fc.record({
  what: fc.constantFrom('incrementTransaction', 'captureTransaction', 'refundTransaction'),
  minor: fc.option(fc.bigInt({ min: 0n, max: 6_000n }), { nil: undefined }),
});
const operations = {
  incrementTransaction: 'incrementPreauthorization',
  captureTransaction: 'capturePreauthorization',
  refundTransaction: 'refundDeviceTransaction',
} as const;

describe('the books of the reader', () => {
  it('never capture more than is authorized, nor pay back more than was captured, in any currency', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...currencies),
        fc.boolean(),
        fc.bigInt({ min: 1n, max: 5_000n }),
        fc.array(act, { maxLength: 8 }),
        async (currency, autocapture, minor, acts) => {
          const it = await reader();
          const amount = decimal({ minor, currency });
          const made = await it.call('chargeDevice', { amount, currency, customIdentifier: 'sale-1', autocapture });
          for (const { what, minor: part } of acts) {
            const sum = part === undefined ? undefined : { amount: decimal({ minor: part, currency }), currency };
            const parts =
              what === 'incrementTransaction'
                ? { withAmount: sum ?? { amount, currency } }
                : { partiallyWithAmount: sum };
            await it.call(operations[what], { withID: made.body.identifier, ...parts });
          }
          const [found] = await it.documents<DeviceTransactionDocument>('deviceTransaction');
          const moved = await it.documents<DeviceMovementDocument>('deviceMovement');
          await it.close();
          if (found === undefined) throw new Error('The charge is in the books.');
          const [all, taken, back] = [found.amount, found.capturedAmount, found.refundedAmount].map(
            (one) => money(one, currency).minor,
          ) as [bigint, bigint, bigint]; // three of them
          const sum = (kind: 'sale' | 'refund') =>
            moved.reduce((total, one) => total + (one.kind === kind ? money(one.amount, currency).minor : 0n), 0n);
          expect(taken <= all && back <= taken).toBe(true);
          expect([sum('sale'), sum('refund')]).toEqual([taken, back]);
        },
      ),
      { numRuns: runs, seed: 4217 },
    );
  });

  it('stand in the batch summaries of the merchant', async () => {
    const it = await world();
    const device = await readyDevice(it);
    const sold = await it.through('charge_device', charging(device));
    await it.through('refund_device_transaction', { transaction: sold.data.transaction, amount: '10.00' });
    const range = { from: '2026-01-15T00:00:00Z', until: '2026-01-16T00:00:00Z' };
    expect((await it.call('get_payment_batch_summaries', range)).data.items).toMatchObject([
      { currency: 'GBP', method: 'Card', sales: '40.00', refunds: '10.00' },
    ]);
  });
});

/** What the books of the reader have of a charge. */
const charged = async (it: World, reference: string) =>
  (
    (await it.control('GET', 'snapshot')) as { documents: { kind: string; body: DeviceTransactionDocument }[] }
  ).documents
    .filter(({ kind, body }) => kind === 'deviceTransaction' && body.customIdentifier === reference)
    .map(({ body }) => body.status);

describe('a connection that is lost', () => {
  it.each([
    ['CONNECTING', 'refused', ['Approved']],
    ['STARTED', 'unknown', ['Approved']],
    ['WAITING_FOR_CARD', 'unknown', ['Aborted', 'Approved']],
    ['PROCESSING', 'unknown', ['Approved']],
    ['FINISHED', 'unknown', ['Approved']],
  ])('at %s leaves exactly one charge in the books, however often it is asked for', async (lostAt, outcome, books) => {
    const it = await world();
    const device = await readyDevice(it);
    await it.control('POST', 'reader/taps', { lostAt });
    expect(await it.through('charge_device', charging(device))).toMatchObject({ outcome });
    await it.call('charge_device', charging(device));
    await it.advance(601);
    await it.running.engine.recover();
    await it.through('charge_device', charging(device));
    expect(await it.through('charge_device', charging(device))).toMatchObject({ data: { state: 'APPROVED' } });
    expect((await charged(it, 'sale-1')).toSorted()).toEqual(books);
  });
});

describe('a charge that took nothing', () => {
  it.each([
    ['decline', 'DECLINED'],
    ['abort', 'ABORTED'],
    ['fail', 'ERROR'],
  ])('for %s can be made again under its reference', async (does, state) => {
    const it = await world();
    const device = await readyDevice(it);
    await it.control('POST', 'reader/taps', { does });
    expect(await it.through('charge_device', charging(device))).toMatchObject({ outcome: 'done', data: { state } });
    expect(await it.through('charge_device', charging(device))).toMatchObject({ data: { state: 'APPROVED' } });
    expect(await charged(it, 'sale-1')).toHaveLength(2);
  });
});
