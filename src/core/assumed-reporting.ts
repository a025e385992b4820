/** Decisions about reports. */
export const assumedReporting = {
  'D-80': {
    point: 'Which fields belong to which report definition',
    decision:
      'The document has one list of fields for all definitions. Purser holds the fields of a report against the definition as the platform describes it. In the sandbox a definition has every known field, except four whose reports are about one thing. The groups before Risk, which the document does not show, and their fields are those of public documentation, without fields that are named after a company; the number of an invoice, its status and the plan of a subscription are ours. The sandbox leaves empty what it does not know.',
  },
  'D-81': {
    point: 'The spelling of frequencies',
    decision:
      'Purser sends `Daily`, `Weekly` and `Monthly` as the document has them, and `USER_DEFINED` with an interval as public models have it. The sandbox takes both spellings and answers capitals; Purser reads either.',
  },
  'D-82': {
    point: 'How a one-time report is requested',
    decision:
      'With POST, as public models have it; the sandbox takes PUT, too. The name must be new among one-time reports.',
  },
  'D-83': {
    point: 'When a subscribed report is made, and what it is about',
    decision:
      'At its time of day in its time zone, on its day; without a day on the first. Day 31 of a shorter month is its last day. A time that the clocks skip is as much later, and of one that they show twice the first counts. The report is about the time since it was due before.',
  },
  'D-84': {
    point: 'What a payment batch summary sums up, and how it names a payment method',
    decision:
      'Captures and refunds that were not voided, payments of subscriptions that were taken, and payments of invoices, at the time when they were made. The method is the network of the card where a fixture names one, otherwise `Card`, and `Payment link` for invoices. Without a rollup there is one row for the whole time.',
  },
  'D-85': {
    point: 'What the file of a report looks like, and what its rows are about',
    decision:
      'CSV has a record with the name, a version, the merchant and the range, then one with the names of the columns, then the rows. XML has `Report` with the same as attributes, `Requests` and `Request`. A column is called by the group and the name of its field, in camel case (`SOAPI`, the default) or with underscores (`SCMP`). Times are in the time zone of the report, by default GMT. In CSV a text at which a spreadsheet would begin a formula has an apostrophe in front; amounts never have. The rows are what the sandbox knows: requests with the offers of a conversion, settlements with the rate that they were converted at, voids, reversals and the events that webhooks tell, declines, open authorizations, payments of subscriptions, service fees, invoices, authentications, chargebacks, fees, and payments that were held for review with what was decided. A file never changes.',
  },
  'D-86': {
    point: 'Which report a name and a date stand for',
    decision:
      'The date is the day on which the range of the report ends, in its time zone. Where several of a name end on one day, `reportTime` says which, and without it the newest is meant.',
  },
  'D-87': {
    point: 'What the reports on demand say of the sandbox',
    decision:
      'A transaction is conveyed, settled and funded at the moment when it happens. Of a sale the interchange is 1.50 %, the discount 0.50 % and the assessments 0.13 %, each rounded half up; refunds give no fee back. Net funding is what purchases took less refunds, fees and chargebacks. Only payments of invoices are held for review, so only their decisions are in the conversion detail. Chargebacks and corrected accounts of electronic checks happen by the control API. Members of public models whose names contain a company are neither read nor written.',
  },
} as const;
