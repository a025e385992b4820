import { z } from 'zod';
import { amount, blob, currency, platform, secret, server, text } from '../../core/fields.ts';
import { once } from '../../core/once.ts';

// The shapes of payment credentials: document 1, "Payment credentials with authenticated passkey credentials".

export const paymentAmount = once(() =>
  z.looseObject({
    totalAmount: server(amount, 'authentication.amount'),
    currency: server(currency, 'authentication.currency'),
  }),
);

export const plainMerchant = once(() =>
  z.looseObject({
    merchantDescriptor: z.looseObject({ name: server(text, 'merchant.name'), url: server(text, 'merchant.url') }),
  }),
);

/** What goes with what in credentials (PK-11). Other values of `eci` have no pair that the document shows. */
export const commerceIndicators = { '05': 'vbv', '07': 'internet' } as const;

const paired: { readonly [eci: string]: string | undefined } = commerceIndicators;

export const paymentCredentials = once(() =>
  z
    .looseObject({
      _links: z.looseObject({ self: z.looseObject({ href: platform(text) }) }).optional(),
      tokenizedCard: z.looseObject({
        state: platform(text).optional(),
        enrollmentId: platform(text).optional(),
        tokenReferenceId: platform(text).optional(),
        number: secret(platform(text)),
        expirationMonth: platform(text),
        expirationYear: platform(text),
        type: platform(text).optional(),
        cryptogram: secret(platform(blob)),
        eci: platform(text).optional(),
        requestorId: platform(text).optional(),
        card: z
          .looseObject({
            suffix: platform(text).optional(),
            expirationMonth: platform(text).optional(),
            expirationYear: platform(text).optional(),
          })
          .optional(),
      }),
      card: z.looseObject({ number: platform(text).optional() }).optional(),
      issuer: z.looseObject({ paymentAccountReference: platform(text).optional() }).optional(),
      processingInformation: z
        .looseObject({
          authorizationOptions: z
            .looseObject({
              initiator: z
                .looseObject({
                  merchantInitiatedTransaction: z
                    .looseObject({ previousTransactionId: platform(text).optional() })
                    .optional(),
                })
                .optional(),
            })
            .optional(),
          commerceIndicator: platform(text).optional(),
        })
        .optional(),
    })
    .refine(
      ({ tokenizedCard: { eci = '' }, processingInformation }) =>
        paired[eci] === undefined || [paired[eci], undefined].includes(processingInformation?.commerceIndicator),
      { path: ['processingInformation', 'commerceIndicator'], message: 'must go with the eci (PK-11)' },
    ),
);
