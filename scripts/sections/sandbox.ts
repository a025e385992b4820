import { z } from 'zod';
import { chargeEndings } from '../../src/domains/billing/sandbox/charges.ts';
import { type ChargeOutcome, chargeOutcomes } from '../../src/domains/billing/sandbox/documents.ts';
import { sandboxes } from '../../src/domains/sandboxes.ts';
import { controlCallsOf } from '../../src/sandbox/control-calls.ts';
import { faultKinds } from '../../src/sandbox/documents.ts';
import { createSandbox, sandboxSeed } from '../../src/sandbox/index.ts';
import { code, paired, table } from './markdown.ts';

const fixtures = z.object({
  cards: z.array(
    z.object({
      ...{ instrumentIdentifierId: z.string(), enrolls: z.string(), credentials: z.string() },
      charges: z.array(z.enum(chargeOutcomes)).default(['paid']),
    }),
  ),
});

const enrolls: Readonly<Record<string, string>> = {
  active: 'active at once',
  pending: 'waits until the customer has verified',
};
const releases: Readonly<Record<string, string>> = {
  released: 'released',
  declined: 'declined by the platform',
  asked: 'released once the customer has verified that step',
};

const charged: { readonly [O in ChargeOutcome]: string } = {
  paid: 'paid',
  declined: 'declined',
  doNotRetry: 'declined for good',
  error: 'not sent',
};

/** What becomes of the attempts to charge a card, one after the other. */
const chargesOf = (outcomes: readonly ChargeOutcome[]): string => {
  const words = outcomes.map((outcome) => charged[outcome]);
  return words.length === 1 ? `always ${words[0]}` : `${words.slice(0, -1).join(', ')}, then always ${words.at(-1)}`;
};

/** The shoppers of a fresh sandbox, and what their cards do. */
export async function shopperTable(): Promise<string> {
  const sandbox = createSandbox({ file: ':memory:', clock: { now: () => 0 } });
  const answer = await sandbox.handle(new Request('http://localhost/sandbox/fixtures'));
  const { cards } = fixtures.parse(await answer.json());
  await sandbox.close();
  const rows = Object.entries(sandboxSeed.shoppers).flatMap(([handle, shopper]) =>
    shopper.cards.map(({ handle: card, lastFour, instrumentIdentifierId }) => {
      const behaves = cards.find((it) => it.instrumentIdentifierId === instrumentIdentifierId);
      return [
        `${shopper.displayName} (${code(handle)})`,
        `${code(card)} ending ${lastFour}`,
        enrolls[behaves?.enrolls ?? ''] ?? '',
        releases[behaves?.credentials ?? ''] ?? '',
        chargesOf(behaves?.charges ?? []),
        code(instrumentIdentifierId),
      ];
    }),
  );
  return table(
    ['Shopper', 'Card', 'Enrollment', 'Credentials', 'Charges of subscriptions', 'Id for the control API'],
    rows,
  );
}

const amounts: { readonly [O in ChargeOutcome]: string } = {
  paid: 'It is paid.',
  declined: 'The issuer declines it; it is retried as its frequency says.',
  doNotRetry: 'The issuer declines it for good (Do Not Retry): the subscription is suspended at once.',
  error: 'It never reaches the bank network, and is sent again until it does; that uses up no retry.',
};

/** Amounts of a subscription that decide what becomes of its charges. */
export const amountTable = (): string =>
  table(
    ['Amount ends in', 'Every charge of it'],
    Object.entries(chargeEndings).map(([ending, outcome]) => [code(ending), amounts[outcome]]),
  );

