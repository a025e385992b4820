import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { once } from '../../core/once.ts';
import type { Sealing } from '../../core/operation.ts';

/** What of payment credentials goes into the vault, and for how long. A model sees the card's last digits at most. */
export const sealing: Sealing = {
  lifetimeSeconds: limits.credentialSeconds,
  open(answer) {
    const body = credentials().safeParse(answer);
    if (!body.success) return Promise.resolve({ unreadable: ['tokenizedCard'] });
    const { tokenizedCard, processingInformation } = body.data;
    const { card, number, expirationMonth, expirationYear, type, eci } = tokenizedCard;
    return Promise.resolve({
      shown: {
        lastFour: card?.suffix ?? number.slice(-4),
        expires: `${expirationMonth}/${expirationYear}`,
        type: typeCode.test(type) ? type : 'unknown',
        ...(eci === undefined ? {} : { eci }),
        ...(processingInformation?.commerceIndicator === undefined
          ? {}
          : { commerceIndicator: processingInformation.commerceIndicator }),
      },
      secret: { ...body.data },
    });
  },
};

/** What Purser reads of payment credentials. */
const credentials = once(() =>
  z.looseObject({
    tokenizedCard: z.looseObject({
      number: z.string().regex(/^\d{12,19}$/),
      cryptogram: z.string().min(1),
      expirationMonth: z.string().regex(/^\d{2}$/),
      expirationYear: z.string().regex(/^\d{4}$/),
      type: z.string().max(40).default('unknown'),
      eci: z
        .string()
        .regex(/^\d{2}$/)
        .optional(),
      card: z
        .looseObject({
          suffix: z
            .string()
            .regex(/^\d{4}$/)
            .optional(),
        })
        .optional(),
    }),
    processingInformation: z
      .looseObject({
        commerceIndicator: z
          .string()
          .regex(/^[a-z0-9_]{1,20}$/)
          .optional(),
      })
      .optional(),
  }),
);

/** A short code without four digits in a row. Any other type is text, which a model would read. */
const typeCode = /^(?!.*\d{4})[A-Za-z0-9_-]{1,20}$/;
