/**
 * Every number of a rule or a shape, with its unit and source. A number that is neither from the platform's documents
 * nor from public facts about it is Purser's own choice.
 */
export const limits = {
  /** Characters of an ordinary text field. Own choice (D-114): the documents show no maximum. */
  textCharacters: 255,
  /** Characters of a long text field (an assurance blob, a user agent). Own choice. */
  blobCharacters: 8_192,
  /**
   * Lower-case letters of a handle after its prefix: 61 bits. Own choice: a handle identifies a thing within one tenant
   * and grants nothing by itself. Among 100,000 things of a tenant, a guess hits with 4 in 10^14, and two handles
   * collide with 2 in 10^9. Letters cost the fewest o200k tokens per bit (0.10, like digits, which can look like a card
   * number).
   */
  handleCharacters: 13,
  /** Lower-case letters of a key that grants access by itself: 131 bits. Own choice. */
  keyCharacters: 28,
  /** Digits before the decimal point of an amount. Own choice, within every currency's use. */
  amountDigits: 12,
  /** Elements of an array in a request. Own choice. */
  arrayElements: 50,
  /** Properties of a tool's arguments, and their nesting levels. Own choice. */
  argumentElements: 2_000,
  argumentLevels: 16,
  /** Unknown arguments that a refusal names, and the largest tool whose arguments it lists in full. Own choice. */
  unknownArgumentElements: 3,
  listedArgumentElements: 8,
  /** Fields at fault that a refusal names; it counts the rest. Own choice. */
  toldFaultElements: 10,
  /** Characters of all of a tool's arguments together, limited before their shape is checked. Own choice. */
  argumentCharacters: 65_536,
  /** Bytes of a request body, and of a message over stdio. Own choice. */
  requestBytes: 262_144,
  /** Nesting levels of an MCP message. Own choice. */
  messageLevels: 256,
  /** Open connections of a server, before and after authentication. Own choice. */
  strangerConnections: 256,
  knownConnections: 768,
  /** Requests in progress per connection, and per role. Own choice. */
  connectionRequests: 16,
  roleRequests: 64,
  /** Bytes of unread responses in total, and milliseconds that a response may stay unread. Own choice. */
  unreadBytes: 33_554_432,
  unreadMilliseconds: 30_000,
  /** Milliseconds for which a server that stops still sends the answers of requests that have arrived. Own choice. */
  answerMilliseconds: 1_000,
  /** Milliseconds for which a client over stdio that has closed stdin still gets answers; then its calls are cancelled. Own choice. */
  lastAnswersMilliseconds: 10_000,
  /**
   * Milliseconds for which a page that shows a decision takes none: the second click of a double click was aimed at what stood there
   * before. Own choice.
   */
  decisionMilliseconds: 1_000,
  /** MCP sessions of a caller over HTTP; beyond that, the longest idle one ends. Own choice. */
  callerSessions: 64,
  /** Pending questions that a framework adapter remembers; beyond that, the oldest are dropped. Own choice. */
  frameworkQuestionElements: 1_000,
  /** Minutes until an idle MCP session ends, and seconds between keep-alive messages. Own choice. */
  sessionIdleMinutes: 30,
  sessionKeepAliveSeconds: 15,
  /** Bytes of a request that changes invoice settings, which may contain a logo in Base64. Own choice. */
  settingsRequestBytes: 2_097_152,
  /** Bytes of a platform response. Own choice. */
  answerBytes: 2_097_152,
  /** Bytes of one response file, and of all stored files of a tenant. Own choice. */
  fileBytes: 268_435_456,
  storedFilesBytes: 4_294_967_296,
  /** Bytes of a disk that stored files leave free: on a full one, the ledger can record no call. Own choice. */
  freeDiskBytes: 67_108_864,
  /** Milliseconds without data after which a file transfer counts as interrupted. Own choice. */
  fileIdleMilliseconds: 30_000,
  /** Hours until a file is deleted. Own choice. */
  fileHours: 24,
  /** Hours until a file that no operation refers to, left by a crash, is deleted. Own choice. */
  unnamedFileHours: 1,
  /** Bytes of a file page, slightly more to end at a line break. Own choice. */
  filePageBytes: 16_384,
  /** Bytes before and after a page that are screened with it: a card number with signs and mark-up between its digits. Own choice. */
  fileEdgeBytes: 1_024,
  /** Bytes of a file's beginning that a tool gets. Own choice. */
  fileStartBytes: 4_096,
  /** Milliseconds to connect, to receive the headers, and to receive the body. Own choice. */
  connectMilliseconds: 5_000,
  headersMilliseconds: 30_000,
  bodyMilliseconds: 30_000,
  /** Columns of an approval text, which fit a narrow terminal without wrapping. Own choice. */
  approvalColumns: 40,
  /** Combining marks per letter in an approval text; living scripts use at most three. Own choice. */
  letterMarks: 3,
  /** Minutes until an approval expires. Own choice. */
  approvalMinutes: 10,
  /**
   * Minutes after a call in which its request may be sent again, where a person approves such changes or money moves: later, what it
   * changes may have been changed by somebody else. Own choice.
   */
  repeatMinutes: 30,
  /**
   * Seconds after sending in which a missing response proves nothing: our timeout and the platform's worst case. Own
   * choice.
   */
  quietSeconds: 120,
  /** The same for a card reader, where a person takes minutes to pay. Own choice: twice its longest call. */
  readerQuietSeconds: 600,
  /**
   * Seconds until the reader is asked about a call that was lost, and between two such questions. Own choice: a customer stands at the counter, no
   * other card is tapped until the answer is known, and a look opens no screen.
   */
  readerAskSeconds: 30,
  /** Milliseconds of a card reader's longest call. Own choice. */
  readerMilliseconds: 300_000,
  /**
   * Milliseconds until a caller learns that a reader's call is still in progress: hosts allow a tool 60 seconds. Own
   * choice.
   */
  readerWaitMilliseconds: 45_000,
  /**
   * Milliseconds for which a call waits for a person's answer to its form, and between two words to the client that it still does. Own
   * choice: hosts allow a tool 60 seconds, and a late answer counts for the next call.
   */
  questionWaitMilliseconds: 45_000,
  questionProgressMilliseconds: 10_000,
  /** Milliseconds after cancelling a reader's call until its outcome counts as unknown. Own choice. */
  readerCancelMilliseconds: 10_000,
  /** Bytes of a message of a reader's app, and bytes of ours that it may leave unread. Own choice. */
  readerMessageBytes: 65_536,
  readerUnreadBytes: 262_144,
  /** Messages of a reader's app at once, and more in each second after that. Own choice. */
  readerBurstMessages: 100,
  readerSteadyMessages: 20,
  /** Calls of a reader that are under way at once: a person acts on one, and others only look. Own choice. */
  readerCallElements: 8,
  /** Ended calls of a reader's connection, and late ends that are not recorded yet, that are remembered. Own choice. */
  readerEndedElements: 256,
  /** Connections of readers' apps that have not said hello yet. Own choice. */
  readerHelloConnections: 4,
  /** Milliseconds until the app of a reader must have said hello, and until a closed connection is cut. Own choice. */
  readerHelloMilliseconds: 5_000,
  readerCloseMilliseconds: 2_000,
  /** Seconds between two pings to the app of a reader; one without an answer ends the connection. Own choice. */
  readerHeartbeatSeconds: 15,
  /** Days until a pre-authorization expires whose end the platform doesn't tell: document 3 says 5 to 7. */
  preauthorizationDays: 7,
  /** The highest tip that a customer is offered, in percent, and the most choices. Own choice. */
  tipPercent: 50,
  tipElements: 5,
  /** Releases of the SDK that can be used in new builds: document 3. */
  sdkReleases: 6,
  /** The handsets of the XS generation, by the first number of their hardware identifier: document 3 names the generation. */
  handsetGeneration: 11,
  /** Months after its release in which a version of the operating system will do: document 3 says a year. */
  osReleaseMonths: 12,
  /** Seconds until a call is retried that the platform deferred without naming a time. Own choice. */
  retrySeconds: 10,
  /**
   * Seconds from intent to request. A call delayed longer is not sent, because its quiet period has begun. Own choice.
   */
  sendingSeconds: 10,
  /** Seconds of a replica's lease for recovering calls after a crash. Own choice. */
  leaseSeconds: 30,
  /**
   * Milliseconds of verification between two turns of the event loop. Own choice: a fifth of the longest allowed pause.
   */
  workMilliseconds: 10,
  /** Audit rows verified per transaction. Own choice: a few milliseconds. */
  auditStepRows: 500,
  /** Audit rows verified again before money moves if another Purser process has appended rows. Own choice. */
  auditRecentRows: 250,
  /** Audit rows verified again before money moves if somebody wrote without appending to the audit. Own choice. */
  auditRereadRows: 20_000,
  /** Archived audit rows removed per transaction, and audit rows read at once to archive or export. Own choice. */
  archiveSliceRows: 500,
  archiveStepRows: 1_000,
  /** Bytes of an audit archive; the next run starts another one. Own choice. */
  archiveBytes: 67_108_864,
  /** Seconds until an outcome is read back again. Own choice. */
  readBackSeconds: 300,
  /** Seconds that a released credential stays in the vault. Own choice. */
  credentialSeconds: 900,
  /**
   * Seconds that the vault keeps a request's secret in case it must be sent again. Own choice: several quiet periods.
   */
  requestSecretSeconds: 900,
  /** Seconds that the vault keeps a generated device key for the command that writes it to a file. Own choice. */
  deviceKeySeconds: 900,
  /** Months until the sandbox ends a device key. Own choice: the document shows only that there is a date. */
  deviceKeyMonths: 36,
  /** Minutes until a customer's link expires. Own choice. */
  customerLinkMinutes: 15,
  /** Minutes for which a conversation stays tainted after reading external text. Own choice. */
  taintMinutes: 60,
  /** Distinct external texts remembered per conversation; all further ones count as one unapproved text. Own choice. */
  taintTexts: 200,
  /** Texts written by the merchant that a process caches. Own choice. */
  ownTexts: 10_000,
  /** Minutes in which a near-duplicate purchase causes a warning. Own choice. */
  similarMinutes: 10,
  /** Hours in which no mandate approves what a person has denied. Own choice. */
  deniedHours: 24,
  /** Rows in a tool's list by default, and at most. Own choice. */
  pageRows: 20,
  pageRowsMost: 100,
  /** Minutes in which further refusals of one kind are only counted. Own choice. */
  refusalMinutes: 60,
  /** Rows of a list that are counted; for a longer list the total is a lower bound. Own choice. */
  countedRows: 1_000,
  /** Minutes that a signature's date may differ from the clock. Decision D-31. */
  signatureMinutes: 5,
  /** Seconds that our clock may differ from the platform's before Purser stops moving money. Own choice. */
  skewSeconds: 30,
  /**
   * Minutes for which a comparison with the platform's clock is valid; it is repeated before money moves. Own choice.
   */
  skewMinutes: 15,
  /** Seconds between `iat` and `exp` of a signed token. From a public client of the platform. */
  tokenSeconds: 120,
  /** Characters of untrusted text shown to the model. Own choice. */
  untrustedCharacters: 120,
  /** Characters of such text screened for secrets, and of its end, where a secret may be cut in two. Own choice. */
  maskedCharacters: 4_096,
  edgeCharacters: 64,
  /** Characters of a plan code and of a subscription code. Document 2, limit 1. */
  billingCodeCharacters: 10,
  /** Longest interval between two payments of a subscription, in months. Document 2, limit 2. */
  billingIntervalMonths: 12,
  /** Plans or subscriptions per list, by default and at most. Document 2, limit 3. */
  billingRows: 20,
  billingRowsMost: 100,
  /** Minutes before and after processing begins in which a payment can't be cancelled. Document 2, limit 4. */
  cancelWindowMinutes: 10,
  /** Minutes before processing in which a payment can't be skipped or restored. Document 2, limit 5. */
  skipWindowMinutes: 120,
  /** Retries of a failed payment and their interval, if billed daily. Document 2, limit 6. */
  retriesDailyAttempts: 1,
  retriesDailyMinutes: 60,
  /** Retries of a failed payment and their interval, if billed weekly. Document 2, limit 6. */
  retriesWeeklyAttempts: 3,
  retriesWeeklyDays: 1,
  /** Retries of a failed payment and their interval, if billed monthly. Document 2, limit 6. */
  retriesMonthlyAttempts: 5,
  retriesMonthlyDays: 2,
  /** Retries of a failed payment and their interval, if billed yearly. Document 2, limit 6. */
  retriesYearlyAttempts: 3,
  retriesYearlyDays: 15,
  /** Minutes until a payment is retried that an internal error kept from the bank network. Own choice. */
  internalErrorMinutes: 60,
  /** Days before a payment at which the customer gets a notice. Decision D-20. */
  prepaymentNoticeDays: 3,
  /** Scheduled payments in a list, by default and at most. Public models of the platform. */
  scheduledRows: 5,
  scheduledRowsMost: 9_999,
  /** Most billing cycles of a plan, which bounds the list of scheduled payments. Own choice. */
  billingCycleElements: 9_999,
  /** Months of payments that count as the commitment of a subscription without an end. Decision D-38. */
  openEndMonths: 12,
  /** Most line items of an invoice. Document 2, limit 7. */
  invoiceLineElements: 30,
  /** Largest quantity of a line item. Own choice: the document has no maximum. */
  itemQuantityElements: 1_000_000,
  /** Bytes of the logo on invoices: one megabyte. Document 2, limit 7. */
  logoBytes: 1_048_576,
  /** Most invoices in a response. Own choice: neither the document nor public models show one. */
  invoiceRowsMost: 100,
  /** Seconds for which an observation of an invoice counts as current when the invoice is replaced. Own choice. */
  invoiceReadSeconds: 60,
  /** Days before and after the due date when a customer is reminded of an invoice. Public models of the platform. */
  reminderBeforeDays: 5,
  reminderAfterDays: 1,
  /** Seconds for which an observation of a subscription's payments shows its next due date. Own choice. */
  paymentsReadSeconds: 60,
  /**
   * Codes that may be requested from the issuer, verifications of one code, and minutes until it expires, if the
   * platform doesn't say. Decision D-07.
   */
  otpRequests: 3,
  otpAttempts: 3,
  otpMinutes: 10,
  /** Codes that are requested for one card in a day, whoever asks and whatever for. Own choice: four full step-ups. */
  otpDailyRequests: 12,
  /** Days before the keys of the passkey iframe expire in which Purser warns. Rule PK-13. */
  iframeKeyWarningDays: 90,
  /** Months after an invoice's due date until its payment link stops working. Public models of the platform. */
  paymentLinkMonths: 12,
  /** Minutes after which no delivery of an event is attempted again, and retries of one sequence, at most. Own choice. */
  webhookRetryMinutes: 525_600,
  webhookRetryAttempts: 100,
  /** Characters of a report's name, and most subscriptions of a user. Document 3, limits 3 and 1. */
  reportNameCharacters: 250,
  reportSubscriptionElements: 20,
  /** Longest range of a one-time report, and how many of them run at once. Document 3, limit 2. */
  reportRangeDays: 31,
  concurrentReportElements: 3,
  /** Days within which every requested report is finished. Own choice: the document says that one can take over 6 hours. */
  reportDays: 2,
  /** Buckets of rate limits after which full ones are forgotten. Own choice. */
  rateBuckets: 10_000,
  /** How often a call looks that waits for the platform, and seconds between: together less than clients wait. Own choices. */
  pollAttempts: 10,
  pollSeconds: 5,
  /** How often something is read when calls change it while it is read. Own choice: such a call takes longer than a read. */
  lookAttempts: 3,
  /** Days and currencies that the sums of a file can have. Own choice. */
  fileSumRows: 2_000,
  /** Bytes of one record of a file that is summed; a longer one leaves it without sums. Own choice. */
  fileRecordBytes: 1_048_576,
  /** Nesting levels of an XML file that is summed; a deeper one has no sums. Own choice. */
  fileLevels: 64,
  /** Rows of purchase and refund detail at most, and by default at the platform: document 3. Largest offset: own choice. */
  detailRows: 2_000,
  detailOffsetRows: 1_000_000,
  /** Ranges that a refusal lists for a split. Own choice. */
  listedRangeElements: 6,
  /** Seconds that a report takes in each state of the sandbox. Own choice: the document says up to hours. */
  reportPendingSeconds: 10,
  reportQueuedSeconds: 10,
  reportRunningSeconds: 40,
  /** Most fields of a report. Own choice: the sandbox knows 626. */
  reportFieldElements: 800,
  /** Reports of a search on one page. The platform answers all at once, which can be thousands. Own choice. */
  reportRows: 50,
  /** Fields of a report definition on one page, by default and at most. Own choice. */
  reportFieldRows: 50,
  reportFieldRowsMost: 200,
  /** Characters of an event's type that are kept. Own choice: the longest known one has 43. */
  eventTypeCharacters: 80,
  /** Events that wait to be worked on, at most; more deliveries are answered 429, so that the platform tries again later. Own choice. */
  waitingEvents: 2_000,
  /** Messages of one JSON-RPC batch; more are refused at once, as a whole. Own choice: a host sends a call of each tool at most. */
  batchMessages: 1_000,
  /** Events that one worker takes at once, and things that it reads at once. Own choice. */
  batchEvents: 50,
  concurrentEventRequests: 4,
  /** Seconds for which one worker alone has an event. Own choice: the longest call, and again as much. */
  eventWorkSeconds: 120,
  /** Attempts to read what an event is about; seconds after the first, which double each time; and the most. Own choice. */
  eventAttempts: 12,
  eventRetrySeconds: 10,
  longestEventRetrySeconds: 3_600,
  /** Days for which events are kept, and how many of them at most. Own choice. */
  eventDays: 30,
  keptEvents: 20_000,
  /** Events that are deleted in one transaction. Own choice. */
  eventSliceRows: 500,
  /** Seconds in which the body of a delivery must arrive, and bodies that are read at once: anybody may begin one. Own choice. */
  deliverySeconds: 10,
  concurrentDeliveries: 16,
  /** Deliveries that are taken at once, and in a second after that. Own choice. */
  burstDeliveries: 500,
  steadyDeliveries: 50,
  /** Milliseconds that the sandbox waits for the answer to a delivery. Own choice. */
  webhookMilliseconds: 5_000,
  /** Digits of an exchange rate, before and after its decimal point. Own choice. */
  rateDigits: 12,
  /** Decimals of an exchange rate that the platform's gateway reads. Decision D-09. */
  gatewayRateDigits: 4,
  /** Bytes of a file with a secret, a token or an anchor. Own choice. */
  secretFileBytes: 65_536,
  /** Bytes of the configuration file. Own choice. */
  configurationBytes: 1_048_576,
  /** Bytes of a file that a command reads. Own choice. */
  inputFileBytes: 268_435_456,
} as const;
