import { bugs } from './bugs.ts';

const sandbox = (pattern: string) => `test/webhooks/sandbox.test.ts › ${pattern}`;
const retries = (pattern: string) => `test/webhooks/retries.test.ts › ${pattern}`;
const tools = (pattern: string) => `test/webhooks/tools.test.ts › ${pattern}`;

/** Bugs in the lookup of webhook subscriptions, and in what the sandbox delivers. */
// biome-ignore format: rows
export const webhookMutants = bugs([
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
]);
