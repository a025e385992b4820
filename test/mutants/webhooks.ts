import { bugs } from './bugs.ts';

const sandbox = (pattern: string) => `test/webhooks/sandbox.test.ts › ${pattern}`;
const retries = (pattern: string) => `test/webhooks/retries.test.ts › ${pattern}`;
const received = (pattern: string) => `test/faces/deliveries.test.ts › ${pattern}`;
const tools = (pattern: string) => `test/webhooks/tools.test.ts › ${pattern}`;

/** Bugs in the lookup of webhook subscriptions, and in how deliveries are made and taken. */
// biome-ignore format: rows
export const webhookMutants = bugs([
  ['only-a-200', 'a success of another 200-level status is taken for none, where the document takes any',
   'src/core/operation.ts', 'test/spec/any-success.test.ts › skips payments',
   '({ 200: body, 201: body, 202: body, 203: body })', '({ 200: body, 201: body, 203: body } as { 200: S; 201: S; 202: S; 203: S })'],
  ['an-address-with-its-key', 'the query of an address, which may hold a key, is shown to the agent',
   'tools/webhooks/list-webhook-subscriptions.ts', tools('shows neither a key'),
   `return \`\${protocol}//\${host}\${pathname}\`;`, `return protocol === '' || host === pathname ? '' : url;`],
  ['an-event-of-any-product', 'an event is looked up under a product that it does not belong to, and nothing is found',
   'src/domains/webhooks/guards.ts', tools('WH-01 refuses'),
   `owners.length === 0 || owners.includes(product)`, `owners.length === 0 || owners.includes(product) || owners.length > 0`],
  ['signed-at-the-virtual-time', 'a delivery is signed with the virtual time, so that receivers refuse it',
   'src/domains/webhooks/sandbox/deliveries.ts', sandbox('is signed with the real time'),
   `sign(new Secret(key), body, world.wall, keyId)`, `sign(new Secret(key), body, world.now, keyId)`],
  ['a-delivery-twice', 'an attempt that another process has recorded is recorded once more',
   'src/domains/webhooks/sandbox/deliveries.ts', retries('makes an attempt once'),
   `if (attempted?.due === due)`, `if (attempted !== undefined)`],
  ['a-retry-too-late', 'each retry is an interval late',
   'src/domains/webhooks/sandbox/retries.ts', retries('is attempted by'),
   `firstRetry + interval * (retry - 1)`, `firstRetry + interval * retry`],
  // How Purser takes what the platform delivers.
  ['signed-as-it-is-read', 'the signature is checked over what the body means, not over its bytes',
   'src/http/platform-events.ts', received('is signed as it came'),
   `isSigned(key ?? nobody, body, signature)`, `isSigned(key ?? nobody, JSON.stringify(JSON.parse(textOf(body) ?? 'null')), signature)`],
  ['signed-at-any-time', 'a signature is good for ever',
   'src/http/platform-events.ts', received('whose time is not now is refused'),
   `    if (Math.abs(clock.now() - signature.atMs) > limits.signatureMinutes * 60_000) return undefined;\n`, ''],
  ['signed-by-nobody', 'the key that stands in for an unknown one opens the door',
   'src/http/platform-events.ts', received('of an unknown key is refused even where'),
   `isSigned(key ?? nobody, body, signature) && key !== undefined`, `isSigned(key ?? nobody, body, signature)`],
  ['slow-deliveries-keep-out', 'bodies that never end, which anybody can begin, keep out what the platform delivers',
   'src/http/platform-events.ts', received('of bodies that never end keeps no quick one out'),
   `oldest?.();`, `if (oldest !== undefined) end();`],
  ['each-attempt-an-event', 'an event that is delivered once more is worked on once more',
   'src/domains/webhooks/delivered.ts', 'test/engine/events.test.ts › is one event however often it is delivered',
   `notificationId ?? transactionTraceId ?? sha256(body)`, `sha256(body)`],
  ['an-event-before-its-thing', 'what the platform tells of a thing before the answer of the call that makes it is never applied',
   'src/engine/event-worker.ts', 'test/engine/events.test.ts › about what a call is just making waits',
   `if (isBeingMade) return 'postpone';`, ''],
  ['events-wait-for-any-call', 'an event about what nobody knows waits for calls that have nothing to do with it',
   'src/engine/event-worker.ts', 'test/engine/events.test.ts › waits for no call that makes something else',
   `kindMadeBy(it) === kind`, `kind !== ''`],
  ['events-of-another-tenant', "what is delivered to one tenant is another's event",
   'src/engine/tenants.ts', 'test/engine/tenants.test.ts › what the platform delivers to one tenant',
   `of(tenant).receiveDelivery(tenant, body)`, `of(own).receiveDelivery(own, body)`],
]);
