/** What a status says of the money: it moved or is held, it moves later, it never moves, or nobody knows yet. */
type Effect = 'done' | 'later' | 'none' | 'open';

/** The nine statuses of a device transaction, as wrappers of the older SDK name them. */
const effects = {
  Unknown: 'open',
  Initialized: 'open',
  Pending: 'open',
  Accepted: 'later',
  Approved: 'done',
  Declined: 'none',
  Aborted: 'none',
  Error: 'none',
  Inconclusive: 'open',
} as const satisfies { readonly [status: string]: Effect };

/** What a status says of the money; undefined for a word that is no status. */
export const effectOf = (status: string): Effect | undefined =>
  (effects as { readonly [status: string]: Effect })[status];

export type TransactionStatus = keyof typeof effects;
export const transactionStatuses = Object.keys(effects) as readonly TransactionStatus[];

/** The enrollment states of a device: document 3, "States and transitions". */
export const enrollmentStates = ['enrolled', 'enrolling', 'notEnrolled'] as const;
