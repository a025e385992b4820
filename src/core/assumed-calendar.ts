/** Dates and times where the documents leave them open. */
export const assumedCalendar = {
  'D-160': {
    point: 'The dates of a subscription whose plan has another period from now on',
    decision:
      'The next payment keeps its date, and later ones are counted from it: in months on the day of month of the start, so that one that began on the 31st stays at the ends of months. What fell due before, its retries and missed payments among it, stays what it was.',
  },
  'D-161': {
    point: 'How long 31 days are, for a one-time report',
    decision:
      'As the clocks of its time zone count them, by default GMT: October is one report in a zone whose clocks go back in it.',
  },
  'D-162': {
    point: 'When a report with an interval of its own is made',
    decision:
      'At every multiple of the interval since it was saved. Months are counted from there, as of subscriptions: day 31 of a shorter month is its last day.',
  },
  'D-163': {
    point: 'A time of the platform without an offset',
    decision: 'It is in UTC, whatever the time zone of the machine.',
  },
} as const;
