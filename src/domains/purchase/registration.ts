import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import type { ReceiptSpec, SessionList } from '../registration.ts';
import type { CardFacts } from './facts.ts';

// What the merchant's systems register for purchases: the cards of a shopper, and receipts of payments.

const identifier = z.string().max(limits.textCharacters);

export const cards = {
  member: 'cards',
  kind: 'card',
  shape: z.strictObject({
    customerId: identifier.min(1),
    instrumentIdentifierId: identifier.min(1),
    paymentInstrumentId: identifier.min(1),
    lastFour: z.string().regex(/^\d{4}$/, 'must be four digits'),
    expires: z.string().regex(/^(0[1-9]|1[0-2])\/\d{4}$/, 'must be MM/YYYY'),
    bin: z
      .string()
      .regex(/^\d{6,8}$/, 'must be the first six to eight digits')
      .optional(),
    label: z.string().max(40).optional(),
    network: z.string().max(40).optional(),
    tokenReferenceId: identifier.optional(),
    enrollmentReferenceType: identifier.optional(),
    enrollmentReferenceProvider: identifier.optional(),
  }),
  sameBy: 'instrumentIdentifierId',
  since: 'replacedAt' satisfies keyof CardFacts,
  shown: ['label', 'network'],
} as const satisfies SessionList;

export const receipt = {
  kind: 'receipt',
  about: 'instruction',
  required: ['transactionType', 'transactionStatus', 'amount', 'currency'],
  // Parcel numbers have the length and, by chance, the check digit of a card number.
  unscreened: ['trackingId'],
} as const satisfies ReceiptSpec;
