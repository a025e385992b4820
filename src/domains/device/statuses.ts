/** The nine statuses of a device transaction, as wrappers of the older SDK name them. */
export const transactionStatuses = [
  'Unknown',
  'Initialized',
  'Pending',
  'Accepted',
  'Approved',
  'Declined',
  'Aborted',
  'Error',
  'Inconclusive',
] as const;
export type TransactionStatus = (typeof transactionStatuses)[number];

/** The enrollment states of a device: document 3, "States and transitions". */
export const enrollmentStates = ['enrolled', 'enrolling', 'notEnrolled'] as const;
