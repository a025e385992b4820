import { decimal, type Money, money, moneyFault, sameMoney } from '../../../core/money.ts';
import { type BodyOf, invalid, PlatformError } from '../../../sandbox/answer.ts';
import { isoTime } from '../../../sandbox/clock.ts';
import type { Merchant } from '../../../sandbox/documents.ts';
import type { World } from '../../../sandbox/world.ts';
import { isSameRate, isZero, rounded } from '../amounts.ts';
import type { conversion as operations } from '../contract.ts';
import { offer as offerMachine } from '../machines.ts';
import { type Extra, needed, type Step } from '../processing.ts';
import { agreeing } from './carried.ts';
import type { CaptureDocument, ChargeDocument, OfferDocument, RefundDocument } from './documents.ts';
import { type PaymentForms, payingCard } from './paying-cards.ts';
import { settingsOf } from './rates.ts';

// What the platform checks of a payment, and how it answers. A rule marked P in the rule book is enforced here or by the machines.

type PaymentBody = BodyOf<typeof operations.authorizePayment> | PaymentForms['authorizePayment'];
type AmountBody = BodyOf<typeof operations.capturePayment>;
type Amounts = PaymentBody['orderInformation']['amountDetails'] | AmountBody['orderInformation']['amountDetails'];

const at = 'orderInformation.amountDetails';

/** The indicator of a cardholder who opted for conversion. */
const opted = '1';

/** The amount of a request. Throws the platform's 400 for one that is not money. */
export function amountIn({ totalAmount, currency }: Pick<Amounts, 'totalAmount' | 'currency'>): Money {
  const fault = moneyFault(totalAmount, currency);
  if (fault !== null || isZero(totalAmount)) throw wrongAmount(fault ?? 'The amount is zero.');
  return money(totalAmount, currency);
}

/** DC-07: every field that the merchant's processing needs. */
function demandFields(world: World, amounts: Amounts, step: Step): void {
  const name = needed[settingsOf(world).processing][step].find((it) => valueAt(amounts, it) === undefined);
  if (name !== undefined) throw missing(`${at}.${name}`);
}

const missing = (source: string): PlatformError =>
  new PlatformError(400, 'MISSING_FIELD', `${source} is missing.`, { source });

/** Whether an authorization says what only a conversion does, so that it needs its indicator (DC-06). */
const isConverted = ({ exchangeRate, exchangeRateTimeStamp, foreignAmount }: Amounts): boolean =>
  [exchangeRate, exchangeRateTimeStamp, foreignAmount].some((it) => it !== undefined);

const valueAt = (amounts: Amounts, name: Extra): unknown =>
  // The path of a declared member; those that an operation's schema lacks are absent.
  name.split('.').reduce<unknown>((it, step) => (it as Record<string, unknown> | undefined)?.[step], amounts);

/** An authorization that is about to be made, with the offer whose rate it carries. */
export function requested(
  world: World,
  merchant: Merchant,
  body: PaymentBody,
): { readonly it: ChargeDocument; readonly offer: OfferDocument | undefined } {
  const amounts = body.orderInformation.amountDetails;
  const total = amountIn(amounts);
  const indicator = amounts.currencyConversion?.indicator ?? '';
  if (indicator === '' && isConverted(amounts)) throw missing(`${at}.currencyConversion.indicator`);
  if (indicator === opted && body.processingInformation?.capture === true)
    throw new PlatformError(400, 'NOT_SUPPORTED', 'A conversion is not authorized and captured in one request.', {
      source: 'processingInformation.capture',
    });
  const offer = indicator === opted ? offerOf(world, merchant, amounts) : undefined;
  const cardId = payingCard(world, body.paymentInformation);
  const it: ChargeDocument = {
    ...{ id: world.uuid('charge'), state: 'none', merchantId: merchant.id, cardId, createdAt: world.now },
    ...{ amount: decimal(total), currency: total.currency, capturedAmount: '0', indicator },
    ...{ exchangeRate: offer === undefined ? null : (amounts.exchangeRate ?? ''), offerId: offer?.id ?? null },
    ...{ converted: offer !== undefined, captured: false, exhausted: false },
    reference: body.clientReferenceInformation?.code,
    declined: world.get('cardFixture', cardId)?.authorizes === 'declined',
  };
  return { it, offer };
}

/** The offer whose amount, currency and rate an authorization carries: DC-05, DC-06, DC-07. Throws the platform's 400. */
function offerOf(
  world: World,
  merchant: Merchant,
  amounts: PaymentBody['orderInformation']['amountDetails'],
): OfferDocument {
  demandFields(world, amounts, 'authorize');
  const { totalAmount, currency, exchangeRate = '', currencyConversion } = amounts;
  const own = world
    .list('offer')
    .filter(({ merchantId, reason }) => merchantId === merchant.id && reason === null)
    .filter(({ id }) => currencyConversion?.id === undefined || currencyConversion.id === id);
  const rated = own.filter((it) => isRateOf(it.exchangeRate, exchangeRate));
  if (rated.length === 0) throw invalid(`${at}.exchangeRate`, 'No offer has this rate.');
  const billing = money(totalAmount, currency);
  const same = rated.filter((it) => it.currency === currency && sameMoney(money(it.amount, currency), billing));
  if (same.length === 0) throw invalid(`${at}.totalAmount`, 'No offer has this amount and currency.');
  const open = same.filter((it) => offerMachine.move({ ...it, state: usable(it) }, 'authorize').ok);
  if (open.length === 0) throw invalid(`${at}.exchangeRate`, 'The rate of the offer has expired, or was used.');
  const carried = open.map((offer) => ({ offer, billing, whole: true }));
  return agreeing(carried, (name) => valueAt(amounts, name), at)[0].offer;
}

