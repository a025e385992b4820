import { z } from 'zod';
import { amount, computed, currency, model, platform, server, text, under } from '../../core/fields.ts';
import { once } from '../../core/once.ts';
import { rateText } from './amounts.ts';
import { named, paymentStatuses, refundStatuses, voidStatuses } from './statuses.ts';

// The shapes of conversion and its payments: document 1, "Currency conversion"; what it leaves open follows public models of the
// platform's clients. Every object is loose because a real client may send members that no page shows.

const rate = z.string().regex(rateText, 'must be a decimal rate such as "1.57"');
/** `yyyyMMddHHmmss` or `yyyyMMdd HH:mm` (D-09). */
const timeStamp = z.string().regex(/^(\d{14}|\d{8} \d{2}:\d{2})$/, 'must be a time such as "20260115 09:00"');

const clientReferenceInformation = once(() => z.looseObject({ code: server(text, 'reference').optional() }).optional());

/** The first digits of a card are enough for an offer; a merchant that may handle card numbers can send all of them (D-50). */
const cardNumber = z.string().regex(/^\d{6,19}$/, 'must be six to nineteen digits');

export const offerRequest = once(() =>
  z.looseObject({
    clientReferenceInformation: clientReferenceInformation(),
    orderInformation: z.looseObject({
      amountDetails: z.looseObject({
        originalAmount: under('DC-12', model(amount)),
        originalCurrency: model(currency),
      }),
      currencyConversion: z
        .looseObject({ type: under('DC-02', model(z.literal('DCC', 'must be DCC'))).optional() })
        .optional(),
    }),
    paymentInformation: z.looseObject({ card: z.looseObject({ number: server(cardNumber, 'card.bin') }) }),
    pointOfSaleInformation: z
      .looseObject({
        entryMode: computed(z.enum(['KEYED', 'SWIPED', 'CONTACT', 'CONTACTLESS'])).optional(),
        terminalId: server(text, 'merchant.terminalId').optional(),
      })
      .optional(),
  }),
);

const rateOffer = once(() =>
  z.looseObject({
    originalAmount: platform(text).optional(),
    originalCurrency: platform(text).optional(),
    amount: platform(amount).optional(),
    currency: platform(currency).optional(),
    exchangeRate: platform(rate).optional(),
    exchangeRateInverted: platform(z.boolean()).optional(),
    marginRate: platform(text).optional(),
    rateSource: platform(text).optional(),
    exchangeRateTimeUtc: platform(text).optional(),
    exchangeRateExpirationTimeUtc: platform(text).optional(),
    rateId: platform(text).optional(),
  }),
);

const answerReference = once(() => z.looseObject({ code: platform(text).optional() }).optional());
const errorInformation = once(() =>
  z.looseObject({ reason: platform(text).optional(), message: platform(z.string()).optional() }).optional(),
);

export const offerAnswer = once(() =>
  z.looseObject({
    id: platform(text),
    submitTimeUtc: platform(text),
    status: platform(z.enum(['PENDING', 'DECLINED', 'SERVER_ERROR'])),
    clientReferenceInformation: answerReference(),
    errorInformation: errorInformation(),
    orderInformation: z
      .looseObject({
        currencyConversion: z
          .looseObject({
            type: platform(text).optional(),
            reconciliationId: platform(text),
            offer: z.array(rateOffer()).optional(),
            disclaimer: platform(z.string()).optional(),
          })
          .optional(),
      })
      .optional(),
    processorInformation: z.looseObject({ responseCode: platform(text).optional() }).optional(),
  }),
);

/** The amounts of a capture or a refund. Those after the first two go with a conversion (DC-07). */
const amountDetails = once(() => ({
  totalAmount: computed(amount),
  currency: computed(currency),
  exchangeRate: computed(rate).optional(),
  exchangeRateTimeStamp: computed(timeStamp).optional(),
  foreignAmount: computed(amount).optional(),
  foreignCurrency: computed(currency).optional(),
  originalAmount: computed(amount).optional(),
  originalCurrency: computed(currency).optional(),
}));

const paymentAmounts = once(() =>
  z.looseObject({
    ...amountDetails(),
    currencyConversion: z
      .looseObject({
        /** 1: the cardholder opted for conversion; 2: not possible; 3: the cardholder declined. */
        indicator: computed(z.enum(['1', '2', '3'])),
        reconciliationId: computed(text).optional(),
        id: computed(text).optional(),
      })
      .optional(),
  }),
);

/** What an authorization carries besides what it is paid with. */
const beforeCard = once(() => ({
  clientReferenceInformation: clientReferenceInformation(),
  processingInformation: z.looseObject({ capture: under('DC-08', model(z.boolean())).optional() }).optional(),
}));
const order = once(() => z.looseObject({ amountDetails: paymentAmounts() }));

