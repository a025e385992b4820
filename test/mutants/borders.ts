import type { Mutant } from './mutants.ts';

/** Bugs at Purser's borders: who may call, what callers hold, and what comes back to them. */
export const borders: readonly Mutant[] = [
  {
    id: 'tenants-share-an-account',
    title: "two tenants sign with one account, so each reads what is the other's",
    file: 'src/bin/tenants.ts',
    find: 'if (new Set(ids).size < ids.length)',
    replace: 'if (ids.length < 1)',
    caughtBy: 'test/promises/tenants.test.ts › in which two tenants have one account',
  },
  {
    id: 'any-tenant-has-a-ledger',
    title: 'what a tenant nobody serves asks for is looked up',
    file: 'src/engine/tenants.ts',
    find: 'if (!served.includes(of)) throw new UnknownTenant();',
    replace: "if (of === '') throw new UnknownTenant();",
    caughtBy: 'test/promises/tenants.test.ts › refused before anything is looked up',
  },
  {
    id: 'sandbox-serves-any-host',
    title: 'a page of another site reaches the sandbox by DNS rebinding',
    file: 'src/sandbox/serve.ts',
    find: 'refuseStranger(request, hosts, []) ?? ',
    replace: '',
    caughtBy: 'test/promises/hosts.test.ts › purser sandbox',
  },
  {
    id: 'strangers-fill-the-server',
    title: 'connections on which nobody has shown a token are not bounded',
    file: 'src/http/connections.ts',
    find: 'if (strangers.size > bounds.strangerConnections)',
    replace: 'if (strangers.size > 10 * bounds.strangerConnections)',
    caughtBy: 'test/promises/connections.test.ts › refuse nobody',
  },
  {
    id: 'unread-answers-pile-up',
    title: 'answers that nobody reads are kept, however many bytes they have',
    file: 'src/http/connections.ts',
    find: 'while (unreadBytes() > bounds.unreadBytes',
    replace: 'while (unreadBytes() > 100 * bounds.unreadBytes',
    caughtBy: 'test/promises/connections.test.ts › hold a bounded number of bytes',
  },
];