/** The platform does not see the customer's choice: an offer that can be chosen can be used. */
function usable(it: OfferDocument): string {
  const chosen = offerMachine.move({ ...it, opted: true }, 'choose');
  return chosen.ok ? chosen.to : it.state;
}

/** Whether a request carries a rate, in full or as the gateway reads it. */
const isRateOf = (rate: string, sent: string): boolean =>
  isSameRate(sent, rate) || isSameRate(sent, rounded(rate, gatewayDigits));
const gatewayDigits = 4;

/** DC-07, DC-09 and DC-10: the rate and the currency of the authorization, and what its offer says. */
export function demandRate(
  world: World,
  { currency, exchangeRate, offerId }: ChargeDocument,
  amounts: Amounts,
  step: Step,
): void {
  if (amounts.currency !== currency) throw invalid(`${at}.currency`, 'The authorization is in another currency.');
  if (exchangeRate === null || offerId === null) return;
  demandFields(world, amounts, step);
  if (!isSameRate(amounts.exchangeRate ?? '', exchangeRate))
    throw invalid(`${at}.exchangeRate`, 'The authorization has another rate.');
  const carried = { offer: world.must('offer', offerId), billing: amountIn(amounts), whole: false };
  agreeing([carried], (name) => valueAt(amounts, name), at);
}

/** An amount within what is left of a whole. Throws the platform's 400. */
export function demandWithin(asked: Money, whole: string, taken: string, what: string): void {
  const [all, before] = [money(whole, asked.currency), money(taken, asked.currency)];
  if (asked.minor > all.minor - before.minor) throw wrongAmount(`The amount is above what is ${what}.`);
}

const wrongAmount = (message: string): PlatformError =>
  new PlatformError(400, 'INVALID_AMOUNT', message, { source: `${at}.totalAmount` });

type Made = ChargeDocument | CaptureDocument | RefundDocument;

const link = (path: string, method: string) => ({ href: `/pts/v2/${path}`, method });

/** What every answer about a payment says. */
const about = ({ id, createdAt, reference }: Made) => ({
  id,
  submitTimeUtc: isoTime(createdAt),
  reconciliationId: id.replaceAll('-', '').slice(0, 16),
  ...(reference === undefined ? {} : { clientReferenceInformation: { code: reference } }),
});

/** The status that the platform tells of a payment or refund: what was captured does not show in it (D-53). */
const statuses: { readonly [state: string]: string | undefined } = {
  CAPTURED: 'AUTHORIZED',
  NOT_AUTHORIZED: 'DECLINED',
  NOT_REFUNDED: 'DECLINED',
};

export function paymentView(it: ChargeDocument) {
  const { id, state, amount, currency, declined } = it;
  const links = {
    self: link(`payments/${id}`, 'GET'),
    authReversal: link(`payments/${id}/reversals`, 'POST'),
    capture: link(`payments/${id}/captures`, 'POST'),
  };
  return {
    _links: declined ? { self: links.self } : links,
    ...about(it),
    status: statuses[state] ?? state,
    ...(declined ? { errorInformation: { reason: 'PROCESSOR_DECLINED', message: 'The issuer declined.' } } : {}),
    orderInformation: {
      amountDetails: declined ? { totalAmount: amount, currency } : { authorizedAmount: amount, currency },
    },
  };
}

export const captureView = (it: CaptureDocument) => ({
  _links: { self: link(`captures/${it.id}`, 'GET'), void: link(`captures/${it.id}/voids`, 'POST') },
  ...about(it),
  status: it.state,
  orderInformation: { amountDetails: { totalAmount: it.amount, currency: it.currency } },
});

export const refundView = (it: RefundDocument) => ({
  _links: { self: link(`refunds/${it.id}`, 'GET'), void: link(`refunds/${it.id}/voids`, 'POST') },
  ...about(it),
  status: statuses[it.state] ?? it.state,
  ...(it.declined ? { errorInformation: { reason: 'PROCESSOR_DECLINED', message: 'The refund was declined.' } } : {}),
  refundAmountDetails: { refundAmount: it.amount, currency: it.currency },
});

/** A reversal and a void are told by their own number, or else by that of what they undo. */
export const reversalView = (world: World, it: ChargeDocument, reference = it.reference) => ({
  ...about({ ...it, id: world.uuid('reversal'), createdAt: world.now, reference }),
  status: it.state,
  reversalAmountDetails: { reversedAmount: it.amount, currency: it.currency },
});

export const voidView = (world: World, it: CaptureDocument | RefundDocument, reference = it.reference) => ({
  ...about({ ...it, id: world.uuid('void'), createdAt: world.now, reference }),
  status: it.state,
  voidAmountDetails: { voidAmount: it.amount, currency: it.currency },
});
