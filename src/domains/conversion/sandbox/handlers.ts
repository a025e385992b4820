import { added, decimal, subtracted } from '../../../core/money.ts';
import { type Answer, find, invalid, move, PlatformError } from '../../../sandbox/answer.ts';
import type { Merchant } from '../../../sandbox/documents.ts';
import type { HandlersOf } from '../../../sandbox/domain.ts';
import type { World } from '../../../sandbox/world.ts';
import { isZero } from '../amounts.ts';
import type { conversion as operations } from '../contract.ts';
import { capture, charge, offer, refund } from '../machines.ts';
import type { CaptureDocument, ChargeDocument, RefundDocument } from './documents.ts';
import { fresh, offerView } from './offers.ts';
import type { PaymentForms } from './paying-cards.ts';
import {
  amountIn,
  captureView,
  demandRate,
  demandWithin,
  paymentView,
  refundView,
  requested,
  reversalView,
  voidView,
} from './payments.ts';
import { settingsOf } from './rates.ts';

/** Currency conversion and its payments: document 1. A rule marked P in the rule book is enforced here or by the machines. */
export const handlers: HandlersOf<typeof operations, PaymentForms> = {
  offerConversion({ body, merchant, requestId }, world) {
    const asked = fresh(world, merchant, body, requestId);
    return made(offerView(move(world, offer, 'offer', asked, 'offer')));
  },

  // The platform reads the offer only: the customer's choice is the merchant's to keep.
  chooseCurrency({ path, merchant }, world) {
    return shown(offerView(find(world, 'offer', path.id, merchant, 'id')));
  },

  authorizePayment({ body, merchant }, world) {
    const { it, offer: carried } = requested(world, merchant, body);
    const authorized = move(world, charge, 'charge', it, 'authorize');
    if (carried !== undefined && !authorized.declined)
      world.put('offer', { ...carried, state: 'USED', due: undefined });
    // D-120: a conversion was refused before.
    if (body.processingInformation?.capture === true && !authorized.declined)
      captured(world, authorized, authorized.amount, authorized.reference);
    return made(paymentView(authorized));
  },

  getPayment: ({ path, merchant }, world) => shown(paymentView(find(world, 'charge', path.id, merchant, 'id'))),

  reversePayment({ path, body, merchant }, world) {
    const reference = body.clientReferenceInformation?.code;
    const it = find(world, 'charge', path.id, merchant, 'id');
    const asked = amountIn(body.reversalInformation.amountDetails);
    if (asked.currency !== it.currency || decimal(asked) !== it.amount)
      throw invalid('reversalInformation.amountDetails.totalAmount', 'An authorization is reversed as a whole.');
    return { ...made(reversalView(world, move(world, charge, 'charge', it, 'reverse'), reference)), entity: it.id };
  },

  capturePayment({ path, body, merchant }, world) {
    const it = find(world, 'charge', path.id, merchant, 'id');
    const amounts = body.orderInformation.amountDetails;
    const asked = amountIn(amounts);
    demandRate(world, it, amounts, 'capture');
    demandWithin(asked, it.amount, it.capturedAmount, 'authorized');
    return made(captureView(captured(world, it, decimal(asked), body.clientReferenceInformation?.code)));
  },

  getCapture: ({ path, merchant }, world) => shown(captureView(captureNamed(world, merchant, path.id))),

  voidCapture({ path, body, merchant }, world) {
    const reference = body.clientReferenceInformation?.code;
    const it = captureNamed(world, merchant, path.id);
    if (capture.move(it, 'void').ok && voidsNothing(world)) return unvoided(world, it, reference);
    const voided = move(world, capture, 'capture', { ...it, due: undefined }, 'void');
    const held = world.must('charge', it.chargeId);
    const capturedAmount = subtracted(held.capturedAmount, it.amount, it.currency);
    world.put('charge', { ...held, capturedAmount, captured: !isZero(capturedAmount), exhausted: false });
    return { ...made(voidView(world, voided, reference)), entity: it.id };
  },

  refundCapture({ path, body, merchant }, world) {
    const it = captureNamed(world, merchant, path.id);
    const amounts = body.orderInformation.amountDetails;
    const asked = amountIn(amounts);
    demandRate(world, world.must('charge', it.chargeId), amounts, 'refund');
    demandWithin(asked, it.amount, it.refundedAmount, 'captured');
    const moved = move(world, capture, 'capture', it, 'refund');
    const amount = decimal(asked);
    const declined = settingsOf(world).refunds === 'declined';
    const refundedAmount = added(it.refundedAmount, declined ? '0' : amount, it.currency);
    const exhausted = isWhole(refundedAmount, it);
    world.put('capture', { ...moved, refunded: !isZero(refundedAmount), exhausted, refundedAmount });
    const paid: RefundDocument = {
      ...{ id: world.uuid('refund'), state: 'none', merchantId: merchant.id, captureId: it.id },
      ...{ amount, currency: it.currency, reference: body.clientReferenceInformation?.code },
      ...{ createdAt: world.now, due: declined ? undefined : nextBatch(world.now), declined },
    };
    return made(refundView(move(world, refund, 'refund', paid, 'create')));
  },

  getRefund: ({ path, merchant }, world) => shown(refundView(find(world, 'refund', path.id, merchant, 'id'))),

  voidRefund({ path, body, merchant }, world) {
    const reference = body.clientReferenceInformation?.code;
    const it = find(world, 'refund', path.id, merchant, 'id');
    if (refund.move(it, 'void').ok && voidsNothing(world)) return unvoided(world, it, reference);
    const voided = move(world, refund, 'refund', { ...it, due: undefined }, 'void');
    const paid = world.must('capture', it.captureId);
    const refundedAmount = subtracted(paid.refundedAmount, it.amount, it.currency);
    world.put('capture', { ...paid, refundedAmount, refunded: !isZero(refundedAmount), exhausted: false });
    return { ...made(voidView(world, voided, reference)), entity: it.id };
  },
};

