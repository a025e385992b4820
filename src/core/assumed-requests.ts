/** What requests and calls of document 3 look like, and what follows from them, where it leaves that open. */
export const assumedRequests = {
  'D-130': {
    point: 'The name of a merchant group',
    decision:
      'Purser sends `selectedMerchantGroupName` in reports and subscriptions, as the document has it, and `groupName` in queries. The sandbox takes the `groupName` of public models in either, and knows no groups: a group narrows nothing there.',
  },
  'D-131': {
    point: 'What `reportFilters` is',
    decision:
      'The document calls it an array; public models have lists of values by field, which Purser sends. The sandbox takes these, or an array of them, and Purser reads either. A row is kept if each filter has its value; a filter without values keeps every row, and one that is no field is refused.',
  },
  'D-132': {
    point: 'The status of a one-time report that was requested',
    decision: '200, as in the document. Public models have 201, which Purser takes as well.',
  },
  'D-133': {
    point: 'Which cards a `paymentSubtype` means in the sandbox',
    decision:
      'Those whose network a fixture names: by the code, or by a name that begins with `MASTER` (`MC`), `AMERICAN` (`AX`) or `DISCOVER` (`DI`). Every other code, such as `VI`, is matched by itself alone: a fixture names the network of such a card by its code.',
  },
  'D-134': {
    point: 'What became of an enrollment that ended with an error',
    decision:
      'The state of the device says it: `enrolled` where it was not before, and it happened; `notEnrolled`, or in use with another serial number than was asked for, and it did not, once ten minutes have passed and the app says that the call is over.',
  },
  'D-135': {
    point: 'Percentages of a tip, and serial numbers',
    decision:
      'At most five percentages, whole numbers from 1 to 50: more is asked of no customer. A serial number has 4 to 32 letters, digits or hyphens.',
  },
} as const;
