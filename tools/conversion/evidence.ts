import { inDecimals } from '../../src/core/money.ts';
import { isReversed } from '../../src/domains/conversion/machines.ts';
import type { Things } from '../../src/domains/facts.ts';
import { isPayment, mayBePayment } from '../../src/domains/purchase/shapes.ts';
import type { Observation } from '../../src/engine/tool.ts';

// What Purser's own payments leave as evidence that a purchase is paid (D-35), and what takes it away.

interface Evidence {
  readonly payment: string;
  readonly amount: string;
  readonly currency: string;
  readonly transactionType: 'AUTHORIZATION' | 'REVERSAL';
  readonly transactionStatus: 'APPROVED' | 'PENDING' | 'DECLINED';
}

/** A receipt that Purser posts itself. */
const posted = (receipt: string, instruction: string, { amount, currency, ...payment }: Evidence) => [
  {
    kind: 'receipt' as const,
    handle: receipt,
    state: 'none',
    body: { instruction, ...payment, amount: inDecimals(amount, currency), currency },
  },
  { kind: 'instruction' as const, handle: instruction, ifKnown: true as const, body: { receipt } },
];

/** The evidence of a new payment. One that isn't approved says nothing of another payment that is, or may be. */
export const evidence = (
  { instruction, receipt }: Things,
  handle: () => string,
  paid: Evidence,
): readonly Observation[] => {
  const isOutdone = !isPayment(paid) && receipt !== undefined && mayBePayment(receipt.body);
  return instruction === undefined || isOutdone ? [] : posted(handle(), instruction.handle, paid);
};

/** What the evidence of the payment itself becomes. */
const changed = ({ charge, receipt }: Things, body: Observation['body']): readonly Observation[] =>
  charge === undefined || receipt?.body.payment !== charge.handle
    ? []
    : [{ kind: 'receipt', handle: receipt.handle, body }];

/** The evidence of a payment of which the platform has decided. */
export const evidenceDecided = (
  things: Things,
  transactionStatus: Evidence['transactionStatus'],
  amount: string | undefined,
): readonly Observation[] =>
  changed(things, {
    transactionStatus,
    ...(amount === undefined ? {} : { amount: inDecimals(amount, things.charge?.body.localCurrency ?? '') }),
  });

/** What a reversal leaves of the evidence of its own payment: the receipt of one that was given back. */
export const evidenceGone = (things: Things): readonly Observation[] =>
  changed(things, { transactionType: 'REVERSAL' });

/** What refunds leave of it: nothing where all that was captured is paid back. */
export const evidenceAfterRefund = (things: Things, isAll: boolean): readonly Observation[] =>
  isReversed(things.charge?.state ?? '')
    ? []
    : changed(things, { transactionType: isAll ? 'REFUND' : 'AUTHORIZATION' });

/** A receipt of the reversal itself, beside the merchant's own, which nothing else changes. */
export const evidenceOfReversal = (things: Things, handle: () => string): readonly Observation[] => {
  const { charge, receipt } = things;
  if (receipt === undefined || receipt.body.payment !== undefined) return evidenceGone(things);
  return charge?.body.instruction === undefined
    ? []
    : posted(handle(), charge.body.instruction, {
        ...{ payment: charge.handle, transactionType: 'REVERSAL', transactionStatus: 'APPROVED' },
        ...{ amount: charge.body.localAmount, currency: charge.body.localCurrency },
      });
};
