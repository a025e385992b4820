import { describe, expect, it } from 'vitest';
import type { DeviceTransactionDocument } from '../../src/domains/device/sandbox/documents.ts';
import { enrollmentStates } from '../../src/domains/device/statuses.ts';
import { contract, type OperationName } from '../../src/domains/index.ts';
import { createEngine } from '../../src/engine/engine.ts';
import type { FailPoint } from '../../src/engine/settings.ts';
import { toolName } from '../../src/engine/tool.ts';
import type { FaultKind, Snapshot } from '../../src/sandbox/index.ts';
import { atReader, charging, deviceOf, held, readyDevice, sold } from '../engine/device.ts';
import { agent, type World, world } from '../engine/support.ts';
import { table } from '../spec/document.ts';

// Every result case of every SDK call, as document 3 lists them, and what an agent hears of it.

const operator = { tenant: 'default', principal: 'operator', role: 'operator' } as const;
const transaction = (handle: string) => ({ transaction: handle });
type Given = (it: World) => Promise<object>;
/** A call of the SDK: the operation that makes it, and arguments in a world where it is in order. */
const calls: { readonly [call: string]: readonly [operation: OperationName, given: Given] } = {
  enroll: ['enrollDevice', async (it) => ({ device: await deviceOf(it) })],
  'enroll(with:)': ['enrollDevice', async (it) => ({ device: await deviceOf(it), serial_number: 'SB-0001-0001' })],
  enrollmentStatus: ['deviceStatus', async () => ({})],
  startChargeTransaction: ['chargeDevice', async (it) => charging(await readyDevice(it))],
  startStandaloneRefundTransaction: [
    'refundWithoutOriginal',
    async (it) => ({ ...charging(await readyDevice(it), { reference: 'credit-1' }), no_original: true }),
  ],
  refundTransaction: ['refundDeviceTransaction', async (it) => transaction(await sold(it))],
  incrementTransaction: [
    'incrementPreauthorization',
    async (it) => ({ ...transaction(await held(it)), amount: '5.00' }),
  ],
  captureTransaction: ['capturePreauthorization', async (it) => transaction(await held(it))],
  showSummary: ['showDeviceSummary', async (it) => transaction(await sold(it))],
  lookupTransaction: ['lookupDeviceTransaction', async (it) => transaction(await sold(it))],
  sendEmailReceipt: ['sendDeviceReceipt', async (it) => transaction(await sold(it))],
};

/** How a case comes about, what an agent hears, and how many effects the call has at the platform. */
interface Case {
  readonly comes: (it: World, operation: OperationName) => Promise<unknown>;
  readonly args?: object;
  readonly heard: object;
  readonly effects: number;
}
const asSuccess = { heard: { outcome: 'done' }, effects: 1 };
const cancelled: Case = {
  comes: (it) => atReader(it, { does: 'abort' }),
  heard: { outcome: 'declined', error: { code: 'CALL_CANCELLED', retry: 'same_call' } },
  effects: 0,
};
const failing = (kind: FaultKind, heard: object): Case => ({
  comes: (it, operation) => it.fault(operation, kind),
  heard,
  effects: 0,
});
const unknown = { outcome: 'unknown', error: { code: 'OUTCOME_UNKNOWN' } };
/** Nothing is known of a look, and it can be made again. */
const unseen = { outcome: 'refused', error: { code: 'UNREACHABLE', retry: 'same_call' } };
const inState = (state: string): Case => ({
  comes: (it) => it.control('POST', 'reader', { state }),
  heard: { outcome: 'done', data: { state } },
  effects: 0,
});
const cases: { readonly [printed: string]: Case } = {
  success: { comes: async () => undefined, ...asSuccess },
  cancelledByUser: cancelled,
  cancelByUser: cancelled,
  error: failing('5xx', unknown),
  failure: failing('5xx', unknown),
  notFound: {
    comes: async () => undefined,
    args: { reference: 'sale-9' },
    heard: { outcome: 'declined', error: { code: 'NOT_FOUND' } },
    effects: 0,
  },
  networkError: failing('5xx', unseen),
  unexpected: failing('decline', unseen),
  ...Object.fromEntries(enrollmentStates.map((state) => [state, inState(state)])),
};

