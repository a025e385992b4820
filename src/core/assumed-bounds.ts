/** What a call needs, and what its values may be, where the documents leave it open. */
export const assumedBounds = {
  'D-97': {
    point: 'Whether a purchase may name a merchant other than the configured one',
    decision:
      'No. A mandate may prefer any merchant, but credentials are released only at that one (AP-09), and Purser requests them for the configured merchant alone. So such a purchase is refused before anybody approves it.',
  },
  'D-110': {
    point: 'What a tool requires though the platform has a default',
    decision:
      'A reference of its own for each new thing, so that a lost call can be found again; how an invoice reaches its customer; and whether reactivating a subscription charges its missed payments. A logo is limited to the length of an argument; larger ones are set in the merchant portal.',
  },
  'D-111': {
    point: 'The number of payments of a draft plan',
    decision:
      'It may only increase, as of every plan. A plan without an end takes no number, because it would end sooner: create another one.',
  },
  'D-112': {
    point: 'The start date of a subscription',
    decision:
      'A date-time with seconds and `Z`, not before today in UTC. One that is earlier today is the day of its creation: the first payment is processed at once.',
  },
  'D-113': {
    point: 'A hexadecimal colour',
    decision: 'Six digits after `#`.',
  },
  'D-114': {
    point: 'The longest text, and the longest list, where the documents show no maximum',
    decision:
      'A text has 255 characters, a long one such as a logo or an assurance 8,192 in tools; a list has 50 elements. The sandbox has the same limits.',
  },
  'D-170': {
    point: 'A due date that has passed',
    decision:
      'The documents have no bound. Where a call gives one that has passed in every time zone, Purser refuses it (IN-02), because the customer would get a bill that is overdue; an invoice that is due already keeps its date. The platform takes any.',
  },
} as const;
