import { added, decimal, money, moneyFault } from '../../../core/money.ts';
import { day as dayMilliseconds } from '../../../core/schedule.ts';
import { type BodyOf, invalid, move, PlatformError } from '../../../sandbox/answer.ts';
import type { Merchant } from '../../../sandbox/documents.ts';
import type { World } from '../../../sandbox/world.ts';
import type { device as operations } from '../contract.ts';
import { isEnrolled, transaction } from '../machines.ts';
import { effectOf, type TransactionStatus } from '../statuses.ts';
import type { DeviceTransactionDocument, Tap, TapResult } from './documents.ts';
import { readerOf, takeTap } from './state.ts';

// A card is tapped: what becomes of a charge or of a stand-alone refund.

const statuses: { readonly [R in TapResult]: TransactionStatus } = {
  ...{ approve: 'Approved', decline: 'Declined', abort: 'Aborted', fail: 'Error', offline: 'Accepted' },
  ...{ inconclusive: 'Inconclusive', unknown: 'Unknown', begin: 'Initialized', process: 'Pending' },
};

/** What an unsettled transaction turns into, unless its tap says so: one that had only begun is given up. */
const settled: { readonly [R in TapResult]?: NonNullable<Tap['becomes']> } = {
  ...{ offline: 'approve', inconclusive: 'approve', unknown: 'approve', process: 'approve', begin: 'abort' },
};

/** Seconds until an unsettled transaction is settled. Own choice. */
const settleSeconds = 20;

type ChargeBody = BodyOf<typeof operations.chargeDevice>;
type CreditBody = BodyOf<typeof operations.refundWithoutOriginal>;

/** A charge or a stand-alone refund to its end. Throws the platform's error where the device isn't enrolled. */
export function tapped(
  world: World,
  merchant: Merchant,
  type: 'charge' | 'credit',
  body: ChargeBody | CreditBody,
): DeviceTransactionDocument {
  demandEnrolled(world);
  amountIn(body.amount, body.currency);
  const tap = takeTap(world);
  const end = settled[tap.does];
  const { tip } = 'tip' in body ? (body as ChargeBody) : {};
  const tipAmount = tip === undefined ? null : tipOf(body.currency, tap);
  const preauthorizes = 'autocapture' in body && body.autocapture === false;
  const it: DeviceTransactionDocument = {
    ...{ id: world.uuid('deviceTransaction'), merchantId: merchant.id, customIdentifier: body.customIdentifier },
    number: world.count('deviceTransaction number'),
    ...{ state: 'none', status: statuses[tap.does], preauthorizes, credits: type === 'credit' },
    ...{ expired: false, whole: false, createdAt: world.now, currency: body.currency },
    amount: added(decimal(money(body.amount, body.currency)), tipAmount ?? '0', body.currency),
    ...{ tipAmount, capturedAmount: '0', refundedAmount: '0' },
    expiresAt: preauthorizes ? world.now + readerOf(world).expiryDays * dayMilliseconds : null,
    settlesAs: end === undefined ? null : statuses[tap.becomes ?? end],
  };
  const begun = move(world, transaction, 'deviceTransaction', it, type);
  return it.settlesAs === null
    ? booked(world, begun)
    : world.put('deviceTransaction', { ...begun, due: world.now + settleSeconds * 1_000 });
}

/** Settles one of which nobody knew what became. */
export function settle(world: World, it: DeviceTransactionDocument): DeviceTransactionDocument {
  if (it.settlesAs === null)
    return move(world, transaction, 'deviceTransaction', { ...it, due: undefined, expired: true }, 'expire');
  const known = { ...it, status: it.settlesAs, settlesAs: null, due: undefined };
  return booked(world, move(world, transaction, 'deviceTransaction', known, 'settle'));
}

/** Writes into the books what an approval moved. A hold moves nothing, and expires by itself. */
function booked(world: World, it: DeviceTransactionDocument): DeviceTransactionDocument {
  if (effectOf(it.status) !== 'done') return it;
  if (it.preauthorizes) return world.put('deviceTransaction', { ...it, due: it.expiresAt ?? undefined });
  if (it.credits) {
    book(world, it, 'refund', it.amount);
    return it;
  }
  book(world, it, 'sale', it.amount);
  return world.put('deviceTransaction', { ...it, capturedAmount: it.amount });
}

/** Writes into the books that money moved. */
export const book = (world: World, it: DeviceTransactionDocument, kind: 'sale' | 'refund', amount: string): void => {
  world.put('deviceMovement', {
    ...{ id: world.uuid('deviceMovement'), merchantId: it.merchantId, transactionId: it.id },
    ...{ kind, at: world.now, amount, currency: it.currency, reference: it.customIdentifier },
  });
};

function demandEnrolled(world: World): void {
  const { state } = readerOf(world);
  if (!isEnrolled(state)) throw new PlatformError(400, 'NOT_ENROLLED', `The device is ${state}.`);
}

/** DV-10: the tip that the customer chose or typed. */
function tipOf(currency: string, { tip }: Tap): string | null {
  if (tip === undefined || moneyFault(tip, currency) !== null) return null;
  return decimal(money(tip, currency));
}

/** An amount above zero. Throws the platform's error for one that isn't. */
export function amountIn(amount: string, currency: string) {
  const fault = moneyFault(amount, currency);
  if (fault !== null) throw invalid('amount', fault);
  const it = money(amount, currency);
  if (it.minor === 0n) throw invalid('amount', 'The amount is zero.');
  return it;
}