/** Captures an authorization, all of it or a part. */
function captured(world: World, it: ChargeDocument, amount: string, reference: string | undefined): CaptureDocument {
  const moved = move(world, charge, 'charge', it, 'capture');
  const capturedAmount = added(it.capturedAmount, amount, it.currency);
  world.put('charge', { ...moved, capturedAmount, captured: true, exhausted: isWhole(capturedAmount, it) });
  const taken: CaptureDocument = {
    ...{ id: world.uuid('capture'), state: 'none', merchantId: it.merchantId, chargeId: it.id },
    ...{ amount, currency: it.currency, refundedAmount: '0', refunded: false, exhausted: false },
    ...{ reference, createdAt: world.now, due: nextBatch(world.now) },
  };
  return move(world, capture, 'capture', taken, 'create');
}

/** Whether what was taken is all that there is. */
const isWhole = (taken: string, { amount, currency }: ChargeDocument | CaptureDocument): boolean =>
  isZero(subtracted(amount, taken, currency));

/** A capture by its own id, or by that of its payment where it has one capture only. */
function captureNamed(world: World, merchant: Merchant, id: string): CaptureDocument {
  if (world.get('capture', id) !== undefined) return find(world, 'capture', id, merchant, 'id');
  const own = world.list('capture').filter((it) => it.merchantId === merchant.id && it.chargeId === id);
  const [only, ...more] = own;
  if (only === undefined || more.length > 0)
    throw new PlatformError(404, 'NOT_FOUND', 'There is no capture with this id.', { source: 'id' });
  return only;
}

/** Whether the platform answers that it voided nothing: a setting of the sandbox. */
const voidsNothing = (world: World): boolean => settingsOf(world).voids === 'failed';

const unvoided = (world: World, it: CaptureDocument | RefundDocument, reference: string | undefined): Answer => ({
  ...made(voidView(world, { ...it, state: 'FAILED' }, reference)),
  entity: it.id,
});

/** Captures and refunds go to the processor at the next 00:00 GMT (D-53). */
const nextBatch = (now: number): number => new Date(now).setUTCHours(24, 0, 0, 0);

const made = (body: { readonly id: string }): Answer => ({ status: 201, entity: body.id, body });
const shown = (body: { readonly id: string }): Answer => ({ status: 200, entity: body.id, body });