/** The cases of each call, by the document's own table. `enroll(with:)` has those of the row above it. */
const [, ...rows] = table('document-3-device.md', 'SDK operations');
const printed = rows.flatMap(([signature = '', , result = ''], at) =>
  ((result === 'same as above' ? rows[at - 1]?.[2] : result)?.split(';')[0] ?? '')
    .split(', ')
    .map((one) => [nameOf(signature), one.replace(/\(.*/, '')] as const),
);

/** `captureTransaction(withID:partiallyWithAmount:)` → its name. Enrolling has two forms. */
function nameOf(signature: string): string {
  return signature === 'enroll(with:)' ? signature : signature.replace(/\(.*/, '');
}

it('are those of ten calls, one in two forms: 31 in all', () => {
  expect([new Set(printed.map(([name]) => name)).size, printed.length]).toEqual([11, 31]);
});

it.each(printed)('%s ends with %s', async (name, ended) => {
  const [operation, given] = calls[name] ?? [];
  const known = cases[ended];
  if (operation === undefined || given === undefined || known === undefined) throw new Error('The test knows it not.');
  const isLook = contract[operation].effect === 'read';
  const it = await world({ configure: { hasOperatorCalls: true } });
  const args = known.args ?? (await given(it));
  await known.comes(it, operation);
  const before = (await it.effects(operation)).length;
  const caller = contract[operation].callers.includes('agent') ? agent : operator;
  const said = await it.through(toolName(operation), args, caller);
  expect(said).toMatchObject(isLook && ended === 'failure' ? unseen : known.heard);
  expect((await it.effects(operation)).length - before).toBe(isLook ? 0 : known.effects);
  // Nobody knows, and nothing else is sent for it.
  if (said.outcome === 'unknown')
    expect((await it.operations())[0]).toMatchObject({ name: operation, state: 'UNKNOWN' });
  if (said.error?.code === 'UNREACHABLE')
    expect(await it.call(toolName(operation), args)).toMatchObject({ outcome: 'done' });
});

describe('a charge whose process dies', () => {
  it.each<FailPoint>(['F1', 'F2', 'F3', 'F4', 'F5', 'F6'])('at %s is in the books once, after all', async (at) => {
    const it = await world();
    const args = charging(await readyDevice(it));
    await it.approve(await it.call('charge_device', args));
    const dying = createEngine({
      ...it.parts,
      ports: {
        ...it.parts.ports,
        failpoint: (point, operation) => {
          if (point === at && operation === 'chargeDevice') throw new Error('killed');
        },
      },
    });
    await dying.call('charge_device', args, agent).catch(() => undefined);
    await it.advance(601);
    await it.running.engine.recover();
    const last = await it.through('charge_device', args);
    expect(last).toMatchObject({ outcome: 'done', data: { state: 'APPROVED' } });
    const { documents } = (await it.control('GET', 'snapshot')) as Snapshot;
    const charges = documents.filter(({ kind }) => kind === 'deviceTransaction');
    expect(charges.map(({ body }) => (body as DeviceTransactionDocument).status)).toEqual(['Approved']);
  });
});

it('a reader that waits for a card pauses nothing else', async () => {
  const it = await world();
  const args = charging(await readyDevice(it));
  await it.control('POST', 'reader', { taps: 'person' });
  await it.approve(await it.call('charge_device', args));
  const waiting = it.call('charge_device', args);
  expect(await it.call('enroll_card', { card: 'card_ada' })).toMatchObject({ outcome: 'done' });
  expect(await it.effects('chargeDevice')).toEqual([]);
  await it.control('POST', 'reader/taps', {});
  expect(await waiting).toMatchObject({ outcome: 'done', data: { state: 'APPROVED' } });
});
