/** Decisions about the card reader, its SDK and the app around it. */
export const assumedDevice = {
  'D-90': {
    point: "What the reader's SDK reports of a transaction, and what its errors contain",
    decision:
      'A transaction always has an identifier, a status, a currency and a total. It has the tip, the captured and refunded amounts, whether it is a pre-authorization, when that expires, the customIdentifier and the text of the receipt if the SDK provides them. Increments, captures and refunds return the transaction that they change. The document does not show what an error contains, so Purser does not read it: after an error the outcome is unknown, and Purser looks the transaction up.',
  },
  'D-91': {
    point: 'How a charge is found if its response, and so its identifier, was lost',
    decision:
      'By its customIdentifier. For `lookupTransaction` and `showSummary` the reader\'s app accepts a customIdentifier in place of an identifier, and returns the newest transaction that has it, or `notFound` if there is none. If the SDK can\'t look up a customIdentifier, the app must store which identifier belongs to it. Purser takes "not found" to mean that nothing was charged only once ten minutes have passed since the charge began.',
  },
  'D-92': {
    point: 'What an approval and a limit cover where a tip is added',
    decision:
      'The amount with the highest of the percentages, rounded up to the minor unit. A tip that the customer types has no upper limit on the reader, so it needs a pre-authorization and `up_to`: then no more is captured than the amount, its increments and `up_to`, whatever was typed.',
  },
  'D-93': {
    point: 'How Purser knows that the education screens were shown',
    decision:
      "The reader's app reports it (`educationShown`) when its device is looked at. Until then no card is charged.",
  },
  'D-94': {
    point: 'How an app reports its handset, and which releases of the SDK are the latest',
    decision:
      'The first number of the hardware identifier, which is 11 for the XS generation, and the day on which the version of the operating system was released; what is not reported is not known to fall short. The releases are those of the document. A newer one is unknown until an operator adds it (`device.sdkReleases`).',
  },
  'D-95': {
    point: 'Which reader may be charged',
    decision:
      'One with live credentials if Purser runs in the live environment, one with test credentials otherwise. Every charge needs an approval or a mandate, in any environment.',
  },
  'D-96': {
    point: 'The default of `summaryFeatures`, and who builds the SDK with it',
    decision:
      "`sendReceiptViaEmail` alone: a button that moves money is pressed without an approval. The app builds the SDK's instance, so Purser tells it the configuration when it connects.",
  },
} as const;