/** What each call of the control API does. */
const controls: Readonly<Record<string, string>> = {
  'GET /sandbox/clock': 'The virtual time.',
  'POST /sandbox/clock':
    'Moves it: `{"advance": "PT2H"}` or `{"now": "2026-01-15T09:00:00Z"}`. Everything that falls due happens.',
  'GET /sandbox/faults': 'The queued faults.',
  'POST /sandbox/faults':
    'Queues one: `{"on": "confirmTransaction", "kind": "timeout-after-commit", "times": 1}`; `"*"` for any operation.',
  'DELETE /sandbox/faults': 'Removes the queued faults.',
  'GET /sandbox/fixtures': 'Merchants, shoppers and the behaviour of cards.',
  'POST /sandbox/fixtures': 'Adds or changes shoppers and cards.',
  'POST /sandbox/issuer': 'Changes the text shown with the verification methods that send no code.',
  'POST /sandbox/conversion':
    'Changes how conversions work: the fields that payments need, why no conversion is offered, the markup, inverted rates, whether a rate has a time, how long it is valid, the disclaimer.',
  'POST /sandbox/bins/{bin}':
    'Sets the currency that cards with these first digits are billed in, or the reason why they are not converted.',
  'POST /sandbox/cards/{id}/verify':
    'The customer verifies a card; with `{"succeeds": false}`, the verification fails.',
  'GET /sandbox/authentications/{id}/code':
    'For the authentication of a card: the last code sent to the customer, and the codes that the issuer gives in other ways.',
  'POST /sandbox/authentications/{id}/approve': 'The issuer approves the device without a code.',
  'POST /sandbox/authentications/{id}/ceremony':
    'The customer completes the ceremony of the iframe, or fails (`succeeds`); returns the message of the iframe to its page.',
  'POST /sandbox/instructions/{id}/verify': 'The customer completes the pending verification of a purchase.',
  'POST /sandbox/invoices/{number}/review':
    'Ends the review of an invoice payment; with `{"accepts": false}` the payment is rejected.',
  'POST /sandbox/reports/fail': 'Makes the newest report with this name (`name`) fail: its state becomes `ERROR`.',
  'POST /sandbox/chargebacks':
    "The customer's bank charges a payment back (`transaction`): a capture, a payment of a subscription or of an invoice.",
  'POST /sandbox/account-changes':
    'A bank says that the account of an electronic check is wrong or has changed: `code`, and what the account is now.',
  'GET /sandbox/device-keys': 'The generated device keys, by id and merchant, without the keys themselves.',
  'POST /sandbox/webhooks':
    "Subscribes an address to events, with the platform's body except `organizationId`; the subscription is `ACTIVE` unless `status` says otherwise.",
  'GET /sandbox/webhooks/{id}/key': 'The key that the deliveries of a subscription are signed with, and its id.',
  'GET /sandbox/deliveries': 'Every delivery of an event, with its attempts and when the next one is due.',
  'GET /sandbox/reader': 'The card reader: its device, its app, and what happens at it.',
  'POST /sandbox/reader':
    'Changes the card reader: whether its device is enrolled, what its app reports, whether cards are tapped automatically (`taps`), and when a pre-authorization expires.',
  'POST /sandbox/reader/taps':
    'Sets what happens in the next call at the reader: its result (`does`), the tip, and the step at which the connection is lost (`lostAt`).',
  'POST /sandbox/reset': 'Resets the world to its initial state.',
  'GET /sandbox/snapshot': 'The whole world as JSON.',
  'PUT /sandbox/snapshot': 'Restores a snapshot.',
  'GET /sandbox/outbox': 'Every e-mail to customers, oldest first: recipient, template and placeholders.',
  'GET /sandbox/events': 'Every event that merchants can be notified of, oldest first.',
  'DELETE /sandbox/outbox': 'Empties the outbox.',
  'DELETE /sandbox/events': 'Removes all events.',
  'GET /sandbox/effects': 'Every effect, oldest first, for tests.',
};

/** The control API. */
export function controlTable(): string {
  const calls = controlCallsOf(sandboxes).map(({ call }) => call);
  return table(
    ['Call', 'What it does'],
    paired('`controls` in scripts/sections/sandbox.ts', calls, controls).map(([call, does]) => [code(call), does]),
  );
}

const faults: Readonly<Record<string, string>> = {
  decline: 'The platform declines; nothing happens.',
  pending: 'The platform asks the customer to verify first (202).',
  'timeout-after-commit': 'The request takes effect, and the response is lost.',
  'late-apply': 'The response is lost, and the request takes effect `afterSeconds` later (default 60).',
  twice: 'The request arrives twice, as a proxy may send it, and the second response comes back.',
  '401': "The platform rejects the merchant's credentials; nothing happens.",
  '429': 'Too many requests; `Retry-After` is `afterSeconds` (default 30).',
  '5xx': 'A server error of `status` (default 502); nothing happens.',
  '5xx-after-commit': 'The request takes effect, and the response is a server error.',
  truncated: 'The request takes effect, and the response is truncated.',
  'not-json': 'The request takes effect, and the response is a web page.',
  'wrong-shape': 'The request takes effect, and the response has another schema.',
  oversized: 'The request takes effect, and the response is larger than Purser reads.',
  'wrong-date': 'The request takes effect, and the date of the response is an hour ahead.',
};

/** The faults that can be queued. */
export const faultTable = (): string =>
  table(
    ['Fault', 'What happens to the request'],
    paired('`faults` in scripts/sections/sandbox.ts', faultKinds, faults).map(([kind, happens]) => [
      code(kind),
      happens,
    ]),
  );
