import { captures } from './captures.ts';
import { choice, offerLookups } from './choice.ts';
import { offers } from './offers.ts';
import { authorizations } from './payments.ts';
import { paymentLookups } from './receipts.ts';
import { refunds } from './refunds.ts';

/** Currency conversion and its payments. */
export const conversion = [
  ...offers,
  ...choice,
  ...offerLookups,
  ...authorizations,
  ...captures,
  ...refunds,
  ...paymentLookups,
];
