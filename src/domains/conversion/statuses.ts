import type { Found } from './machines.ts';

// What the platform's statuses of payments, refunds and voids mean: public models of the platform's clients (D-53).

const tableOf =
  <R>() =>
  <S extends string>(table: { readonly [status in S]: R }) =>
    table;

export const paymentStatuses = tableOf<{
  /** What it says to the payment's machine; where there is nothing, that it is declined. */
  readonly found?: Found;
  /** What it makes of the payment as evidence that a purchase is paid. */
  readonly evidence: 'APPROVED' | 'PENDING' | 'DECLINED';
  /** The state that a later look finds, whatever was known. */
  readonly state?: string;
}>()({
  AUTHORIZED: { found: 'authorized', evidence: 'APPROVED' },
  PARTIAL_AUTHORIZED: { found: 'a part', evidence: 'APPROVED' },
  AUTHORIZED_PENDING_REVIEW: { found: 'in review', evidence: 'PENDING' },
  AUTHORIZED_RISK_DECLINED: { found: 'a risk', evidence: 'DECLINED' },
  PENDING_AUTHENTICATION: { found: 'undecided', evidence: 'PENDING' },
  PENDING_REVIEW: { found: 'in review', evidence: 'PENDING' },
  DECLINED: { evidence: 'DECLINED' },
  INVALID_REQUEST: { evidence: 'DECLINED' },
  PENDING: { found: 'undecided', evidence: 'PENDING' },
  REVERSED: { evidence: 'DECLINED', state: 'REVERSED' },
});

type PaymentStatus = keyof typeof paymentStatuses;

/** What a status says to the machine of its payment. */
export const verdictOf = (status: PaymentStatus): { readonly declined: boolean; readonly found: Found | undefined } => {
  const { found }: { readonly found?: Found } = paymentStatuses[status];
  return { declined: found === undefined, found };
};

export const refundStatuses = tableOf<{
  readonly state: string;
  /** Whether the platform declined it, and what it asked for is no longer told. */
  readonly isDeclined: boolean;
}>()({
  PENDING: { state: 'PENDING', isDeclined: false },
  TRANSMITTED: { state: 'TRANSMITTED', isDeclined: false },
  VOIDED: { state: 'VOIDED', isDeclined: false },
  DECLINED: { state: 'NOT_REFUNDED', isDeclined: true },
  INVALID_REQUEST: { state: 'NOT_REFUNDED', isDeclined: true },
});

export const voidStatuses = tableOf<{
  /** The state of what was to be voided. Where there is none, nothing was undone. */
  readonly state?: string;
}>()({
  VOIDED: { state: 'VOIDED' },
  CANCELLED: { state: 'VOIDED' },
  FAILED: {},
});

/** The statuses of a table, for a shape. */
export const named = <S extends string>(table: { readonly [status in S]: unknown }): readonly S[] =>
  Object.keys(table) as S[]; // the table's own keys
