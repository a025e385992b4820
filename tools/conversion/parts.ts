import { isCurrency } from '../../src/core/currencies.ts';
import { amount } from '../../src/core/fields.ts';
import { decimal, money, spokenSum } from '../../src/core/money.ts';
import type { Doubled } from '../../src/core/outcome.ts';
import { type Balance, isAbout, isZero, left, nothing, without } from '../../src/domains/conversion/amounts.ts';
import { type taken, toCapture, toRefund } from '../../src/domains/conversion/balances.ts';
import type { Both } from '../../src/domains/conversion/facts.ts';
import { isNotAuthorized } from '../../src/domains/conversion/machines.ts';
import { voidStatuses } from '../../src/domains/conversion/statuses.ts';
import type { Facts, Things } from '../../src/domains/facts.ts';
import { quoted } from '../../src/engine/approval-text.ts';
import { untrusted } from '../../src/engine/render.ts';
import type { Finding } from '../../src/engine/sent-request.ts';
import { optional, reference } from '../../src/engine/tool-arguments.ts';

// What the tools for payments, captures and refunds share.

export const partArg = optional<never>({
  schema: amount.describe("In the shop's currency; all that is left if omitted."),
  fills: [],
  isToldByTool: true,
});
export const ownReference = optional(reference("Merchant's number, one per call; by default the order's."));

/** The reference of a capture or refund: its own, or the order's. */
export const referenceOf = ({ args, things }: Facts): string =>
  String(args.reference ?? things.charge?.body.reference ?? '');

/** Captures, refunds and voids of one payment change its balances, so one of them runs at a time. */
export const lockKey = ({ things }: Pick<Facts, 'things'>): string => things.charge?.handle ?? '';

/** The authorization of a call, as its machine reads it. */
export const chargeEntity = (things: Things) => ({
  state: things.charge?.state ?? 'none',
  declined: isNotAuthorized(things.charge?.state ?? ''),
  converted: things.charge?.body.converted === true,
  captured: !isZero(things.charge?.body.capturedBilling ?? '0'),
  exhausted: isExhausted(toCapture(things)),
});

/** The capture of a call, as its machine reads it. */
export const captureEntity = (things: Things) => ({
  state: things.capture?.state ?? 'none',
  refunded: !isZero(things.capture?.body.refundedBilling ?? '0'),
  exhausted: isExhausted(toRefund(things)),
});

/** Whether nothing of a whole is left. Of what is not known in a currency, something may be. */
const isExhausted = (balance: Balance | undefined): boolean =>
  balance !== undefined && isCurrency(balance.localCurrency) && left(balance).local.minor <= 0n;

type Part = ReturnType<typeof taken>;

export const bothOf = (part: Part): Both =>
  part === undefined ? nothing : { localAmount: decimal(part.local), billingAmount: decimal(part.billing) };

const orderLine = (order: string): string => `Order: ${quoted(untrusted(order))}`;

/** The lines of an approval that tell an amount in both currencies. */
export function partLines({ charge }: Things, part: Part): readonly string[] {
  if (part === undefined || charge === undefined) return [];
  const { billingCurrency, localCurrency, converted } = charge.body;
  return [
    `Amount: ${spokenSum(decimal(part.billing), billingCurrency)}`,
    ...(converted ? [`In the shop's currency: ${spokenSum(decimal(part.local), localCurrency)}`] : []),
  ];
}

/** The whole of a capture or refund, in both currencies. */
export function wholeLines({ charge }: Things, whole: Both | undefined): readonly string[] {
  if (charge === undefined || whole === undefined) return [];
  const { billingCurrency, localCurrency, converted, reference: order } = charge.body;
  return [
    `Of: ${spokenSum(whole.billingAmount, billingCurrency)}${converted ? ` (${spokenSum(whole.localAmount, localCurrency)})` : ''}`,
    orderLine(order),
  ];
}

/** What a payment holds, in both currencies. */
export const heldLines = ({ charge }: Things): readonly string[] => {
  if (charge === undefined) return [];
  const { localAmount, localCurrency, billingAmount, billingCurrency, reference: order, converted } = charge.body;
  return [
    orderLine(order),
    `Authorized: ${spokenSum(billingAmount, billingCurrency)}`,
    ...(converted ? [`In the shop's currency: ${spokenSum(localAmount, localCurrency)}`] : []),
  ];
};

/** What a part counts as. `isHeld`: the authorization counted it already. */
export const spendOf = ({ things, merchant }: Facts, part: Part, { isHeld }: { readonly isHeld: boolean }) => {
  const sum = part === undefined ? '0' : decimal(part.local);
  return {
    ...{ amount: sum, currency: things.charge?.body.localCurrency ?? '' },
    ...(isHeld ? { held: { authorizePayment: sum } } : {}),
    ...{ payee: merchant.name, instrument: things.card?.handle ?? '' },
  };
};

export const capturedOf = (it: { readonly capturedLocal: string; readonly capturedBilling: string }): Both => ({
  localAmount: it.capturedLocal,
  billingAmount: it.capturedBilling,
});

export const refundedOf = (it: { readonly refundedLocal: string; readonly refundedBilling: string }): Both => ({
  localAmount: it.refundedLocal,
  billingAmount: it.refundedBilling,
});

/** The path of what in a void's answer is another sum than that of what it undoes. */
export const ofAnotherSum = (
  { charge }: Things,
  whole: Both | undefined,
  { voidAmountDetails }: { readonly voidAmountDetails?: VoidSum | undefined },
): string | undefined => {
  if (charge === undefined || whole === undefined) return undefined;
  const { voidAmount: amount, currency } = voidAmountDetails ?? {};
  return isAbout(money(whole.billingAmount, charge.body.billingCurrency), { amount, currency })
    ? undefined
    : 'voidAmountDetails.voidAmount';
};

interface VoidSum {
  readonly voidAmount?: string | undefined;
  readonly currency?: string | undefined;
}

type VoidStatus = keyof typeof voidStatuses;

/** The state of a capture or refund after a void was answered: a platform can answer that it voided nothing. */
export const stateAfter = (status: VoidStatus, it: { readonly state: string } | undefined): string =>
  voidStatuses[status].state ?? it?.state ?? '';

/** What stays taken after a void was answered. */
export const keptAfter = (status: VoidStatus, taken: Both, part: Both, of: Parameters<typeof without>[2]): Both =>
  without(taken, voidStatuses[status].state === undefined ? nothing : part, of);

/**
 * A payment, capture or refund that is refused as a duplicate, or a part that fits by Purser's books and is refused as more than there is:
 * the first of two requests may have made it. The platform can't be asked, because it has no name of ours (D-181).
 */
export const madeBefore: Doubled = ({ reason }) => (reason === 'DUPLICATE_REQUEST' ? 'certainly' : undefined);
export const takenBefore: Doubled = (refusal, args) =>
  exhausted.includes(refusal.reason) && isOfSum(refusal.field) ? 'certainly' : madeBefore(refusal, args);
const exhausted: readonly string[] = ['INVALID_AMOUNT', 'NOT_SUPPORTED', 'INVALID_STATE'];
const isOfSum = (field = 'amount'): boolean => /amount$/i.test(field);

/** Reads a lost reversal or void back: it happened where the thing has the status that it leads to. */
export const foundAs =
  <S extends string>(status: S) =>
  (found: { readonly id: string; readonly status: string } | undefined): Finding<{ id: string; status: S }> => {
    if (found === undefined) return 'unclear';
    return found.status === status ? { happened: { id: found.id, status } } : 'nothing';
  };
