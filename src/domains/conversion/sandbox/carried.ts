import { type Money, money } from '../../../core/money.ts';
import { invalid } from '../../../sandbox/answer.ts';
import { isoTime } from '../../../sandbox/clock.ts';
import { answered } from '../amounts.ts';
import type { Extra } from '../processing.ts';
import type { OfferDocument } from './documents.ts';

// DC-06 and DC-07: what the fields of a conversion say must be what the offer said, and the platform refuses anything else.

/** A payment, a capture or a refund that is converted: its offer, and its own amount in the billing currency. */
export interface Carried {
  readonly offer: OfferDocument;
  readonly billing: Money;
  /** Whether it is the whole payment. Of a part the local amount is not above that of the offer. */
  readonly whole: boolean;
}

type Agrees = (sent: string, it: Carried) => boolean;

const agreement: { readonly [E in Extra]?: Agrees } = {
  exchangeRateTimeStamp: (sent, { offer }) => !offer.dated || timeStamps(offer.createdAt).includes(sent),
  originalCurrency: (sent, { offer }) => sent === offer.originalCurrency,
  originalAmount: (sent, { offer, whole }) => {
    const [part, all] = [answered(sent, offer.originalCurrency), money(offer.originalAmount, offer.originalCurrency)];
    return part !== undefined && (whole ? part.minor === all.minor : part.minor <= all.minor);
  },
  foreignCurrency: (sent, { billing }) => sent === billing.currency,
  // D-51: the converted amount.
  foreignAmount: (sent, { billing }) => answered(sent, billing.currency)?.minor === billing.minor,
  'currencyConversion.reconciliationId': (sent, { offer }) => sent === offer.reconciliationId,
};

/** D-09: a time in both formats of the document. */
function timeStamps(at: number): readonly string[] {
  const digits = isoTime(at).replaceAll(/\D/g, '').slice(0, 14);
  return [digits, `${digits.slice(0, 8)} ${digits.slice(8, 10)}:${digits.slice(10, 12)}`];
}

/**
 * Those that say what a request says. Throws the platform's 400 for the first field with which none is left; a field that the request
 * leaves out contradicts nothing.
 */
export function agreeing(
  all: readonly Carried[],
  said: (name: Extra) => unknown,
  at: string,
): readonly [Carried, ...Carried[]] {
  const found = Object.entries(agreement).reduce<readonly Carried[]>((left, [name, agrees]) => {
    const sent = said(name as Extra); // the names of the table
    const fitting = sent === undefined ? left : left.filter((it) => agrees(String(sent), it));
    if (fitting.length === 0) throw invalid(`${at}.${name}`, 'The offer says something else.');
    return fitting;
  }, all);
  return found as readonly [Carried, ...Carried[]]; // of at least one, each step leaves at least one
}
