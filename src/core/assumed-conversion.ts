/** What a rate offer and the payments at its rate say, where document 1 leaves it open. */
export const assumedConversion = {
  'D-56': {
    point: 'The values of the headers `Authorization` and `keyId` of an offer',
    decision:
      'The id of the key, and what proves it: the token where calls are signed with JWT, otherwise the parameters of the HTTP Signature behind the word `Signature`. The sandbox takes offers without the two, as public clients send them.',
  },
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
