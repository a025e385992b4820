import { z } from 'zod';
import { amount as amountText } from '../../../core/fields.ts';
import { decimal, type Money, money, moneyFault, spoken } from '../../../core/money.ts';
import { move, PlatformError } from '../../../sandbox/answer.ts';
import type { PageRequest } from '../../../sandbox/domain.ts';
import { jsonBody } from '../../../sandbox/json-body.ts';
import { gatewayRefusal, type Wire, wire } from '../../../sandbox/wire.ts';
import type { World } from '../../../sandbox/world.ts';
import { hasOwnLink, invoice } from '../machines.ts';
import { invoiceRow, text } from './answers.ts';
import { balanceOf, left, taken } from './balance.ts';
import { at, linkDies, timed } from './clock.ts';
import type { InvoiceDocument, InvoicePayment } from './documents.ts';
import { mailMerchant, tell } from './mail.ts';
import { settingsOf, settingsOnPage } from './settings.ts';

// The payment page of an invoice, as JSON: anyone with the link sees the invoice and can pay it.

const payment = z.strictObject({
  /** The whole balance by default. */
  amount: amountText.optional(),
  /** The outcome of the payment; `review` holds it for a risk review. */
  card: z.enum(['approved', 'declined', 'review']).default('approved'),
});

/** Answers a request to a payment link: the rest of the path is the token of the link. */
export async function servePayment(world: World, { method, rest, bytes, signer }: PageRequest): Promise<Wire> {
  const link = world.get('paymentLink', rest);
  const held = link && world.get('invoice', link.invoice);
  if (held === undefined || !isOpen(held, signer, world.now)) return no(404, 'This link leads to nothing.');
  const it = at(held, world.now);
  if (method === 'GET' || method === 'HEAD') return wire(200, shown(world, it));
  if (method !== 'POST') return gatewayRefusal(405, { allow: 'GET, POST' });
  const read = payment.safeParse(jsonBody(bytes));
  if (!read.success) return no(400, 'Send an amount as text, and how the card behaves, or an empty object.');
  try {
    return await world.attempt(() => wire(200, shown(world, pay(world, it, read.data))));
  } catch (failure) {
    if (failure instanceof PlatformError) return no(failure.status, failure.message);
    throw failure;
  }
}

/** The link of a draft works for the merchant only (IN-11). A year after the due date it works for nobody. */
function isOpen(it: InvoiceDocument, signer: string | null, now: number): boolean {
  return now < linkDies(it.terms) && (!hasOwnLink(it.state) || signer === it.merchantId);
}

/** Takes a payment: the balance, or a part if the invoice allows it (IN-13). */
function pay(world: World, it: InvoiceDocument, { amount, card }: z.output<typeof payment>): InvoiceDocument {
  const balance = left(it);
  const possible = invoice.move(it, 'pay');
  if (!possible.ok) throw new PlatformError(400, 'INVALID_STATE', possible.because);
  const sum = amount === undefined ? balance : asked(amount, balance);
  const fault = partFault(it, sum, balance);
  if (fault !== null) throw new PlatformError(400, 'INVALID_DATA', fault);
  if (card === 'declined') throw new PlatformError(402, 'DECLINED', 'The card was declined; nothing was paid.');
  const made = { transactionId: transactionId(world), amount: decimal(sum), at: world.now };
  return card === 'review' ? hold(world, it, made) : take(world, it, made, 'pay');
}

function asked(amount: string, { currency }: Money): Money {
  const fault = moneyFault(amount, currency);
  if (fault !== null) throw new PlatformError(400, 'INVALID_DATA', fault);
  return money(amount, currency);
}

function partFault(it: InvoiceDocument, sum: Money, balance: Money): string | null {
  const { minimumPartialAmount } = it.terms.orderInformation.amountDetails;
  if (sum.minor === 0n) return 'A payment of nothing pays nothing.';
  if (sum.minor > balance.minor) return `No more than ${spoken(balance)} is left to be paid.`;
  if (sum.minor === balance.minor) return null;
  if (it.terms.invoiceInformation.allowPartialPayments !== true) return 'This invoice is paid in one payment.';
  const least = minimumPartialAmount === undefined ? null : money(minimumPartialAmount, balance.currency);
  return least !== null && sum.minor < least.minor ? `The least part is ${spoken(least)}.` : null;
}

/** Takes a payment that was approved, at once or after its review. */
function take(world: World, it: InvoiceDocument, made: InvoicePayment, trigger: 'pay' | 'accept'): InvoiceDocument {
  const moved = move(world, invoice, 'invoice', taken(it, made), trigger);
  const history = [...moved.history, { event: 'PAYMENT', at: world.now, payment: made }];
  const kept = world.put(
    'invoice',
    timed({ ...moved, paid: true, reviewed: false, waiting: null, history }, world.now),
  );
  tell(world, kept, kept.settled ? 'paid' : 'partial-payment');
  mailMerchant(world, kept, made.amount);
  return kept;
}

function hold(world: World, it: InvoiceDocument, waiting: InvoicePayment): InvoiceDocument {
  const held = move(world, invoice, 'invoice', { ...it, reviewed: true }, 'pay');
  const history = [...held.history, { event: 'PENDING', at: world.now, payment: waiting }];
  return world.put('invoice', timed({ ...held, waiting, history }, world.now));
}

/** Ends the review of a payment. Throws the platform's 400 if none is under review. */
export function endReview(world: World, it: InvoiceDocument, accepted: boolean): InvoiceDocument {
  const { waiting } = it;
  if (waiting === null) throw new PlatformError(400, 'INVALID_STATE', 'No payment of this invoice is under review.');
  if (accepted) return take(world, it, waiting, 'accept');
  const back = move(world, invoice, 'invoice', it, 'reject');
  const history = [...back.history, { event: 'REJECTED', at: world.now, payment: waiting }];
  return world.put('invoice', timed({ ...back, reviewed: false, waiting: null, history }, world.now));
}

/** The content of the payment page. */
function shown(world: World, it: InvoiceDocument) {
  const { orderInformation, invoiceInformation } = invoiceRow(it);
  const { merchantDisplayName } = settingsOf(world, it.merchantId).fields;
  const { processingInformation } = it.terms;
  return {
    merchant: text(merchantDisplayName) ?? world.must('merchant', it.merchantId).name,
    invoice: it.number,
    status: it.state,
    description: it.terms.invoiceInformation.description ?? '',
    ...invoiceInformation,
    ...orderInformation.amountDetails,
    balanceAmount: Number(balanceOf(it)),
    lineItems: it.terms.orderInformation.lineItems ?? [],
    payments: it.payments.length,
    requestPhone: processingInformation?.requestPhone ?? false,
    requestShipping: processingInformation?.requestShipping ?? false,
    ...settingsOnPage(world, it.merchantId, (it.terms.orderInformation.lineItems ?? []).length > 0),
  };
}

const transactionDigits = 22;
const transactionId = (world: World): string =>
  String(world.derive(`invoice payment/${world.count('invoice payment')}`).readBigUInt64BE()).padStart(
    transactionDigits,
    '7',
  );

const no = (status: number, message: string): Wire => wire(status, { error: { message } });