/** DC-06: what a converted authorization carries in any case. */
function conversionFaults(
  { orderInformation: { amountDetails: it } }: { readonly orderInformation: z.output<ReturnType<typeof order>> },
  { addIssue }: Pick<z.core.$RefinementCtx<unknown>, 'addIssue'>,
): void {
  if (it.currencyConversion?.indicator !== '1') return;
  for (const name of ['exchangeRate', 'exchangeRateTimeStamp'] as const)
    if (it[name] === undefined)
      addIssue({
        code: 'custom',
        path: ['orderInformation', 'amountDetails', name],
        message: 'must be given with a conversion',
        params: { rule: 'DC-06' },
      });
}

export const paymentRequest = once(() =>
  z
    .looseObject({
      ...beforeCard(),
      paymentInformation: z.looseObject({
        customer: z.looseObject({ id: server(text, 'card.customerId') }).optional(),
        paymentInstrument: z.looseObject({ id: server(text, 'card.paymentInstrumentId') }).optional(),
        instrumentIdentifier: z.looseObject({ id: server(text, 'card.instrumentIdentifierId') }),
      }),
      orderInformation: order(),
    })
    .superRefine(conversionFaults),
);

const byId = once(() => z.looseObject({ id: text.optional() }).optional());
const byNumber = once(() => z.looseObject({ number: text.optional() }).optional());

/** What the platform takes besides: public models require no way of paying, and this is what the merchant's own systems pay with. */
export const anyPayment = once(() =>
  z
    .looseObject({
      ...beforeCard(),
      paymentInformation: z.looseObject({
        ...{ instrumentIdentifier: byId(), paymentInstrument: byId(), customer: byId() },
        ...{ tokenizedCard: byNumber(), card: byNumber() },
      }),
      orderInformation: order(),
    })
    .superRefine(conversionFaults),
);

export const amountRequest = once(() =>
  z.looseObject({
    clientReferenceInformation: clientReferenceInformation(),
    orderInformation: z.looseObject({ amountDetails: z.looseObject(amountDetails()) }),
  }),
);

/** Calls that undo another one carry the number of its order. */
const orderReference = once(() => z.looseObject({ code: server(text, 'charge.reference').optional() }).optional());

export const reversalRequest = once(() =>
  z.looseObject({
    clientReferenceInformation: orderReference(),
    reversalInformation: z.looseObject({
      amountDetails: z.looseObject({ totalAmount: computed(amount), currency: computed(currency) }),
      reason: model(text).optional(),
    }),
  }),
);

export const voidRequest = once(() => z.looseObject({ clientReferenceInformation: orderReference() }));

const common = once(() => ({
  id: platform(text),
  submitTimeUtc: platform(text).optional(),
  reconciliationId: platform(text).optional(),
  clientReferenceInformation: answerReference(),
}));

export const paymentAnswer = once(() =>
  z.looseObject({
    ...common(),
    status: platform(z.enum(named(paymentStatuses))),
    errorInformation: errorInformation(),
    orderInformation: z
      .looseObject({
        amountDetails: z
          .looseObject({
            authorizedAmount: platform(amount).optional(),
            totalAmount: platform(amount).optional(),
            currency: platform(currency).optional(),
            exchangeRate: platform(text).optional(),
            foreignAmount: platform(text).optional(),
            foreignCurrency: platform(text).optional(),
            originalAmount: platform(text).optional(),
            originalCurrency: platform(text).optional(),
          })
          .optional(),
      })
      .optional(),
  }),
);

export const captureAnswer = once(() =>
  z.looseObject({
    ...common(),
    status: platform(z.enum(['PENDING', 'TRANSMITTED', 'VOIDED'])),
    orderInformation: z
      .looseObject({
        amountDetails: z
          .looseObject({ totalAmount: platform(amount).optional(), currency: platform(currency).optional() })
          .optional(),
      })
      .optional(),
  }),
);

export const refundAnswer = once(() =>
  z.looseObject({
    ...common(),
    status: platform(z.enum(named(refundStatuses))),
    errorInformation: errorInformation(),
    refundAmountDetails: z
      .looseObject({
        refundAmount: platform(amount).optional(),
        creditAmount: platform(text).optional(),
        currency: platform(currency).optional(),
      })
      .optional(),
  }),
);

export const reversalAnswer = once(() =>
  z.looseObject({
    ...common(),
    status: platform(z.literal('REVERSED')),
    reversalAmountDetails: z
      .looseObject({
        reversedAmount: platform(amount).optional(),
        originalTransactionAmount: platform(text).optional(),
        currency: platform(currency).optional(),
      })
      .optional(),
  }),
);

export const voidAnswer = once(() =>
  z.looseObject({
    ...common(),
    status: platform(z.enum(named(voidStatuses))),
    voidAmountDetails: z
      .looseObject({
        voidAmount: platform(text).optional(),
        originalTransactionAmount: platform(text).optional(),
        currency: platform(text).optional(),
      })
      .optional(),
  }),
);
