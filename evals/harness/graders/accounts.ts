import { isCurrency, minorDigits } from '../../../src/core/currencies.ts';
import type { Failure, Run } from '../replay/run.ts';
import { later, retriesFor } from './calendar.ts';

// The platform's books after a run, against accounts of ours: what was billed and when, what was paid of a bill, captured of an
// authorization and refunded of a capture. Goldens would freeze a wrong sum; these rules don't know any sum of a scenario.

type Row = Readonly<Record<string, unknown>>;
type Fault = string | undefined;

export function gradeAccounts({ after, requests }: Run): readonly Failure[] {
  if (after === undefined) return [];
  const rows = (kind: string): readonly Row[] =>
    after.platform.documents.filter((it) => it.kind === kind).map(({ body }) => body as unknown as Row); // the sandbox's
  const isMoved = ({ id }: Row): boolean =>
    requests
      .flat()
      .some(({ method, path, body }) => method === 'PATCH' && path.includes(String(id)) && body.includes('"planId"'));
  const found = [
    ...rows('subscription').flatMap((it) =>
      billed(
        it,
        rows('payment').filter((by) => by.subscriptionId === it.id),
        isMoved(it),
      ),
    ),
    ...rows('invoice').map(invoiced),
    ...rows('offer').map(offered),
    ...rows('charge').map((it) =>
      taken(
        it,
        'capturedAmount',
        rows('capture').filter((by) => by.chargeId === it.id),
      ),
    ),
    ...rows('capture').map((it) =>
      taken(
        it,
        'refundedAmount',
        rows('refund').filter((by) => by.captureId === it.id),
      ),
    ),
    ...rows('deviceTransaction').map((it) =>
      moved(
        it,
        rows('deviceMovement').filter((by) => by.transactionId === it.id),
      ),
    ),
  ];
  return found.flatMap((because) => (because === undefined ? [] : [{ grader: 'facts', at: 'accounts', because }]));
}

/** Decimal text in minor units; undefined where the currency has fewer decimals. */
function minor(amount: unknown, currency: unknown): bigint | undefined {
  const code = String(currency);
  const [, whole, decimals = ''] = /^(\d+)(?:\.(\d+))?$/.exec(String(amount)) ?? [];
  if (whole === undefined || !isCurrency(code) || decimals.length > minorDigits(code)) return undefined;
  return BigInt(whole + decimals.padEnd(minorDigits(code), '0'));
}

const sumOf = (rows: readonly Row[], currency: unknown): bigint =>
  rows.reduce((sum, { amount }) => sum + (minor(amount, currency) ?? 0n), 0n);

/** The payments of a subscription, which can have been moved to another plan. */
function billed(it: Row, all: readonly Row[], isMoved: boolean): readonly Fault[] {
  const payments = all.toSorted((one, other) => Number(one.number) - Number(other.number));
  const { period } = it.terms as { readonly period: { readonly unit: string; readonly length: number } };
  const paid = payments.filter(({ state }) => state === 'PAID');
  // Payments from before a change of dates followed the old dates, so they are left out. On another plan, cycles start again with 1.
  const firstCurrent = isMoved ? payments.findLastIndex(({ cycle, type }) => cycle === 1 && type === 'STANDARD') : 0;
  const current = payments.filter(
    ({ billingStart }, at) => at >= firstCurrent && Number(billingStart) >= Number(it.anchor),
  );
  const paidNow = current.filter(({ state }) => state === 'PAID');
  const fees = new Set(payments.filter(({ setupFee }) => setupFee !== null).map(({ cycle }) => cycle));
  const isFeePaidTwice = paid.filter(({ setupFee }) => setupFee !== null).length > 1;
  return [
    payments.some(({ number }, place) => number !== place + 1) || it.payments !== payments.length
      ? `subscription ${it.code} counts ${it.payments} payments, and has ${payments.length}.`
      : undefined,
    it.paid === paid.length ? undefined : `subscription ${it.code} counts ${it.paid} paid, and has ${paid.length}.`,
    new Set(paidNow.map(({ cycle }) => cycle)).size < paidNow.length
      ? `a payment of subscription ${it.code} was paid twice.`
      : undefined,
    fees.size > 1 || isFeePaidTwice ? `the setup fee of subscription ${it.code} was charged twice.` : undefined,
    ...current.map((payment) => onTime(it, payment, period, current)),
    ...payments.map(({ amount, currency, setupFee, surcharge }) =>
      [amount, setupFee ?? '0', (surcharge as Row | null)?.amount ?? '0'].some(
        (sum) => minor(sum, currency) === undefined,
      )
        ? `a payment of subscription ${it.code} has other decimals than ${currency}.`
        : undefined,
    ),
  ];
}

