/** A choice that Purser made where the platform's documents are silent or leave one open. */
export interface Assumption {
  /** What is open. */
  readonly point: string;
  /** What Purser does. */
  readonly decision: string;
}

/**
 * Every such choice that present code makes, by its id. Code that makes one names the id; docs/assumptions.md lists them all. Rows of
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
    point: 'The content of `signedPayload`',
    decision:
      'A signed token (JWS) over card token, cryptogram, amount, merchant and mandate; the sandbox signs with its own key. It is opened straight into the vault.',
  },
  'D-11': {
    point: 'The status of a plan that is created without one',
    decision: '`ACTIVE`. The tool asks for a draft explicitly: `draft`.',
  },
  'D-12': {
    point: '"Activation requires that the plan was never assigned"',
    decision: 'This is about a draft, of which it always holds. An inactive plan may be activated, as the table says.',
  },
  'D-13': {
    point: '"Move it to active or draft first", of an inactive plan',
    decision: 'Only activation is possible: no call turns a plan into a draft again.',
  },
  'D-14': {
    point: 'When a pending subscription becomes active',
    decision:
      'When its start date is reached: at once where it starts on the day of its creation and the first payment succeeds, else when the clock gets there.',
  },
  'D-15': {
    point: 'When a delinquent subscription becomes active again',
    decision: 'When a retry succeeds and no other payment is still to be retried.',
  },
  'D-16': {
    point: 'A first payment, or a verification, that is declined when the subscription is created',
    decision: 'The answer is 201 with status `DECLINED`; the subscription is `FAILED`, for good.',
  },
  'D-17': {
    point: 'Which subscriptions can be suspended',
    decision:
      'Document 2: an active one, at any time. Public models of the platform allow pending and delinquent ones, too, but none within ten minutes of a payment: `SB-09: published` in the settings lets the platform decide.',
  },
  'D-18': {
    point: 'When a payment begins processing',
    decision:
      'At the date and time of its cycle, counted from the start date in UTC; a day that a month lacks becomes its last day. The windows of ten minutes and of two hours are counted from it, their ends included.',
  },
  'D-19': {
    point: 'Retries for a billing frequency other than the four',
    decision:
      'By the length of one period: up to a day as daily, up to a week as weekly, up to a month as monthly, longer as yearly.',
  },
  'D-20': {
    point: 'How long before a payment its notice is sent',
    decision:
      'Three days, or `sandbox.noticeDays` of the settings; where a payment is nearer than that when it is scheduled, it has no notice.',
  },
  'D-21': {
    point: 'The two networks that need the authorized amount of the original transaction',
    decision: 'Discover and Diners Club.',
  },
  'D-22': {
    point: 'What becomes of an invoice that is paid or runs out',
    decision:
      'All of it paid: `PAID`. A part: `PARTIAL`. `PENDING` while a payment is reviewed for fraud: accepted, it is paid; rejected, it is `SENT` again. After its expiration date it is `EXPIRED` and can be neither paid nor sent.',
  },
  'D-23': {
    point: 'The form of `expirationDate`',
    decision:
      'Purser sends `DD-MM-YYYY`, as document 2 prints it. The sandbox also takes `YYYY-MM-DD` and a date-time, and answers `YYYY-MM-DD`, which real clients parse. Purser reads all of them.',
  },
  'D-24': {
    point: 'Calls whose method is named in two ways',
    decision:
      'Purser sends POST to activate and deactivate, PUT to skip and restore. The sandbox takes PATCH and POST as well.',
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
      '`sandbox` (embedded, the default), `test` and `live`. With any other name, Purser does not start; `live` needs a switch of its own besides address and credentials.',
  },
  'D-35': {
    point: 'What proves that a payment was processed',
    decision: "A receipt that the merchant's system posted, never a statement of the model.",
  },
  'D-36': {
    point: 'How often a person is asked for one purchase',
    decision:
      'Once, when it is initiated. Again for any change of what the agent wrote, except a lower limit, an earlier end, a smaller quantity or a repetition that is withdrawn; and for each release of credentials beyond the approved one, from another card, or for anything but a plain payment.',
  },
  'D-37': {
    point: 'What counts as moving money',
    decision:
      '`money`: initiate or update a purchase, release credentials; create, reactivate or update a subscription, amend a plan. `write`: enroll, cancel, confirm; plans, suspension, skipped payments; invoices and their settings. `read`: everything that looks something up.',
  },
  'D-38': {
    point: 'What a subscription without an end commits to, as limits and approvals count it',
    decision: 'The setup fee and the payments of its first twelve months; the approval says that it has no end.',
  },
  'D-39': {
    point: 'Payments that a suspended subscription missed',
    decision:
      'Those whose retries were used up, and those whose date passed meanwhile. Reactivation processes them at once where it is told to, oldest first; billing goes on with the next cycle.',
  },
  'D-40': {
    point: 'By which name a call that has no correlation id is found again in the logs of the platform',
    decision:
      'None is documented but for currency conversion: the header `x-requestid`. Purser sends it with every call, the same with a repeat; the sandbox keeps it with the effect.',
  },
  'D-44': {
    point: 'Which invoice is amount-only',
    decision:
      'One that carries none of line items, discounts, freight, taxes, partial payments and custom fields. An update makes no invoice amount-only; an amount-only one can get line items and the rest.',
  },
  'D-45': {
    point: 'How the totals of an invoice add up',
    decision:
      'A line: quantity × unit price − discount + tax. The total: the lines, or else `subAmount`, − discount + tax + freight with its tax. Where both an amount and a rate are given, the amount counts; a rate is of what is left after the discount, rounded half up to the minor unit. A total without lines and without `subAmount` stands for itself.',
  },
  'D-46': {
    point: 'A part of an invoice that is smaller than `minimumPartialAmount`',
    decision:
      'It is refused, unless it is all that is left. Without `allowPartialPayments` only the whole balance is taken.',
  },
  'D-47': {
    point: 'When reminders of an invoice are e-mailed',
    decision:
      'Where settings allow it, at 00:00 GMT five days before the due date and one day after it, while it is `SENT` or `PARTIAL`.',
  },
  'D-48': {
    point: 'What can be changed of a subscription that is over',
    decision:
      'Its name and code, as public models of the platform have it, once it is cancelled or completed. Nothing of one that failed.',
  },
  'D-49': {
    point: 'Which code is "the next consecutive one" (`PL-13`)',
    decision:
      'The number at the end of the last code that was specified goes up by one, and begins where the code has none. A code of ten characters that ends in no number has room for none and is passed over: so are the ten letters that Purser sends, to find it again, for a plan or a subscription that was given no code. A platform that counts them answers otherwise: then give every code.',
  },
} as const satisfies Readonly<Record<string, Assumption>>;

export type AssumptionId = keyof typeof assumptions;
