import { assumedBilling } from './assumed-billing.ts';
import { assumedBounds } from './assumed-bounds.ts';
import { assumedCalendar } from './assumed-calendar.ts';
import { assumedClients } from './assumed-clients.ts';
import { assumedConversion } from './assumed-conversion.ts';
import { assumedDevice } from './assumed-device.ts';
import { assumedOutcomes } from './assumed-outcomes.ts';
import { assumedReporting } from './assumed-reporting.ts';
import { assumedRequests } from './assumed-requests.ts';

/** A decision by Purser where the platform's documents are silent or ambiguous. */
export interface Assumption {
  /** The open question. */
  readonly point: string;
  /** What Purser does. */
  readonly decision: string;
}

/**
 * Every decision that the code relies on, by id. The code names the id; docs/assumptions.md lists them. Undocumented
 * rows of the state machines are marked `assumed` in their tables instead.
 */
export const assumptions = {
  'D-01': {
    point: 'How strictly rules are enforced',
    decision:
      'As documented: a call that breaks it is refused. A rule of the platform can be set to `warn` or `off` by its id.',
  },
  'D-02': {
    point: 'The states of a purchase instruction',
    decision:
      'A new one is `ACTIVE`. `PENDING`: the customer must confirm first. `CANCELLED` and `COMPLETED` have their usual meaning. `EXPIRED`: every mandate has ended.',
  },
  'D-03': {
    point: 'The state of an instruction after its credentials were released',
    decision:
      'It stays `ACTIVE` and records the release. `COMPLETED` in the response with the credentials refers to the release; the confirmation completes the instruction.',
  },
  'D-04': {
    point: 'When an enrolled card is `ACTIVE` at once',
    decision:
      'When the session carries a verification of the cardholder for card enrollment (event `02`, result `01`), or when a sandbox fixture sets it. Otherwise it is `PENDING` until the customer has verified.',
  },
  'D-05': {
    point: 'The bodies, codes and enumerations of the instruction calls',
    decision:
      'As in public models of the platform. The sandbox accepts both bodies of a confirmation; Purser sends `confirmationData`.',
  },
  'D-06': {
    point: 'The content of `signedPayload`',
    decision:
      'A signed token (JWS) over card token, cryptogram, amount, merchant and mandate; the sandbox signs with its own key. It is decoded directly into the vault. What it says of amount, currency, merchant, mandate and instruction must be what was asked for; otherwise the outcome is unknown, and nothing is kept.',
  },
  'D-07': {
    point: 'The units of `codeExpiration`, `maxRequestsAllowed` and `maxVerificationAllowed`',
    decision:
      'Epoch seconds. The maxima count requested codes, and verifications of one code. A maximum of zero, or an expiry more than a day away, is ignored: then three codes, three verifications and ten minutes apply.',
  },
  'D-08': {
    point: 'How converted amounts are rounded',
    decision:
      'Half up, to the minor unit of the billing currency. The last part of a payment absorbs the rounding difference.',
  },
  'D-09': {
    point: 'The formats of rate and time in a converted payment',
    decision:
      'Direct acquirer connection: `yyyyMMddHHmmss` and the full rate. Otherwise: `yyyyMMdd HH:mm` and at most four decimals. UTC.',
  },
  'D-10': {
    point: 'The lookup of webhook subscriptions without product or event type',
    decision: 'It is narrowed by neither.',
  },
  'D-11': {
    point: 'The status of a plan that is created without one',
    decision: '`ACTIVE`. The tool has a `draft` argument.',
  },
  'D-12': {
    point: '"Activation requires that the plan was never assigned"',
    decision: 'This applies to drafts, which never are assigned. An inactive plan may be activated, as in the table.',
  },
  'D-13': {
    point: '"Move it to active or draft first", about an inactive plan',
    decision: 'Only activation is possible: no call turns a plan into a draft again.',
  },
  'D-14': {
    point: 'When a pending subscription becomes active',
    decision: 'At its start date. If it starts on the day of its creation and the first payment succeeds, immediately.',
  },
  'D-15': {
    point: 'When a delinquent subscription becomes active again',
    decision: 'When a retry succeeds and no other payment is waiting for a retry.',
  },
  'D-16': {
    point: 'A first payment, or a verification, that is declined when the subscription is created',
    decision: 'The response is 201 with status `DECLINED`; the subscription is `FAILED`, which is final.',
  },
  'D-17': {
    point: 'Which subscriptions can be suspended',
    decision:
      'As in document 2: an active one, at any time. Public models of the platform also allow pending and delinquent ones, but not within ten minutes of a payment; with `SB-09: published` in the settings the platform decides.',
  },
  'D-18': {
    point: 'When a payment begins processing',
    decision:
      'At the date and time of its cycle, counted from the start date in UTC. If a month has no such day, its last day counts. The windows of ten minutes and two hours are measured from that time, inclusive.',
  },
  'D-19': {
    point: 'Retries for a billing frequency other than the four',
    decision:
      'By the length of a period: up to a day as daily, up to a week as weekly, up to a month as monthly, longer as yearly.',
  },
  'D-20': {
    point: 'When the notice of a payment is sent',
    decision:
      'Three days before, or `sandbox.noticeDays` of the settings. A payment scheduled at shorter notice has none.',
  },
  'D-21': {
    point: 'The two networks that need the authorized amount of the original transaction',
    decision: 'Discover and Diners Club.',
  },
  'D-22': {
    point: 'The state of an invoice that is paid or expires',
    decision:
      'Paid in full: `PAID`. Paid in part: `PARTIAL`. While a payment is reviewed for fraud: `PENDING`, then paid if accepted, `SENT` again if rejected. After its expiration date: `EXPIRED`, and it can be neither paid nor sent.',
  },
  'D-23': {
    point: 'The format of `expirationDate`',
    decision:
      'Purser sends `DD-MM-YYYY`, as document 2 prints it. The sandbox also takes `YYYY-MM-DD` and a date-time, and answers `YYYY-MM-DD`, which real clients parse. Purser reads all of them.',
  },
  'D-24': {
    point: 'Calls documented with two methods',
    decision:
      'Purser sends POST to activate and deactivate, PUT to skip and restore. The sandbox takes PATCH and POST as well.',
  },
  'D-25': {
    point: 'What a report by its id is',
    decision: 'Its metadata, in JSON: its state, range and fields. The file, where CSV or XML is asked for.',
  },
  'D-26': {
    point: 'How a report comes to its states',
    decision:
      'By the clock: `PENDING`, `QUEUED`, `RUNNING`, then `COMPLETED` with data or `NO_DATA` without. While three one-time reports run, others stay `QUEUED`. In the sandbox it takes a minute.',
  },
  'D-27': {
    point: 'What a report subscription that changes nothing answers',
    decision: '304, without a body. Names of frequencies are compared without regard to capitals.',
  },
  'D-28': {
    point: 'When a pre-authorization expires',
    decision:
      'When the reader says so; otherwise seven days after it was made, the most that the document names. In the sandbox after seven days, or five to seven by the control API.',
  },
  'D-29': {
    point: 'How the enrollment of a device goes',
    decision:
      '`notEnrolled`, `enrolling`, `enrolled`; what is cancelled or fails ends as `notEnrolled`. An enrolled device can be enrolled again, with its serial number or without.',
  },
  'D-30': {
    point: 'Rate limits of the platform',
    decision:
      'None by default. With `sandbox.rateLimit` in the settings the sandbox responds with 429 and `Retry-After`.',
  },
  'D-31': {
    point: 'How calls are authenticated',
    decision:
      'HTTP Signature or JWT, both with the shared secret. The sandbox fully verifies both: a signed date within 5 minutes, a token before its `exp`. Anything else gets 401.',
  },
  'D-32': {
    point: 'Who generates device keys and refunds without an original transaction, and where a key goes',
    decision:
      'Operators, in the profile `operator`, which is off by default; no agent has a tool for either. A person approves each key and each such refund, which no mandate replaces. A key is generated by `purser keys generate` and goes from the answer into the vault and from there, once, to a new file of its owner. The document shows neither an HTTP status nor an error body: Purser takes 200 and 201, and the errors of billing. In the sandbox a key is valid for three years. For a refund the operator must say that there is no original transaction.',
  },
  'D-33': {
    point: 'Environments',
    decision:
      '`sandbox` (embedded, the default), `test` and `live`. With any other name Purser does not start. `live` needs `allowLive` besides address and credentials.',
  },
  'D-34': {
    point: 'The iframe of the passkey service',
    decision:
      "The sandbox serves a page that exchanges the messages of public clients and runs a real WebAuthn ceremony in the customer's browser.",
  },
  'D-35': {
    point: 'What proves that a payment was processed',
    decision: "A receipt that the merchant's system posted, never a statement of the model.",
  },
  'D-36': {
    point: 'Which calls of a purchase need approval',
    decision:
      'Once, when it is initiated. Again for any change of what the agent wrote, except a lower limit, an earlier end, a smaller quantity or a repetition that is withdrawn; and for each release of credentials beyond the approved one, from another card, or for anything but a plain payment, each part of which is within the limit. A change that is approved after a release allows one more, and its text says so. The customer can give the first approval with a passkey for its card and over its limit; the credentials that the platform releases with it are not kept.',
  },
  'D-37': {
    point: 'Which calls move money',
    decision:
      '`money`: initiate or update a purchase, release credentials; create, reactivate or update a subscription, amend a plan. `write`: enroll, cancel, confirm; plans, suspension, skipped payments; invoices and their settings. `read`: everything that looks something up.',
  },
  'D-38': {
    point: 'The commitment of a subscription without an end, for limits and approvals',
    decision: 'The setup fee and the payments of its first twelve months; the approval text says that it has no end.',
  },
  'D-39': {
    point: 'Payments that a suspended subscription missed',
    decision:
      'Those whose retries were used up, and those that fell due while it was suspended. Reactivation processes them immediately if requested, oldest first; billing continues with the next cycle.',
  },
  'D-40': {
    point: "How to find a call without a correlation id in the platform's logs",
    decision:
      'Only currency conversion documents a way: the header `x-requestid`. Purser sends it with every call, unchanged when a call is repeated; the sandbox stores it with the effect.',
  },
  'D-44': {
    point: 'Which invoice is amount-only',
    decision:
      'An invoice without line items, discounts, freight, taxes, partial payments and custom fields. No update makes an invoice amount-only, but an amount-only invoice can get line items and the rest.',
  },
  'D-45': {
    point: 'How the totals of an invoice add up',
    decision:
      'A line: quantity × unit price − discount + tax. The total: the lines, or else `subAmount`, − discount + tax + freight with its tax. If both an amount and a rate are given, the amount counts. A rate applies to the amount after the discount, rounded half up to the minor unit. A total without lines and without `subAmount` is taken as given.',
  },
  'D-46': {
    point: 'A part of an invoice that is smaller than `minimumPartialAmount`',
    decision:
      'It is refused, unless it pays the whole balance. Without `allowPartialPayments` only the whole balance is accepted.',
  },
  'D-47': {
    point: 'When reminders of an invoice are e-mailed',
    decision:
      'If the settings allow it: at 00:00 GMT five days before the due date and one day after it, while the invoice is `SENT` or `PARTIAL`.',
  },
  'D-48': {
    point: 'What can be changed in a subscription that has ended',
    decision: 'Cancelled or completed: name and code, as in public models of the platform. Failed: nothing.',
  },
  'D-49': {
    point: 'Which code is "the next consecutive one" (`PL-13`)',
    decision:
      "The last specified code with its final number increased by one, or with a 1 appended if it has none. Codes of ten characters without a final number are skipped, because there is no room for one. Purser sends such a code, ten random letters, if none is given, to be able to find the plan or subscription again. If the platform doesn't skip them, always specify codes.",
  },
  'D-50': {
    point: 'The card number in an offer request',
    decision:
      "The first six to eight digits, which the merchant's app registers with the card (`bin`). A truncated number may keep only these and the last four. By public models the number need not be complete. The sandbox takes six to nineteen digits.",
  },
  'D-51': {
    point: '`foreignAmount` and `foreignCurrency`',
    decision: 'The converted amount and the billing currency, as in public models.',
  },
  'D-52': {
    point: 'The amount of a converted payment in limits, mandates and receipts of purchases',
    decision: "Its price in the shop's currency. Approvals and receipts for customers show both amounts.",
  },
  'D-53': {
    point: 'The response to reading a payment, capture or refund',
    decision:
      'The body of its creation with the current status; an authorization stays `AUTHORIZED` after its capture. Captures and refunds are transmitted at the next 00:00 GMT and can be voided until then.',
  },
  'D-54': {
    point: 'Whether a capture needs its own approval',
    decision:
      'No: the approval of the authorization covers its capture. A refund, a reversal and a void each need one.',
  },
  'D-55': {
    point: 'How the choice of a currency is recorded',
    decision:
      "In one of three ways, each for one offer: the customer chooses on a page whose link the merchant's app hands out and no agent sees; the merchant's app posts the customer's choice; or a person approves `choose_currency`, which shows both prices, the rate and the markup, and which no mandate replaces. If it is denied, the local currency applies, and the offer says so. The offer is read back before the choice is stored: where the platform no longer offers what was shown, no choice of the card's currency is.",
  },
  'D-56': {
    point: 'The values of the headers `Authorization` and `keyId` of an offer',
    decision:
      'The id of the key, and what proves it: the token where calls are signed with JWT, otherwise the parameters of the HTTP Signature behind the word `Signature`. The sandbox takes offers without the two, as public clients send them.',
  },
  'D-60': {
    point: 'The states of an authentication',
    decision:
      'The last `action` in a response of the platform; `REGISTRATION_CREATED` after a registration, `AUTHENTICATED` after credentials were released. New options start over.',
  },
  'D-61': {
    point: 'The `{tokenId}` of a tokenized card',
    decision: "The id of the card's instrument identifier.",
  },
  'D-62': {
    point: 'The day in September 2027 when the keys of the passkey iframe expire',
    decision: 'Warnings begin 90 days before 1 September; calls are refused from 1 October.',
  },
  'D-63': {
    point: 'Countries without billing address information',
    decision: 'AE, BS, HK and QA, whose addresses have no locality. Everywhere else the sandbox requires one.',
  },
  'D-64': {
    point: 'How the notification of an approved binding arrives',
    decision:
      'The next options response has `AUTHENTICATION_REGISTRATION`. The sandbox also emits the event `tms.authentication.binding.approved`.',
  },
  'D-65': {
    point: 'The `provider` of an identity that the passkey iframe proved',
    decision: "The merchant's app says it. Purser's own page says `PAYMENT_PASSKEY`.",
  },
  'D-70': {
    point: 'What the lookup of webhook subscriptions answers where it finds nothing',
    decision:
      'An empty list. The query may name the organization of the credentials alone; for another one it answers 404.',
  },
  'D-71': {
    point: 'The states of a webhook subscription and of its deliveries',
    decision:
      'A subscription begins `INACTIVE`. Switched off, it drops what it has not delivered. With `deactivateFlag`, a delivery without a retry left suspends it: it is `INACTIVE`, and events are held until `healthCheckUrl` answers 200, which the sandbox asks every hour, or until it is switched on. Without the flag that delivery is given up.',
  },
  'D-72': {
    point: 'When a delivery is retried',
    decision:
      'Minutes after the first attempt, as public models calculate them: `ARITHMETIC` firstRetry + interval × (n − 1), `GEOMETRIC` firstRetry × interval^(n − 1). A sequence is repeated `repeatSequenceCount` times, each `repeatSequenceWaitTime` minutes after the last retry of the one before. Where a subscription names no policy: three retries, a minute apart. Nothing is retried for more than a year.',
  },
  'D-73': {
    point: 'The body of a delivery',
    decision:
      '`payload.data` has the ids of what has changed. `requestType` is `NEW`, `RETRY` or `TEST`. The trace id and the date of an event stay the same for every attempt and every subscription.',
  },
  ...assumedReporting,
  ...assumedDevice,
  ...assumedBounds,
  ...assumedConversion,
  ...assumedBilling,
  ...assumedClients,
  ...assumedRequests,
  ...assumedCalendar,
  ...assumedOutcomes,
} as const satisfies Readonly<Record<string, Assumption>>;
