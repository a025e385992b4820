import { decimal, money, moneyFault } from '../../../core/money.ts';
import { type BodyOf, invalid } from '../../../sandbox/answer.ts';
import { isoTime } from '../../../sandbox/clock.ts';
import type { Merchant } from '../../../sandbox/documents.ts';
import type { World } from '../../../sandbox/world.ts';
import { convert, isZero } from '../amounts.ts';
import type { conversion as operations } from '../contract.ts';
import type { OfferDocument } from './documents.ts';
import { rateOf, settingsOf } from './rates.ts';

/** An offer for a purchase, or the refusal of one: both are stored under the id of the answer. */
export function fresh(
  world: World,
  merchant: Merchant,
  body: BodyOf<typeof operations.offerConversion>,
  requestId: string,
): OfferDocument {
  const { originalAmount, originalCurrency } = body.orderInformation.amountDetails;
  const fault = moneyFault(originalAmount, originalCurrency);
  if (fault !== null) throw invalid('orderInformation.amountDetails.originalAmount', fault);
  const { validSeconds, markup, inverted, dated, disclaimer } = settingsOf(world);
  const { number } = body.paymentInformation.card;
  const found = isZero(originalAmount) ? 'INVALID_AMOUNT' : rateOf(world, { number, from: originalCurrency });
  const own = world.uuid('offer');
  const id = echoed(world, requestId) ?? own;
  const common = {
    ...{ id, merchantId: merchant.id, reference: body.clientReferenceInformation?.code, createdAt: world.now },
    // The customer's choice is Purser's to keep.
    ...{
      state: 'none',
      expired: false,
      opted: false,
      reconciliationId: own.replaceAll('-', '').slice(0, 16),
    },
    ...{ originalAmount, originalCurrency, markup, inverted, dated, disclaimer },
    expires: world.now + validSeconds * 1_000,
  };
  if (typeof found === 'string')
    return { ...common, eligible: false, reason: found, amount: '0', currency: '', exchangeRate: '0' };
  const { currency, exchangeRate } = found;
  const local = money(originalAmount, originalCurrency);
  const amount = decimal(convert(local, currency, { exchangeRate, inverted }));
  return { ...common, due: common.expires, eligible: true, reason: null, amount, currency, exchangeRate };
}

/** D-121: the id of the request, unless that is no id, or another offer has it. */
const echoed = (world: World, requestId: string): string | undefined =>
  /^[\w-]{1,64}$/.test(requestId) && world.get('offer', requestId) === undefined ? requestId : undefined;

/** The answer about an offer. */
export function offerView(it: OfferDocument) {
  const { id, createdAt, reference, reason, reconciliationId, disclaimer } = it;
  const rate = {
    ...{ originalAmount: it.originalAmount, originalCurrency: it.originalCurrency },
    ...{ amount: it.amount, currency: it.currency, exchangeRate: it.exchangeRate, exchangeRateInverted: it.inverted },
    ...(it.markup === null ? {} : { marginRate: it.markup }),
    ...(it.dated ? { exchangeRateTimeUtc: isoTime(createdAt) } : {}),
    rateSource: 'Example Bank',
    ...{ exchangeRateExpirationTimeUtc: isoTime(it.expires), rateId: reconciliationId.slice(0, 8) },
  };
  const offered = reason === null ? { offer: [rate], disclaimer } : {};
  return {
    ...{ id, submitTimeUtc: isoTime(createdAt), status: reason === null ? 'PENDING' : 'DECLINED' },
    ...(reference === undefined ? {} : { clientReferenceInformation: { code: reference } }),
    ...(reason === null ? {} : { errorInformation: { reason, message: 'The purchase is not converted.' } }),
    orderInformation: { currencyConversion: { type: 'DCC', reconciliationId, ...offered } },
    processorInformation: { responseCode: reason === null ? '00' : '05' },
  };
}
