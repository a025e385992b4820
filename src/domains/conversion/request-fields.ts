import { decimal, type Money, money } from '../../core/money.ts';
import type { Facts, Things } from '../facts.ts';
import { taken, toCapture, toRefund } from './balances.ts';
import type { Rate } from './facts.ts';
import { type Converted, extraFields, isProcessing, type Step } from './processing.ts';

// The amounts that Purser computes for a request, by contract path. No agent writes one of them.

const at = 'orderInformation.amountDetails';

/** The amounts of an authorization: the offer's, where the customer chose it, or else the price. */
export function chargeFields({ things, args, merchant }: Facts): Readonly<Record<string, unknown>> {
  const offer = things.offer?.body;
  if (offer === undefined) {
    const price = args.price as { readonly amount: string; readonly currency: string } | undefined; // by the tool's shape
    return { [`${at}.totalAmount`]: price?.amount, [`${at}.currency`]: price?.currency };
  }
  const { billingAmount = '', billingCurrency = '', reconciliationId, offerId } = offer;
  const rate = rateIn(offer);
  if (rate === undefined || !isProcessing(merchant.processing))
    return {
      [`${at}.totalAmount`]: billingAmount,
      [`${at}.currency`]: billingCurrency,
      [`${at}.currencyConversion.indicator`]: '1',
    };
  const local = money(offer.localAmount, offer.localCurrency);
  const billing = money(billingAmount, billingCurrency);
  return fieldsOf({ ...rate, local, billing, reconciliationId, offerId }, merchant.processing, 'authorize');
}

/** The amounts of a capture. */
export const captureFields = (facts: Facts): Readonly<Record<string, unknown>> =>
  partFields(facts.things, taken(toCapture(facts.things), facts), 'capture');

/** The amounts of a refund. */
export const refundFields = (facts: Facts): Readonly<Record<string, unknown>> =>
  partFields(facts.things, taken(toRefund(facts.things), facts), 'refund');

/** The whole of an authorization, which a reversal repeats. */
export const reversalFields = ({ things: { charge } }: Facts): Readonly<Record<string, unknown>> => ({
  'reversalInformation.amountDetails.totalAmount': charge?.body.billingAmount,
  'reversalInformation.amountDetails.currency': charge?.body.billingCurrency,
});

function partFields(
  { charge }: Things,
  part: { readonly local: Money; readonly billing: Money } | undefined,
  step: Step,
): Readonly<Record<string, unknown>> {
  if (charge === undefined || part === undefined) return {};
  const { converted, processing } = charge.body;
  const rate = rateIn(charge.body);
  return converted && rate !== undefined && isProcessing(processing)
    ? fieldsOf({ ...rate, ...part }, processing, step)
    : { [`${at}.totalAmount`]: decimal(part.billing), [`${at}.currency`]: part.billing.currency };
}

const fieldsOf = (it: Converted, processing: Parameters<typeof extraFields>[1], step: Step) => ({
  [`${at}.totalAmount`]: decimal(it.billing),
  [`${at}.currency`]: it.billing.currency,
  ...Object.fromEntries(
    Object.entries(extraFields(it, processing, step)).map(([name, value]) => [`${at}.${name}`, value]),
  ),
});

/** The rate of an offer or an authorization; undefined where the platform left a part of it out. */
const rateIn = ({ exchangeRate, inverted = false, rateTime, markup }: Partial<Rate>): Rate | undefined =>
  exchangeRate === undefined ? undefined : { exchangeRate, inverted, rateTime: rateTime ?? '', markup };
