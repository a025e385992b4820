import { inDecimals } from '../../src/core/money.ts';
import type { Facts } from '../../src/domains/facts.ts';
import { kinds } from '../../src/domains/passkey/facts.ts';
import { fromIframe } from '../../src/domains/passkey/iframe.ts';
import { iframeAddress } from '../../src/domains/passkey/settings.ts';
import { unwrapped } from '../../src/engine/approval-text.ts';
import type { CustomerPage } from '../../src/engine/customer-page.ts';
import { passkeyScript } from './passkey-script.ts';

/** The page on which a customer confirms a payment with a passkey. The platform's iframe runs in it, and its result goes to Purser. */
export const passkeyPage: CustomerPage = {
  title: 'Confirm with your passkey',
  text: (facts) => [
    ...(linesOf(facts.things.authentication?.body.approves?.text) ?? [askedFor(facts)]),
    steps[facts.things.authentication?.state ?? ''] ?? '',
  ],
  fields: [],
  submit: '',
  messages: {
    done: 'Thank you. You have confirmed it.',
    declined: 'This passkey was not accepted. Go back to the shop, and have it begin again.',
  },
  module: {
    script: passkeyScript,
    frames: ({ passkey }, origin) =>
      passkey?.iframe === undefined ? undefined : [new URL(iframeAddress(passkey.iframe, origin)).origin],
    given: ({ configured: { passkey }, things: { authentication: it } }, origin) => ({
      address: passkey?.iframe === undefined ? '' : iframeAddress(passkey.iframe, origin),
      begin: it && kinds.authentication.forApp({ state: it.state, body: { ...it.body } })?.iframe,
      approval: it?.body.approves?.approval,
    }),
    read: ({ message, approval }) => {
      const { authenticatedIdentities: identity = {} } = fromIframe(isFields(message) ? message : {});
      const { data, id, relyingPartyId: relying_party } = identity as Readonly<Record<string, unknown>>; // of the table
      return { data, id, relying_party, provider, ...(approval === undefined ? {} : { approval }) };
    },
  },
};

/** Who verifies passkeys, as the platform names it (D-65). */
const provider = 'PAYMENT_PASSKEY';

/** The lines of an approval as they were before they were wrapped for a terminal. */
const linesOf = (text: string | undefined): readonly string[] | undefined =>
  text === undefined ? undefined : unwrapped(text).split('\n');

const askedFor = ({ merchant, things: { authentication: it, card } }: Facts): string =>
  `${merchant.name} asks you to confirm a payment of ${it === undefined ? '' : `${inDecimals(it.body.amount, it.body.currency)} ${it.body.currency}`} with your card ending ${card?.body.lastFour ?? 'unknown'}.`;

const steps: { readonly [state: string]: string | undefined } = {
  AUTHENTICATE: 'Use the passkey of this device: your fingerprint, face or screen lock. Nobody at the shop sees it.',
  REGISTRATION_CREATED:
    'This device gets a passkey for the card. From then on your fingerprint, face or screen lock is enough.',
};

const isFields = (value: unknown): value is object => typeof value === 'object' && value !== null;
