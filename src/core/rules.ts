/**
 * Every rule: those in the platform's documents, and Purser's own (`EN`). Guards, machines, shapes, sandbox checks,
 * tests and scenarios refer to a rule by its id. A rule's level is configurable by id.
 */

/**
 * What happens to a call that breaks a rule: it is refused, sent with a warning, or sent. `published` applies the rule
 * as in public models of the platform's clients, where these differ from the documents (D-01, D-17).
 */
export type Level = 'refuse' | 'warn' | 'off' | 'published';

/** The rules with two published versions. */
export const twofold = ['PL-05', 'SB-09'] as const;
export const isTwofold = (id: string): boolean => twofold.some((one) => one === id);

/** Who enforces a rule: `P` the platform (and the sandbox), `G` Purser before sending. */
export type By = 'P' | 'G' | 'PG';

export interface Rule {
  readonly says: string;
  readonly by: By;
  readonly domain: Domain;
}

export type Domain =
  | 'engine'
  | 'purchase'
  | 'passkey'
  | 'conversion'
  | 'webhooks'
  | 'billing'
  | 'invoicing'
  | 'reporting'
  | 'device';

const rule = (domain: Domain, by: By, says: string): Rule => ({ domain, by, says });

// biome-ignore format: a table
export const rules = {
  'EN-01': rule('engine', 'G', 'Arguments match the tool\'s input schema exactly: no unknown properties, no misspelled names, nothing required missing.'),
  'EN-02': rule('engine', 'G', 'A handle names a thing of the expected kind that belongs to the caller. A handle of somebody else is treated exactly like one that never existed.'),
  'EN-03': rule('engine', 'G', 'A reference identifies one call: repeating it with the same arguments returns the first result; with other arguments it is refused.'),
  'EN-04': rule('engine', 'G', 'A call that moves money, or allows more money to move, is sent only after a person approved exactly that call, once, within the time limit.'),
  'EN-05': rule('engine', 'G', 'A card number, security code or one-time code is never accepted from an agent. The merchant\'s app and customers enter one only where an operation asks for it.'),
  'EN-06': rule('engine', 'G', 'A call with an unknown outcome is not repeated unless its operation is safe to repeat.'),
  'EN-07': rule('engine', 'G', 'Only one call at a time changes a given thing.'),
  'EN-08': rule('engine', 'G', 'A response of the platform matches its documented schema; anything else is not treated as success.'),
  'EN-09': rule('engine', 'G', 'A request is complete and valid by the platform\'s schema before it is sent.'),
  'EN-10': rule('engine', 'G', 'Text for people contains no characters that people can\'t see.'),
  'EN-11': rule('engine', 'G', 'A call stays within the operator\'s limits: per call, in total, in number, in currency, payee, card and time.'),
  'EN-12': rule('engine', 'G', 'Rate limits protect callers and the platform: too many calls of a kind are refused, and nothing is sent while the platform is unreachable.'),
  'EN-13': rule('engine', 'G', 'While the audit chain is broken, or after Purser has seen one of its guarantees broken, only reads are allowed until an operator has investigated.'),
  'EN-14': rule('engine', 'G', 'After a conversation has read text from outside, moving money and sending text to people outside need a person\'s approval.'),
  'EN-15': rule('engine', 'G', 'No money moves while Purser\'s clock and the platform\'s differ by more than 30 seconds, because every expiry and every time window would be wrong.'),
  'AP-01': rule('purchase', 'PG', 'Enrollment carries all 14 required fields; clientCorrelationId is caller-chosen, UUID-shaped, echoed.'),
  'AP-02': rule('purchase', 'PG', 'Timestamps in assuranceData / consentData are strings of seconds since the epoch.'),
  'AP-03': rule('purchase', 'PG', 'Enrollment answers ACTIVE, or PENDING with pendingEvents [PENDING_CARDHOLDER_AUTHENTICATION]; on PENDING the agent\'s next step is to have the customer verify identity at once.'),
  'AP-04': rule('purchase', 'PG', 'A purchase needs an enrolled card that is ACTIVE; a PENDING or unknown card can\'t be used for credentials.'),
  'AP-05': rule('purchase', 'G', 'The passkey service is set up before purchase-flow requests are sent (the configuration has a token requester id and a relationship id).'),
  'AP-06': rule('purchase', 'PG', 'Update only an open instruction (not cancelled, not completed).'),
  'AP-07': rule('purchase', 'PG', 'Cancel only an open instruction.'),
  'AP-08': rule('purchase', 'PG', 'Credentials only for an open instruction that was initiated, with a chosen ACTIVE card of the same customer.'),
  'AP-09': rule('purchase', 'PG', 'Credentials stay within a mandate of the instruction: amount not above its decline threshold, same currency, before its end, its merchant where one is preferred, mandate id known.'),
  'AP-10': rule('purchase', 'PG', 'Confirm only after credentials were retrieved and the merchant\'s payment system has processed the transaction.'),
  'AP-11': rule('purchase', 'PG', 'A confirmed instruction is COMPLETED and final: no second confirm, update, cancel or credentials.'),
  'AP-12': rule('purchase', 'G', 'The confirmed amount and currency equal those of the credentials that were retrieved.'),
  'PK-01': rule('passkey', 'PG', 'Authentication options and registration carry all their required fields, the eleven device fields among them; browser numbers are integer text, the time difference signed integer text.'),
  'PK-02': rule('passkey', 'P', 'Currency is numeric (ISO 4217) and the merchant descriptor Base64 in options and registration; alphabetic and plain in payment credentials. Tools take alphabetic and plain everywhere and convert.'),
  'PK-03': rule('passkey', 'PG', 'An OTP is created only after STEP_UP_AUTHENTICATE was returned for that token.'),
  'PK-04': rule('passkey', 'PG', 'The step-up option id is one that was returned for that token.'),
  'PK-05': rule('passkey', 'PG', 'OTP creation is for OTP_SMS, OTP_EMAIL, OTP_ONLINE_BANKING only; APP_TO_APP, CUSTOMER_SERVICE and OUTBOUND_CALL finish by a notification that binding was approved.'),
  'PK-06': rule('passkey', 'PG', 'Validation carries otp or issuerAuthCode (at least one).'),
  'PK-07': rule('passkey', 'PG', 'maxRequestsAllowed, maxVerificationAllowed and codeExpiration are enforced: a request or an attempt beyond the maximum, or a late code, is refused.'),
  'PK-08': rule('passkey', 'PG', 'Registration only after AUTHENTICATION_REGISTRATION was received (from options, validation, or a binding-approved notification).'),
  'PK-09': rule('passkey', 'PG', 'Payment credentials carry authenticatedIdentities with data, id, provider, relyingPartyId (Base64URL).'),
  'PK-10': rule('passkey', 'P', 'billTo.locality is required for countries where billing address information is available.'),
  'PK-11': rule('passkey', 'P', 'eci 05 goes with commerceIndicator vbv; eci 07 with internet.'),
  'PK-12': rule('passkey', 'G', 'The iframe mapping (document 1\'s table) is applied both ways, losslessly.'),
  'PK-13': rule('passkey', 'G', 'Iframe apikey values expire in September 2027: a warning from 90 days before, a refusal after.'),
  'DC-01': rule('conversion', 'P', 'An offer carries originalAmount, originalCurrency, card number; headers Authorization and keyId.'),
  'DC-02': rule('conversion', 'PG', 'type is DCC; multi-currency pricing is unavailable.'),
  'DC-03': rule('conversion', 'PG', 'Not eligible or unavailable (any of the 18 reasons): the order proceeds in the local currency and the rest of the procedure is skipped; the tool\'s result says so.'),
  'DC-04': rule('conversion', 'G', 'DCC is never applied by default: an authorization with DCC needs the cardholder\'s recorded choice for that very offer, made after both prices, the rate and the markup were shown.'),
  'DC-05': rule('conversion', 'PG', 'An offer is not used after its exchangeRateExpirationTimeUtc.'),
  'DC-06': rule('conversion', 'PG', 'A DCC authorization carries indicator 1, the offer\'s amount, currency, rate and timestamp.'),
  'DC-07': rule('conversion', 'PG', 'Direct acquirer connection: originalAmount/originalCurrency are local, every other amount in the billing currency, with reconciliationId and id of the offer; foreign-amount processing: foreignAmount/foreignCurrency and the timestamp on capture and refund too.'),
  'DC-08': rule('conversion', 'PG', 'Authorization, capture and credit are not combined in one DCC request.'),
  'DC-09': rule('conversion', 'PG', 'Capture uses the authorization\'s rate and does not exceed the authorized amount.'),
  'DC-10': rule('conversion', 'PG', 'Refund uses the authorization\'s rate and does not exceed the captured amount, all refunds together.'),
  'DC-11': rule('conversion', 'PG', 'A DCC order is not split: one capture.'),
  'DC-12': rule('conversion', 'G', 'Partial amounts are converted with the offer\'s rate, rounded to the currency\'s minor unit.'),
  'DC-13': rule('conversion', 'G', 'A receipt shows local amount, billing-currency amount, rate and markup.'),
  'WH-01': rule('webhooks', 'PG', 'organizationId is required; productId and eventType narrow the list.'),
  'KY-01': rule('device', 'PG', 'keyInformation[].organizationId is required; the key is shown once and never again, and never to the model.'),
  'PL-01': rule('billing', 'PG', 'code: at most 10 characters of letters, digits, -, .; a used code gets DUPLICATE.'),
  'PL-02': rule('billing', 'PG', 'name, billing period length and unit, billingAmount, currency are required; billingCycles.total too where the plan has a defined period.'),
  'PL-03': rule('billing', 'PG', 'The interval between payments does not exceed 12 months.'),
  'PL-04': rule('billing', 'P', 'DRAFT: everything may be amended.'),
  'PL-05': rule('billing', 'PG', 'ACTIVE: what may be amended is limited.'),
  'PL-06': rule('billing', 'PG', 'INACTIVE: can\'t be amended; move it to active or draft first.'),
  'PL-07': rule('billing', 'PG', 'billingCycles.total only increases.'),
  'PL-08': rule('billing', 'PG', 'applyTo is ALL or NEW (default), on amend only.'),
  'PL-09': rule('billing', 'PG', 'activate: from DRAFT or INACTIVE; deactivate: from ACTIVE.'),
  'PL-10': rule('billing', 'PG', 'delete: a DRAFT; an ACTIVE or INACTIVE plan only if it was never assigned to a subscription.'),
  'PL-11': rule('billing', 'P', 'A deactivated plan\'s subscriptions go on until completed or cancelled.'),
  'PL-12': rule('billing', 'PG', 'List: limit default 20, at most 100; filters are field:value joined by AND on name, code, status.'),
  'PL-13': rule('billing', 'P', 'Next plan code: the next consecutive code after the last one specified.'),
  'SB-01': rule('billing', 'PG', 'Name, start date (ISO 8601 UTC) and customer token are required; planId of an ACTIVE plan, or a one-time plan inside the request.'),
  'SB-02': rule('billing', 'PG', 'A DRAFT or INACTIVE plan can\'t be assigned, nor be a switch target.'),
  'SB-03': rule('billing', 'PG', 'Code as PL-01, unique among subscriptions.'),
  'SB-04': rule('billing', 'P', 'Overrides apply to the one subscription and leave the plan unchanged.'),
  'SB-05': rule('billing', 'P', 'A start in the future without originalTransactionId: the card is verified with a zero-amount authorization; a start on the day: no verification, the first payment runs at once.'),
  'SB-06': rule('billing', 'PG', 'originalTransactionAuthorizedAmount is required for the two card networks that ask for it.'),
  'SB-07': rule('billing', 'P', 'A failed payment makes an ACTIVE subscription DELINQUENT; retries: daily 1 after one hour; weekly 3, every day; monthly 5, every 2 days; yearly 3, every 15 days; a success brings it back to ACTIVE, all failed to SUSPENDED.'),
  'SB-08': rule('billing', 'P', 'A Do-Not-Retry reason suspends at once and stops all retries; internal errors (request not sent) are retried until resolved and use up no retry.'),
  'SB-09': rule('billing', 'PG', 'Suspend only an ACTIVE subscription.'),
  'SB-10': rule('billing', 'PG', 'Reactivate only a SUSPENDED one; it applies from the next billing cycle.'),
  'SB-11': rule('billing', 'PG', 'Cancel from ACTIVE, PENDING, DELINQUENT, SUSPENDED; not within 10 minutes before or after a payment begins processing.'),
  'SB-12': rule('billing', 'PG', 'CANCELLED and COMPLETED are final.'),
  'SB-13': rule('billing', 'P', 'COMPLETED when all payments of a subscription with an end were made.'),
  'SB-14': rule('billing', 'PG', 'Skip and restore: future cycles only, not a retry payment, not within two hours of processing; otherwise the response has UNMODIFIABLE_PAYMENT_SKIP_ATTEMPT_CYCLE: n for each cycle, and nothing is changed.'),
  'SB-15': rule('billing', 'P', 'Three e-mails: prepayment, success, failure, with the document\'s placeholders.'),
  'IN-01': rule('invoicing', 'P', 'Creation mode by deliveryMode and sendImmediately: none/false DRAFT, email/true SENT, none/true CREATED.'),
  'IN-02': rule('invoicing', 'PG', 'Required fields by creation type, as the document\'s table says.'),
  'IN-03': rule('invoicing', 'PG', 'Discounts and taxes are given on the total or on line items, never both in one request.'),
  'IN-04': rule('invoicing', 'PG', 'At most 30 line items, each with its five required fields.'),
  'IN-05': rule('invoicing', 'PG', 'An amount-only invoice has no line items, discounts, freight, taxes, partial payments or custom fields; an existing invoice can\'t become one.'),
  'IN-06': rule('invoicing', 'PG', 'Update only while nothing is paid; a full replacement: what is left out is removed. The tool refuses an update that would silently drop a field, unless it is named as dropped.'),
  'IN-07': rule('invoicing', 'PG', 'invoiceNumber is unique and can\'t change.'),
  'IN-08': rule('invoicing', 'P', 'A changed customer e-mail changes paymentLink; the old link stops working.'),
  'IN-09': rule('invoicing', 'PG', 'Send by state and delivery mode, as the table says; a paid or cancelled invoice can\'t be sent.'),
  'IN-10': rule('invoicing', 'PG', 'Cancel only while nothing is paid.'),
  'IN-11': rule('invoicing', 'P', 'A draft\'s paymentLink works for the merchant only.'),
  'IN-12': rule('invoicing', 'PG', 'expirationDate is DD-MM-YYYY; the invoice expires on it at 00:00 GMT.'),
  'IN-13': rule('invoicing', 'P', 'minimumPartialAmount applies with allowPartialPayments; a smaller part is refused.'),
  'IN-14': rule('invoicing', 'PG', 'Settings: logo gif, jpg or png, Base64, at most 1 MB; colour hexadecimal with #; label keys and hide lists as the table says; a label with no value changes nothing; any other field with no value resets to its default; default currency USD; payer authentication enable.'),
  'IN-15': rule('invoicing', 'G', 'Custom fields hold no personally identifying information.'),
  'IN-16': rule('invoicing', 'P', 'Amounts are text in requests and numbers in responses; totals add up.'),
  'RP-01': rule('reporting', 'PG', 'Report name: unique, at most 250 characters, fixed after creation; so is its definition.'),
  'RP-02': rule('reporting', 'PG', 'The definition is one of the 18, and the fields belong to it.'),
  'RP-03': rule('reporting', 'PG', 'At most 20 report subscriptions per user.'),
  'RP-04': rule('reporting', 'PG', 'Format application/xml or text/csv; frequency Daily, Weekly, Monthly; startTime HHMM; startDay 1 to 31; time zone from the list; naming SCMP or SOAPI.'),
  'RP-05': rule('reporting', 'PG', 'One-time: at most three generating at once per user; further ones wait until these are done.'),
  'RP-06': rule('reporting', 'PG', 'One-time: a range of at most 31 days; a longer one needs several reports (the tool offers the split).'),
  'RP-07': rule('reporting', 'PG', 'Available reports need startTime, endTime, timeQueryType.'),
  'RP-08': rule('reporting', 'PG', 'A download exists only for a finished report with data; an unfinished or empty one gets 404 and the tool says which.'),
  'RP-09': rule('reporting', 'PG', 'Batch summary: rollUp and breakdown come together; startDayOfWeek 1 to 7.'),
  'RP-10': rule('reporting', 'P', 'Purchase and refund detail: offset 0, limit 2000 by default; past the end, no embedded object.'),
  'RP-11': rule('reporting', 'PG', 'Accept application/xml or text/csv for conversion detail and purchase-and-refund detail only; never more than one format.'),
  'RP-12': rule('reporting', 'G', 'organizationId is passed only by a partner for a merchant.'),
  'DV-01': rule('device', 'PG', 'While the device is enrolling, no new enrollment starts.'),
  'DV-02': rule('device', 'PG', 'Charging needs an enrolled device.'),
  'DV-03': rule('device', 'PG', 'Increment only an uncaptured pre-authorization.'),
  'DV-04': rule('device', 'PG', 'Capture only an uncaptured pre-authorization, fully or in part, not above its authorized total.'),
  'DV-05': rule('device', 'PG', 'A refund references an original transaction; all refunds together not above what was captured.'),
  'DV-06': rule('device', 'G', 'A stand-alone refund references none and has no limit: it always asks a human, and a referenced refund is offered first.'),
  'DV-07': rule('device', 'PG', 'A pre-authorization expires (5 to 7 days by issuer); after that a new authorization with capture is needed.'),
  'DV-08': rule('device', 'G', 'After a lost or timed-out charge the transaction is looked up before any new charge with the same customIdentifier.'),
  'DV-09': rule('device', 'G', 'Merchant education screens are shown after a successful enrollment, and stay reachable.'),
  'DV-10': rule('device', 'P', 'Tipping: a list of percentages, a tip amount, or a total; the tip is part of the charged total.'),
  'DV-11': rule('device', 'G', 'test charges no real card; live does: a live charge always needs an approval or a mandate.'),
  'DV-12': rule('device', 'G', 'Handset of the XS generation or later, operating system release less than one year old: enrollment reports what is missing.'),
  'DV-13': rule('device', 'G', 'Only the six latest SDK versions can be used in new builds: an older bridge gets a warning, an unknown one a refusal.'),
} as const satisfies Readonly<Record<string, Rule>>;

export type RuleId = keyof typeof rules;

/** Whether a text is the id of a rule. */
export const isRuleId = (id: string): id is RuleId => Object.hasOwn(rules, id);
