import type { Facts, Things } from '../../src/domains/facts.ts';

/** The purchase, as the instruction machine reads it before or after a response. */
export const purchaseEntity = (
  { instruction, receipt }: Things,
  now: number,
  answer?: { readonly status: number },
) => ({
  state: instruction?.state ?? 'none',
  asks: answer?.status === 202,
  waiting: instruction?.body.waiting ?? '',
  processed: (instruction?.body.releases ?? 0) > 0 && receipt?.body.transactionStatus === 'APPROVED',
  ended: instruction !== undefined && Number(instruction.body.until) * 1_000 <= now,
});

/** Whether as many payments as were approved have got their credentials. */
export const isBeyondApproved = ({ things: { instruction } }: Pick<Facts, 'things'>): boolean =>
  (instruction?.body.releases ?? 0) >= (instruction?.body.releasesApproved ?? 0);

export const verifyFirst =
  'The platform asks the customer to verify this step. Have the customer do so now, then make the same call again.';
