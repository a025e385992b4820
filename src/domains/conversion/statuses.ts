// What the platform's statuses of payments, refunds and voids mean: public models of the platform's clients (D-53).

const tableOf =
  <R>() =>
  <S extends string>(table: { readonly [status in S]: R }) =>
    table;

export const paymentStatuses = tableOf<{
  /** Whether something is held on the card. */
  readonly isHeld: boolean;
  /** The state that a later look finds. Where there is none, the state stays: what was captured doesn't show in a status. */
  readonly state?: string;
}>()({
  AUTHORIZED: { isHeld: true },
  PARTIAL_AUTHORIZED: { isHeld: true },
  AUTHORIZED_PENDING_REVIEW: { isHeld: true },
  AUTHORIZED_RISK_DECLINED: { isHeld: true },
  PENDING_AUTHENTICATION: { isHeld: false },
  PENDING_REVIEW: { isHeld: true },
  DECLINED: { isHeld: false },
  INVALID_REQUEST: { isHeld: false },
  PENDING: { isHeld: true },
  REVERSED: { isHeld: false, state: 'REVERSED' },
});

export const refundStatuses = tableOf<{
  readonly state: string;
  /** Whether it pays nothing back. */
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
