import type { Facts, Things } from '../facts.ts';
import { type Balance, part } from './amounts.ts';

/** The local amount that a call names; undefined for all that is left. */
export const amountOf = ({ args }: Pick<Facts, 'args'>): string | undefined =>
  args.amount === undefined ? undefined : String(args.amount);

/** What a capture takes from: the authorization. */
export const toCapture = ({ charge }: Things): Balance | undefined =>
  charge && {
    ...charge.body,
    whole: charge.body,
    taken: { localAmount: charge.body.capturedLocal, billingAmount: charge.body.capturedBilling },
  };

/** What a refund takes from: the capture. */
export const toRefund = ({ charge, capture }: Things): Balance | undefined =>
  charge &&
  capture && {
    ...charge.body,
    whole: capture.body,
    taken: { localAmount: capture.body.refundedLocal, billingAmount: capture.body.refundedBilling },
  };

/** The part that a capture or refund takes, in both currencies. */
export const taken = (balance: Balance | undefined, facts: Pick<Facts, 'args'>) =>
  balance && part(balance, amountOf(facts));
