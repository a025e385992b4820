import { bugs } from './bugs.ts';

const codes = (pattern: string) => `test/passkey/codes.test.ts › ${pattern}`;
const approving = (pattern: string) => `test/passkey/approving.test.ts › ${pattern}`;
const pages = (pattern: string) => `test/passkey/customer-page.test.ts › ${pattern}`;

/** Bugs in the steps of an authentication, in its codes, and in what a passkey approves. */
// biome-ignore format: rows
export const passkeyMutants = bugs([
  ['code-guessed-at-will', 'a code can be tried as often as somebody likes',
   'tools/passkey/authentications.ts', codes('PK-07 is tried three times at most'),
   'most: ({ things }) => things.authentication?.body.maxVerifications ?? limits.otpAttempts', 'most: () => 99'],
  ['code-in-a-row', 'a code is stored with its call',
   'src/domains/passkey/contract.ts', codes('stands in no answer, no row and no audit'),
   'otp: secret(entered(text), { stored: false })', 'otp: entered(text)'],
  ['step-up-skipped', 'a device is registered before the issuer has approved it',
   'src/domains/passkey/machines.ts', 'test/passkey/tools.test.ts › PK-08 is created once the issuer has approved',
   "['REGISTRATION_CREATED',        'register', '', ", "['STEP_UP_AUTHENTICATE',        'register', '', "],
  ['registered-once', 'an agent that waits for the customer is told to call again, and is then refused',
   'src/domains/passkey/machines.ts', 'test/engine/customer-steps.test.ts › calls that can be made again meanwhile',
   "['REGISTRATION_CREATED',        'register', '', ", "['AUTHENTICATION_REGISTRATION', 'register', '', "],
  ['page-that-nobody-waits-for', 'no tool leads to the page of a code',
   'tools/passkey/authentications.ts', 'test/engine/customer-steps.test.ts › a page only where some tool waits for it',
   "tool: 'validate_authentication_code',", "tool: 'create_payment_credentials',"],
  ['eci-without-its-indicator', 'credentials are taken whose eci and indicator contradict each other',
   'src/domains/passkey/payment-shapes.ts', codes('PK-11 refuses credentials'),
   'paired[eci] === undefined || [', "paired[eci] !== '' || ["],
  ['passkey-of-another-card', 'a passkey for one card approves a purchase with another',
   'src/domains/passkey/approving.ts', approving('for its card'),
   'proposal.args.card === args.card', "proposal.args.card !== ''"],
  ['passkey-over-less', 'a passkey over a penny approves a purchase over any limit',
   'src/domains/passkey/approving.ts', approving('over its limit'),
   'proposal === undefined || isSame(', 'proposal !== null || isSame('],
  ['passkey-for-a-payment-approves', 'whoever posts a passkey says what it approves',
   'src/domains/passkey/approving.ts', approving('must name the approval that was shown'),
   'facts.args.approval === approvesOf(facts)?.approval', "facts.args.approval !== ''"],
  ['pays-with-the-approval', 'the credentials of a passkey that approves a purchase can be redeemed, besides those of the purchase',
   'tools/passkey/authentications.ts', approving('approves it: the same call starts it'),
   'keepsSecrets: ({ things }) => things.authentication?.body.approves === undefined', 'keepsSecrets: () => true'],
  ['link-of-another-payment', 'the link of one payment opens the page of the next one',
   'src/engine/customer-links.ts', pages('opens once'),
   'return isOpen && isBound ?', 'return isOpen || (isOpen && isBound) ?'],
  ['link-ends-with-the-first-code', 'the page of a second code closes when the first one expires',
   'src/engine/customer-links.ts', 'test/passkey/code-requests.test.ts › works until the code that was sent last expires',
   'if (before === until) return', 'if (before === until || isSame) return'],
  ['used-up-tries-wait', 'a code that can be tried no more is still waited for',
   'tools/passkey/get-authentication.ts', 'test/passkey/code-requests.test.ts › leads to no code that PK-07 would refuse',
   'if (triesLeft === 0)', 'if (triesLeft < 0)'],
  ['hears-any-window', 'the page takes for a result what any window says',
   'tools/passkey/passkey-script.ts', pages('hears the iframe alone'),
   'from !== origin || source !== frame.contentWindow || typeof', 'typeof'],
]);
