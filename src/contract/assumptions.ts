/** A choice that Purser made where the platform's documents are silent or leave one open. */
export interface Assumption {
  /** What is open. */
  readonly point: string;
  /** What Purser does. */
  readonly decision: string;
}

/**
 * Every such choice that present code makes, by its id. Code that makes one names the id; the README lists them all. Rows of
 * the state machines that no document shows stand in their own tables, under `assumed`.
 */
export const assumptions = {
  'D-01': {
    point: 'How strictly a rule is kept',
    decision:
      'As the documents state it: a breach is refused. A rule of the platform can be set to `warn` or `off` by its id.',
  },
  'D-02': {
    point: 'States of a purchase instruction',
    decision:
      'A fresh one is `ACTIVE`. `PENDING`: the platform asks the customer first. `CANCELLED`, `COMPLETED`: as the words say. `EXPIRED`: the end of every mandate has passed.',
  },
  'D-03': {
    point: 'The instruction after its credentials were released',
    decision:
      'It stays `ACTIVE` and remembers the release. The answer that carries the credentials says `COMPLETED` of the release; the instruction is completed by its confirmation.',
  },
  'D-04': {
    point: 'When an enrolled card is `ACTIVE` at once',
    decision:
      'When the session carries a verification of the cardholder for card enrollment (event `02`, result `01`), or a sandbox fixture says so. Otherwise it is `PENDING` until the customer has verified.',
  },
  'D-05': {
    point: 'Bodies, codes and enumerations of the instruction calls',
    decision:
      'As public models of the platform have them. Both bodies of a confirmation are understood; Purser sends `confirmationData`.',
  },
  'D-06': {
    point: 'What stands in `signedPayload`',
    decision:
      'A signed token (JWS) over card token, cryptogram, amount, merchant and mandate; the sandbox signs with its own key. It is opened straight into the vault.',
  },
  'D-30': {
    point: 'Rate limits of the platform',
    decision: 'None are assumed. A sandbox can be given one; it then answers 429 with `Retry-After`.',
  },
  'D-31': {
    point: 'How calls are authenticated',
    decision:
      'HTTP Signature or JWT, both with the shared secret. The sandbox verifies either in full: a signed date within 5 minutes, a token before its `exp`; anything else gets 401.',
  },
  'D-33': {
    point: 'Environments',
    decision:
      '`sandbox` (embedded, the default), `test` and `live`. Any other name does not start; `live` needs a switch of its own besides address and credentials.',
  },
  'D-35': {
    point: 'What proves that a payment was processed',
    decision: "A receipt that the merchant's system posted. The model's word is none.",
  },
  'D-36': {
    point: 'How often a person is asked for one purchase',
    decision:
      'Once, when it is initiated. Again for an update that allows more (limit, end, currency, payee, repetition), and for each release of credentials beyond the approved one or from another card.',
  },
  'D-37': {
    point: 'What counts as moving money',
    decision:
      '`money`: initiate or update a purchase, release credentials. `write`: enroll, cancel, confirm. `read`: everything that looks something up.',
  },
} as const satisfies Readonly<Record<string, Assumption>>;

export type AssumptionId = keyof typeof assumptions;
