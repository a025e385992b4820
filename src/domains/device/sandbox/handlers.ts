import { added, decimal, money } from '../../../core/money.ts';
import { type Answer, invalid, PlatformError } from '../../../sandbox/answer.ts';
import type { Merchant } from '../../../sandbox/documents.ts';
import type { HandlersOf } from '../../../sandbox/domain.ts';
import type { World } from '../../../sandbox/world.ts';
import type { device as operations } from '../contract.ts';
import type { keys } from '../keys.ts';
import { enrollment, transaction } from '../machines.ts';
import type { DeviceTransactionDocument, ReaderDocument } from './documents.ts';
import { demandDone, readerOf, reportOf, transactionView } from './state.ts';
import { amountIn, book, tapped } from './taps.ts';

/** The card reader: document 3. A rule marked P in the rule book is enforced here or by the machines. */
export const handlers: HandlersOf<Omit<typeof operations, keyof typeof keys>> = {
  deviceStatus: (_, world) => shownDevice(world),

  enrollDevice({ body }, world) {
    const it = readerOf(world);
    if (body?.with !== undefined && body.with !== it.serialNumber) throw notFound('with');
    const begun = moveReader(world, it, 'begin');
    demandDone(world, (now) => moveReader(now, begun, 'fail'));
    const { deviceId } = moveReader(world, begun, 'finish');
    return { status: 200, entity: deviceId, body: { deviceId } };
  },

  chargeDevice: ({ body, merchant }, world) => shown(world, tapped(world, merchant, 'charge', body)),
  refundWithoutOriginal: ({ body, merchant }, world) => shown(world, tapped(world, merchant, 'credit', body)),

  incrementPreauthorization({ body, merchant }, world) {
    const it = own(world, merchant, body.withID, 'withID');
    const more = partIn(it, body.withAmount, '0');
    const next = moved(it, 'increment');
    demandDone(world);
    return shown(world, put(world, { ...next, amount: added(it.amount, more, it.currency) }));
  },

  capturePreauthorization({ body, merchant }, world) {
    const it = own(world, merchant, body.withID, 'withID');
    const taken = partIn(it, body.partiallyWithAmount, it.amount);
    const next = moved(it, 'capture');
    if (money(taken, it.currency).minor > money(it.amount, it.currency).minor)
      throw invalid('partiallyWithAmount.amount', 'The amount is above what is authorized.');
    demandDone(world);
    book(world, it, 'sale', taken);
    return shown(world, put(world, { ...next, capturedAmount: taken, due: undefined }));
  },

  refundDeviceTransaction({ body, merchant }, world) {
    const it = own(world, merchant, body.withID, 'withID');
    const [all, back] = [money(it.capturedAmount, it.currency), money(it.refundedAmount, it.currency)];
    const left = { ...all, minor: all.minor - back.minor };
    const paid = partIn(it, body.partiallyWithAmount, decimal(left));
    const { minor } = money(paid, it.currency);
    const next = moved({ ...it, whole: minor === left.minor }, 'refund');
    if (minor > left.minor) throw invalid('partiallyWithAmount.amount', 'The amount is above what was captured.');
    demandDone(world);
    book(world, it, 'refund', paid);
    return shown(world, put(world, { ...next, refundedAmount: added(it.refundedAmount, paid, it.currency) }));
  },

  lookupDeviceTransaction: ({ body, merchant }, world) => shown(world, own(world, merchant, body.forID, 'forID')),
  showDeviceSummary: ({ body, merchant }, world) => shown(world, own(world, merchant, body.forID, 'forID')),

  sendDeviceReceipt({ body, merchant }, world) {
    const it = own(world, merchant, body.forID, 'forID');
    demandDone(world);
    world.put('email', {
      // Padding makes e-mails sort by time.
      id: `${String(world.now).padStart(15, '0')}/${it.id}/deviceReceipt/${world.count('device mail')}`,
      ...{ at: world.now, to: 'typed on the reader', template: 'deviceReceipt' },
      fields: { identifier: it.id, amount: it.amount, currency: it.currency },
    });
    return { status: 200, entity: it.id, body: undefined };
  },
};

const shownDevice = (world: World): Answer => ({
  status: 200,
  entity: readerOf(world).id,
  body: { status: readerOf(world).state, reader: reportOf(world) },
});

const shown = (world: World, it: DeviceTransactionDocument): Answer => ({
  status: 200,
  entity: it.id,
  body: transactionView(world, it),
});

/** A transaction by its identifier, or the newest with this customIdentifier (D-91). Throws the platform's 404. */
function own(world: World, merchant: Merchant, id: string, source: 'withID' | 'forID'): DeviceTransactionDocument {
  const named = world.get('deviceTransaction', id);
  const all =
    named === undefined ? world.list('deviceTransaction').filter((it) => it.customIdentifier === id) : [named];
  const [newest] = all
    .filter(({ merchantId }) => merchantId === merchant.id)
    .toSorted((one, other) => other.number - one.number);
  if (newest === undefined) throw notFound(source);
  return newest;
}

const notFound = (source: string): PlatformError =>
  new PlatformError(404, 'NOT_FOUND', 'There is no such transaction or device.', { source });

/** What is taken of a transaction: a part, or a whole. */
function partIn(
  it: DeviceTransactionDocument,
  part: { readonly amount: string; readonly currency: string } | undefined,
  whole: string,
): string {
  if (part === undefined) return whole;
  demandCurrency(it, part.currency);
  return decimal(amountIn(part.amount, it.currency));
}

function demandCurrency(it: DeviceTransactionDocument, currency: string): void {
  if (currency !== it.currency) throw invalid('currency', 'The transaction is in another currency.');
}

const put = (world: World, it: DeviceTransactionDocument): DeviceTransactionDocument =>
  world.put('deviceTransaction', it);

/** A move that is stored only with what follows from it. Throws the platform's error if no row allows it. */
function moved(
  it: DeviceTransactionDocument,
  trigger: Parameters<typeof transaction.move>[1],
): DeviceTransactionDocument {
  const next = transaction.move(it, trigger);
  if (!next.ok) throw new PlatformError(400, 'INVALID_STATE', next.because);
  return { ...it, state: next.to };
}

function moveReader(world: World, it: ReaderDocument, trigger: Parameters<typeof enrollment.move>[1]): ReaderDocument {
  const moved = enrollment.move(it, trigger);
  if (!moved.ok) throw new PlatformError(400, 'INVALID_STATE', moved.because);
  const now = readerOf(world);
  return world.put('reader', {
    ...now,
    state: moved.to,
    educationShown: trigger === 'finish' && now.showsEducation,
  });
}
