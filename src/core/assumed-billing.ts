/** What recurring billing and invoicing do where document 2 leaves it open, or public models of clients show another form. */
export const assumedBilling = {
  'D-150': {
    point: 'Which status of success a call of recurring billing has',
    decision:
      'Document 2 calls 200 and 201 successful and 202 accepted, and assigns none. The sandbox responds as public models do; Purser takes 200 and 201 for a call that changes something. A 202 is a success of cancelling and suspending, which public models answer with it; for any other change its outcome is unknown until it is read back.',
  },
  'D-151': {
    point: 'The setup fee where the first payment is skipped',
    decision: 'It is charged with the first payment that is not skipped, and shown with that one before.',
  },
  'D-152': {
    point: 'A surcharge without an amount',
    decision:
      'It charges nothing. In an update, a description alone changes what the surcharge is called; an amount replaces the surcharge as a whole.',
  },
  'D-153': {
    point: 'The number of an invoice, and the name of a report subscription',
    decision:
      'Each is a name in the address of what it names, so it is one line of text and more than dots. In tools the number has up to 64 letters, digits and `.`, `_`, `~`, `-`.',
  },
  'D-154': {
    point: 'The quantity of a line item, and the form of custom fields',
    decision:
      'A whole number up to a million. Custom fields are a list of `definitionId` and `value`, as in public models; document 2 prints their names as `definition.id[].value`.',
  },
} as const;
