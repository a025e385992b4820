/**
 * Every number a rule or a shape uses, named once, with its unit and its source. A number that comes from neither the
 * platform's documents nor public facts about it is Purser's own choice and says so.
 */
export const limits = {
  /** Characters of an ordinary text field. Own choice: the documents show no maximum. */
  textCharacters: 255,
  /** Characters of a long text field (an assurance blob, a user agent). Own choice. */
  blobCharacters: 8_192,
  /**
   * Lower-case letters of a handle after its prefix: 61 bits. Own choice: a handle names a thing within one tenant and opens
   * nothing by itself. One guess among 100,000 things of a tenant hits with 4 in 10^14; that two of these get the same handle has a
   * chance of 2 in 10^9. Letters cost the fewest o200k tokens per bit (0.10, as digits do, which can look like a card number).
   */
  handleCharacters: 13,
  /** Lower-case letters of a key: 131 bits, for what whoever has it may use. Own choice. */
  keyCharacters: 28,
  /** Digits before the decimal point of an amount. Own choice, within every currency's use. */
  amountDigits: 12,
  /** Elements of an array in a request. Own choice. */
  arrayElements: 50,
  /** Members, and levels within each other, of a tool's arguments. Own choice. */
  argumentElements: 2_000,
  argumentLevels: 16,
  /** Unknown arguments that a refusal names, and arguments of a tool up to which it lists them all. Own choice. */
  unknownArgumentElements: 3,
  listedArgumentElements: 8,
  /** Characters of all of a tool's arguments together: what is looked through before their shape is known. Own choice. */
  argumentCharacters: 65_536,
  /** Bytes of a request body that is read, and of a message over stdio. Own choice. */
  requestBytes: 262_144,
  /** Levels within each other in a message of MCP. Own choice. */
  messageLevels: 256,
  /** Connections that a server holds open before anybody shows a token on them, and after. Own choice. */
  strangerConnections: 256,
  knownConnections: 768,
  /** Requests under way on one connection, and of everybody in one role. Own choice. */
  connectionRequests: 16,
  roleRequests: 64,
  /** Bytes of answers that clients leave unread, in all, and milliseconds for which one may. Own choice. */
  unreadBytes: 33_554_432,
  unreadMilliseconds: 30_000,
  /** MCP sessions of one caller over HTTP; for another one, the longest idle one ends. Own choice. */
  callerSessions: 64,
  /** Questions that the approvals of a framework remember until the agent goes on; the oldest are forgotten. Own choice. */
  frameworkQuestionElements: 1_000,
  /** Minutes for which an MCP session without an open answer is kept, and seconds between two signs of life. Own choice. */
  sessionIdleMinutes: 30,
  sessionKeepAliveSeconds: 15,
  /** Bytes of a request that changes invoice settings: it may hold a logo in Base64. Own choice. */
  settingsRequestBytes: 2_097_152,
  /** Bytes of a platform answer that the client reads. Own choice. */
  answerBytes: 2_097_152,
  /** Milliseconds to a connection, to the headers and to the end of a body. Own choice. */
  connectMilliseconds: 5_000,
  headersMilliseconds: 30_000,
  bodyMilliseconds: 30_000,
  /** Columns of an approval text: a narrow terminal shows it without wrapping. Own choice. */
  approvalColumns: 40,
  /** Combining marks on one letter that an approval text shows; living scripts use at most three. Own choice. */
  letterMarks: 3,
  /** Minutes an approval lives. Own choice. */
  approvalMinutes: 10,
  /** Seconds after sending during which silence proves nothing: our timeout and the platform's worst case. Own choice. */
  quietSeconds: 120,
  /** Seconds after the same for a card reader: a person takes minutes to pay. Own choice: its longest call, and again as much. */
  readerQuietSeconds: 600,
  /** Milliseconds of one call of a card reader, at most. Own choice. */
  readerMilliseconds: 300_000,
  /** Milliseconds until a caller hears that the reader's call goes on: hosts give a tool 60 seconds. Own choice. */
  readerWaitMilliseconds: 45_000,
  /** Milliseconds from cancelling a reader's call until its outcome counts as unknown. Own choice. */
  readerCancelMilliseconds: 10_000,
  /** Seconds until a call that the platform has put off is made again, where it doesn't say. Own choice. */
  retrySeconds: 10,
  /** Seconds from an intent to its request: a call that was delayed longer sends nothing, because the quiet period has begun. Own choice. */
  sendingSeconds: 10,
  /** Seconds for which one replica alone looks after calls that a crash has left behind. Own choice. */
  leaseSeconds: 30,
  /** Milliseconds of verification between two turns of the event loop. Own choice: a fifth of what a call may hold it. */
  workMilliseconds: 10,
  /** Audit rows that are verified within one transaction, at most. Own choice: a few milliseconds. */
  auditStepRows: 500,
  /** Audit rows that are read again before money moves where another Purser has appended some since. Own choice. */
  auditRecentRows: 250,
  /** Audit rows that are read again before money moves where somebody else has written without appending. Own choice. */
  auditRereadRows: 20_000,
  /** Audit rows that are removed in one transaction once they are archived, and read at once to archive or export. Own choice. */
  archiveSliceRows: 500,
  archiveStepRows: 1_000,
  /** Bytes of one archive of audit rows; the next run writes the next one. Own choice. */
  archiveBytes: 67_108_864,
  /** Seconds until an outcome that could not be read back is requested again. Own choice. */
  readBackSeconds: 300,
  /** Seconds a released credential stays in the vault. Own choice. */
  credentialSeconds: 900,
  /** Minutes for which a conversation that read text from outside is looked after more closely. Own choice. */
  taintMinutes: 60,
  /** Texts from outside that are distinguished for one conversation; more count as one that nobody has approved. Own choice. */
  taintTexts: 200,
  /** Minutes in which a very similar purchase is pointed out. Own choice. */
  similarMinutes: 10,
  /** Rows of a list a tool answers with, and the most a caller may ask for. Own choice. */
  pageRows: 20,
  pageRowsMost: 100,
  /** Minutes in which refusals of one kind are counted together after the first. Own choice. */
  refusalMinutes: 60,
  /** Rows of a list that are counted; of a longer list an answer says that there are at least so many. Own choice. */
  countedRows: 1_000,
  /** Minutes a signature's date may differ from the clock. Decision D-31. */
  signatureMinutes: 5,
  /** Seconds that our clock may differ from the platform's before no money moves any more. Own choice. */
  skewSeconds: 30,
  /** Minutes for which the platform's word about the time is good; then it is asked again before money moves. Own choice. */
  skewMinutes: 15,
  /** Seconds between `iat` and `exp` of a signed token. Public client of the platform. */
  tokenSeconds: 120,
  /** Characters of text that comes from outside and is shown to the model. Own choice. */
  untrustedCharacters: 120,
  /** Characters of such text that are looked through for secrets, and of its end, where one may be cut in two. Own choice. */
  maskedCharacters: 4_096,
  edgeCharacters: 64,
  /** Characters of a plan code and of a subscription code. Document 2, limit 1. */
  billingCodeCharacters: 10,
  /** Months between two payments of a subscription, at most. Document 2, limit 2. */
  billingIntervalMonths: 12,
  /** Plans or subscriptions that the platform lists where nothing is said, and the most. Document 2, limit 3. */
  billingRows: 20,
  billingRowsMost: 100,
  /** Minutes before and after a payment begins processing in which nothing is cancelled. Document 2, limit 4. */
  cancelWindowMinutes: 10,
  /** Minutes before a payment is processed from which on it can be neither skipped nor restored. Document 2, limit 5. */
  skipWindowMinutes: 120,
  /** Retries of a failed payment, and what is between them: billed daily. Document 2, limit 6. */
  retriesDailyAttempts: 1,
  retriesDailyMinutes: 60,
  /** Retries of a failed payment, and what is between them: billed weekly. Document 2, limit 6. */
  retriesWeeklyAttempts: 3,
  retriesWeeklyDays: 1,
  /** Retries of a failed payment, and what is between them: billed monthly. Document 2, limit 6. */
  retriesMonthlyAttempts: 5,
  retriesMonthlyDays: 2,
  /** Retries of a failed payment, and what is between them: billed yearly. Document 2, limit 6. */
  retriesYearlyAttempts: 3,
  retriesYearlyDays: 15,
  /** Minutes until a payment that an internal error kept from the bank network is tried again. Own choice. */
  internalErrorMinutes: 60,
  /** Days before a payment at which the customer gets a notice. Decision D-20. */
  prepaymentNoticeDays: 3,
  /** Payments to come that a list of payments shows where nothing is said, and the most. Public models of the platform. */
  scheduledRows: 5,
  scheduledRowsMost: 9_999,
  /** Billing cycles of a plan, at most: the longest list of payments to come. Own choice. */
  billingCycleElements: 9_999,
  /** Months whose payments count as the commitment of a subscription without an end. Decision D-38. */
  openEndMonths: 12,
  /** Line items of an invoice, at most. Document 2, limit 7. */
  invoiceLineElements: 30,
  /** Pieces in a line item of an invoice, at most. Own choice: the document shows no maximum. */
  itemQuantityElements: 1_000_000,
  /** Bytes of the logo on invoices, at most: one megabyte. Document 2, limit 7. */
  logoBytes: 1_048_576,
  /** Invoices that one answer lists, at most. Own choice: neither document nor public models show one. */
  invoiceRowsMost: 100,
  /** Seconds for which what was read of an invoice is taken as current, when it is to be replaced. Own choice. */
  invoiceReadSeconds: 60,
  /** Days before and after the due date at which a customer is reminded of an invoice. Public models of the platform. */
  reminderBeforeDays: 5,
  reminderAfterDays: 1,
  /** Seconds for which a reading of a subscription's payments says when the next one is due. Own choice. */
  paymentsReadSeconds: 60,
  /** Months after the due date of an invoice for which its payment link works. Public models of the platform. */
  paymentLinkMonths: 12,
  /** Bytes of a file that holds a secret, a token or an anchor, at most. Own choice. */
  secretFileBytes: 65_536,
  /** Bytes of the configuration file, at most. Own choice. */
  configurationBytes: 1_048_576,
  /** Bytes of a file that a command is given, or writes and reads again, at most. Own choice. */
  inputFileBytes: 268_435_456,
} as const;
