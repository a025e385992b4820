/** How an authorization is captured, and what an offer is called, where document 1 leaves it open. */
export const assumedConversion = {
  'D-120': {
    point: 'Whether an authorization can be captured in the same call',
    decision:
      "A converted one can't (DC-08), and no agent's can: it is captured by a call of its own, when the order is shipped. The sandbox takes any other from the merchant's own systems.",
  },
  'D-121': {
    point: 'The id of an offer',
    decision:
      'That of its request, `x-requestid`, as in public models; a refused request is answered with it, too. Where there is none, or another offer has it, the sandbox gives a new one.',
  },
} as const;
