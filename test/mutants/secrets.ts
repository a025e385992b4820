import { bugs } from './bugs.ts';

const secrets = (pattern: string) => `test/engine/request-secrets.test.ts › ${pattern}`;
const steps = (pattern: string) => `test/engine/customer-steps.test.ts › ${pattern}`;
const events = (pattern: string) => `test/engine/events.test.ts › ${pattern}`;

/** Bugs in how secrets are entered, attempts are counted, links open pages, and events are believed. */
// biome-ignore format: rows
export const secretMutants = bugs([
  ['secret-in-the-row', 'an argument that is secret stays what it was',
   'src/engine/secret-arguments.ts', secrets('reaches the platform, and no row'),
   'return held.length === 0 ? args : {', 'return held.length >= 0 ? args : {'],
  ['echoed-secret', 'what the platform repeats of a secret is recorded',
   'src/client/request-secrets.ts', secrets('is taken out of what the platform repeats'),
   'return withoutSecrets(await send(opened), secretsIn(schema, opened));',
   'return withoutSecrets(await send(opened), secretsIn(schema, undefined));'],
  ['another-secret-again', 'a request is sent again although its secret is gone',
   'src/engine/write-intent.ts', secrets('that is gone keeps its call from being sent again'),
   "  if (secrets === undefined) return { kind: 'answer', body: secretGone(row.id) };\n",
   "  if (secrets === undefined) return { kind: 'send', row, facts, warnings: [], secrets: [] };\n"],
  ['joins-another-secret', 'a call with a secret joins one with another secret',
   'src/engine/call.ts', secrets('that differs makes a call that joins no other'),
   "carriesSecrets(args) ? state.parts.ports.ids.uuid() : ''", "carriesSecrets(args) ? '' : ''"],
  ['attempts-given-back', 'an attempt that was declined is given back',
   'src/engine/attempts.ts', secrets('are counted before they are sent'),
   "  await tx.budgets.settle(operationId, 'SPENT');\n", ''],
  ['customer-writes-for-the-shop', "what a customer enters is taken for the merchant's own text",
   'src/engine/authorship.ts', secrets("is never taken for the merchant's own text"),
   'passOn.includes(caller.role)', 'false'],
  ['app-writes-for-the-shop', "what the app passes on from a customer is taken for the merchant's own text",
   'src/engine/authorship.ts', 'test/promises/taint.test.ts › is not what the app passes on from a customer',
   "= ['customer', 'app'];", "= ['customer'];"],
  ['codes-without-end', 'whoever creates the options again has more codes sent',
   'tools/passkey/authentications.ts', 'test/passkey/codes.test.ts › is sent for a card twelve times a day at most',
   'most: () => limits.otpDailyRequests', 'most: () => 1_000'],
  ['link-opens-twice', 'a link opens its page after its step was taken',
   'src/engine/customer-links.ts', steps('shows its step as often as it is opened, and takes it once'),
   ' && thing !== undefined && it.states.includes(thing.state);', ' && thing !== undefined;'],
  ['any-link-opens', 'the secret part of a link is not looked at',
   'src/engine/customer-links.ts', steps('is bound to its tenant, its thing and its operation'),
   ' || row.body.hash !== sha256(secret)) return undefined;', " || secret === '') return undefined;"],
  ['customer-chooses-the-thing', 'a customer takes the step for another thing than that of the link',
   'src/engine/customer-steps.ts', steps('is bound to its tenant, its thing and its operation'),
   '  const args = { ...takenFrom(tool.page, entered), [linked.argument]: linked.thing };',
   '  const args = { [linked.argument]: linked.thing, ...entered };'],
  ['event-read-twice', 'an event that is delivered again has its thing read once more',
   'src/domains/webhooks/delivered.ts', events('is one event however often it is delivered'),
   'notificationId ?? transactionTraceId ?? sha256(body)', 'sha256(body)'],
  ['redeemed-for-nothing', 'credentials are gone whose redemption was not stored',
   'src/engine/redeem.ts', 'test/engine/redeem.test.ts › keeps credentials in memory whose redemption was not stored',
   'undo = lent.putBack;', 'undo = () => undefined;'],
]);