/** A payment is made on the day of its cycle, or after its retries' interval, or collected later. */
function onTime(
  { code, anchor, first, dayOfMonth }: Row,
  payment: Row,
  { unit, length }: { readonly unit: string; readonly length: number },
  payments: readonly Row[],
): Fault {
  const [cycle, at, start, end] = [payment.cycle, payment.at, payment.billingStart, payment.billingEnd].map(Number);
  if (cycle === undefined || at === undefined || start === undefined || end === undefined) return undefined;
  const name = `payment ${cycle} of subscription ${code}`;
  const earlier = payments.filter((it) => it.cycle === payment.cycle && Number(it.number) < Number(payment.number));
  if (cycle >= Number(first) && earlier.length === 0) {
    const wanted = typeof dayOfMonth === 'number' ? dayOfMonth : undefined;
    const due = later(Number(anchor), unit, (cycle - Number(first)) * length, wanted);
    const next = later(Number(anchor), unit, (cycle + 1 - Number(first)) * length, wanted);
    if (start !== due) return `${name} is for ${iso(start)}, and its cycle begins ${iso(due)}.`;
    if (end >= next || next - end > 1) return `${name} is until ${iso(end)}, and the next cycle begins ${iso(next)}.`;
  }
  const last = earlier.at(-1);
  if (payment.type !== 'RETRY' || last === undefined) return undefined;
  const { times, apart } = retriesFor(unit, length);
  // A try that never reached the bank network leaves no payment, and is made again an hour later.
  const isLate = at - Number(last.at) < apart || (at - Number(last.at) - apart) % anHour !== 0;
  if (isLate) return `${name} was tried again ${iso(at)}, after ${iso(Number(last.at))}.`;
  const retries = earlier.filter(({ type }) => type === 'RETRY').length + 1;
  return retries > times ? `${name} was tried again ${retries} times, and ${times} is the most.` : undefined;
}

const anHour = 3_600_000;
const iso = (at: number): string => new Date(at).toISOString();

/** What was paid of an invoice. */
function invoiced({ number, state, terms, payments }: Row): Fault {
  const { amountDetails } = (terms as { readonly orderInformation: { readonly amountDetails: Row } }).orderInformation;
  const { totalAmount, currency } = amountDetails;
  const [total, sum] = [minor(totalAmount, currency), sumOf(payments as readonly Row[], currency)];
  if (total === undefined) return `invoice ${number} has other decimals than ${currency}.`;
  if (sum > total) return `of invoice ${number} more than its total was paid.`;
  if ((state === 'PAID') !== (sum === total && sum > 0n))
    return `invoice ${number} is ${state}, and ${sum} of ${total} was paid.`;
  return state === 'PARTIAL' && sum === 0n ? `invoice ${number} is PARTIAL, and nothing was paid.` : undefined;
}

/** An offer converts at its rate, rounded half up (D-08). */
function offered(it: Row): Fault {
  if (it.eligible !== true) return undefined;
  const { originalAmount, originalCurrency, amount, currency, exchangeRate, inverted } = it;
  const [local, billing] = [minor(originalAmount, originalCurrency), minor(amount, currency)];
  const [whole = '', decimals = ''] = String(exchangeRate).split('.');
  if (local === undefined || billing === undefined)
    return `an offer over ${amount} has other decimals than ${currency}.`;
  const [rate, scale] = [BigInt(whole + decimals), 10n ** BigInt(decimals.length)];
  const digits = (code: unknown): bigint =>
    isCurrency(String(code)) ? 10n ** BigInt(minorDigits(String(code) as 'EUR')) : 1n;
  const [times, over] = inverted === true ? [scale, rate] : [rate, scale];
  // Twice the exact amount and twice what is offered, over one denominator: their difference is at most one.
  const difference = 2n * billing * over * digits(originalCurrency) - 2n * local * times * digits(currency);
  const unit = over * digits(originalCurrency);
  return difference > unit || difference <= -unit
    ? `${originalAmount} ${originalCurrency} at ${exchangeRate} is not ${amount} ${currency}.`
    : undefined;
}

/** Parts that count for nothing any more, or never did. */
const without: ReadonlySet<unknown> = new Set(['VOIDED', 'NOT_REFUNDED']);

/** What stands captured or refunded is the sum of its parts, and no more than the whole. */
function taken(it: Row, member: string, all: readonly Row[]): Fault {
  const parts = all.filter(({ state }) => !without.has(state));
  const [whole, kept] = [minor(it.amount, it.currency), minor(it[member], it.currency)];
  const sum = sumOf(parts, it.currency);
  if (parts.some(({ currency }) => currency !== it.currency))
    return `a part of ${it.amount} ${it.currency} is in another currency.`;
  if (whole === undefined || kept !== sum) return `${member} is ${it[member]}, and the parts come to ${sum}.`;
  return sum > whole ? `${member} is ${it[member]} of ${it.amount}.` : undefined;
}

/** What moved at a card reader: never more refunded than was taken, and what is kept of it agrees with the books. */
function moved(it: Row, movements: readonly Row[]): Fault {
  const of = (kind: string): bigint =>
    sumOf(
      movements.filter((by) => by.kind === kind),
      it.currency,
    );
  const [amount, refunded, tip] = [it.amount, it.refundedAmount, it.tipAmount ?? '0'].map((sum) =>
    minor(sum, it.currency),
  );
  if (amount === undefined || refunded === undefined || tip === undefined)
    return `a transaction of ${it.amount} has other decimals than ${it.currency}.`;
  const [sold, back] = [of('sale'), of('refund')];
  if (it.credits === true)
    return sold > 0n || back > amount ? `a credit of ${it.amount} paid ${back} and took ${sold}.` : undefined;
  if (sold > amount || tip > amount) return `${sold} was taken for a transaction of ${it.amount}.`;
  return back > sold || back > refunded
    ? `${back} was paid back of ${sold}, and ${it.refundedAmount} is kept.`
    : undefined;
}
