/** What an answer proves about the call that it answers, where the documents leave that open. */
export const assumedOutcomes = {
  'D-180': {
    point: 'Which error responses prove that nothing was done',
    decision:
      'A 4xx, except 408, 460 and 499. Those mean that the platform, a proxy or its client stopped waiting, so the call may have taken effect. After a 5xx the outcome is unknown.',
  },
  'D-181': {
    point:
      'A creation that is refused as a duplicate, and a change of a state that is refused for anything but the key or the rate',
    decision:
      "A proxy may have sent it twice and passed on the second answer. So Purser looks at once: what is there as it was sent, under the code or number and the reference of this call, was made by it, and what is voided, cancelled or suspended already was so by it. A code that Purser made up is taken by nobody else: if nothing is found, the outcome is unknown. A part to capture or pay back that fits by Purser's books, and is refused as more than there is, may be taken already, and missed payments may be collected where a subscription is no longer suspended. If so, or if the platform answers the look with an error, the outcome is unknown. Otherwise it is declined.",
  },
  'D-182': {
    point: 'An answer that names another reference, code, number or `clientCorrelationId` than was sent',
    decision:
      'Where something is made, captured or refunded, and in every step of a purchase after its card is enrolled, it is the answer to another call, and proves nothing. One that leaves the name out, cuts it off after 20 characters or more, changes its case or pads it with blanks is of this call.',
  },
} as const;
