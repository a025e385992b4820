import { day as dayMilliseconds } from '../../../core/schedule.ts';
import { PlatformError } from '../../../sandbox/answer.ts';
import { isoTime } from '../../../sandbox/clock.ts';
import type { World } from '../../../sandbox/world.ts';
import type { DeviceTransactionDocument, ReaderDocument, Tap } from './documents.ts';

// The reader's own state, and how the world tells it.

/** A new world's reader. Its device is not enrolled. */
export const newReader: ReaderDocument = {
  ...{ id: 'reader', state: 'notEnrolled', deviceId: 'device-0001', serialNumber: 'SB-0001-0001', environment: 'test' },
  ...{ handsetGeneration: 16, osVersion: '26.1', osAgeDays: 60, sdkVersion: '3.5.0', educationShown: false },
  showsEducation: true,
  ...{ taps: 'auto', next: [], expiryDays: 7, receiptText: '' },
};

export const readerOf = (world: World): ReaderDocument => world.must('reader', newReader.id);

/** What the reader's app reports of itself. */
export const reportOf = (world: World) => {
  const it = readerOf(world);
  const { environment, serialNumber, handsetGeneration, osVersion, sdkVersion, educationShown } = it;
  return {
    ...{ environment, serialNumber, handsetGeneration, osVersion, sdkVersion, educationShown },
    osReleasedOn: isoTime(world.now - it.osAgeDays * dayMilliseconds).slice(0, dayCharacters),
  };
};

/** Characters of a day in ISO 8601. */
const dayCharacters = 10;

/** Takes what happens in this call. */
export function takeTap(world: World): Tap {
  const it = readerOf(world);
  const [tap = { does: 'approve' } as const, ...next] = it.next;
  if (it.next.length > 0) world.put('reader', { ...it, next });
  return tap;
}

/** The status of a call that the person at the reader gave up: the SDK has a case of its own for it. */
export const cancelledStatus = 409;

/** The person at the reader does what the screen asks for. Throws where they give it up, or the reader fails. */
export function demandDone(world: World, otherwise: (world: World) => unknown = () => undefined): void {
  const { does } = takeTap(world);
  if (does === 'approve') return;
  const leaves = (now: World): void => {
    takeTap(now);
    otherwise(now);
  };
  throw does === 'abort'
    ? new PlatformError(cancelledStatus, 'CANCELLED_BY_USER', 'It was cancelled on the reader.', { leaves })
    : new PlatformError(500, 'SYSTEM_ERROR', 'The reader failed.', { leaves });
}

/** A transaction as the SDK answers it. */
export const transactionView = (world: World, it: DeviceTransactionDocument) => {
  const { receiptText } = readerOf(world);
  return {
    identifier: it.id,
    status: it.status,
    type: it.credits ? 'credit' : 'charge',
    customIdentifier: it.customIdentifier,
    currency: it.currency,
    amount: it.amount,
    ...(it.tipAmount === null ? {} : { tipAmount: it.tipAmount }),
    autocapture: !it.preauthorizes,
    capturedAmount: it.capturedAmount,
    refundedAmount: it.refundedAmount,
    ...(it.expiresAt === null ? {} : { expirationDate: isoTime(it.expiresAt) }),
    ...(receiptText === '' ? {} : { receiptText }),
  };
};
