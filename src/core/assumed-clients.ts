/** What real clients of the platform do, where the documents don't show it: public models and pages of its clients. */
export const assumedClients = {
  'D-140': {
    point: 'Which key the deliveries of events are signed with',
    decision:
      "With the newest one of `POST /kms/egress/v2/keys-sym`, which replaces the one before at once, for every subscription of the merchant. It is the platform's own (`CREATE`) or the merchant's (`STORE`), and its answer shows it once. In the sandbox a subscription of a merchant without such a key has one of its own, a key signs until there is another, and other types than `sharedSecret` sign nothing.",
  },
  'D-141': {
    point: 'What a payment may be paid with',
    decision:
      "An agent's is paid with a saved card. From the merchant's own systems the sandbox takes any member of `paymentInformation`, because public models require none: an instrument identifier counts before a payment instrument, a token before a card number, and a customer last, who pays with the first saved card. The token of credentials that were released is the card that they were released for. What no fixture has is approved, but a number that is not 12 to 19 digits, an unknown customer, and what names no way of paying are refused.",
  },
  'D-142': {
    point: 'Message-level encryption',
    decision:
      'Purser sends clear JSON over TLS, and the sandbox reads nothing else: it has no certificate to encrypt with, and says so of an `encryptedRequest`. By public clients, calls that are signed with HTTP Signature need no encryption, and those that are signed with JWT are encrypted in the agent operations, unless the client has that switched off: ask the platform before you use `jwt` outside the sandbox. `http-signature` is the default.',
  },
} as const;
