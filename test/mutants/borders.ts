import type { Mutant } from './mutants.ts';

/** Bugs at Purser's borders: who may call, what callers hold, and what comes back to them. */
export const borders: readonly Mutant[] = [
  {
    id: 'long-lines-are-kept',
    title: 'a line over stdio is kept, however long it is',
    file: 'src/mcp/stdio-transport.ts',
    find: 'const isTooLong = length > limits.requestBytes;',
    replace: 'const isTooLong = length > 1_000 * limits.requestBytes;',
    caughtBy: 'test/faces/protocol.test.ts › refuses a message that is longer than any may be',
  },
  {
    id: 'stdio-reads-on',
    title: 'requests are read on although nobody reads the answers',
    file: 'src/mcp/stdio-transport.ts',
    find: 'return stdout.writableNeedDrain || requests - asked.size >= limits.connectionRequests;',
    replace: 'return requests < asked.size;',
    caughtBy: 'test/promises/unread.test.ts › keeps a bounded number of bytes',
  },
  {
    id: 'errors-echo',
    title: 'an error repeats the name of a tool that the caller made up',
    file: 'src/mcp/error-redaction.ts',
    find: 'message: sentence ?? sentences[code] ?? otherwise,',
    replace: 'message: sentence ?? (message || (sentences[code] ?? otherwise)),',
    caughtBy: 'test/faces/protocol.test.ts › repeats no name that a caller made up',
  },
  {
    id: 'tenants-share-an-account',
    title: "two tenants sign with one account, so each reads what is the other's",
    file: 'src/cli/tenants.ts',
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
    caughtBy: 'test/sandbox/serve.test.ts › serves no other host',
  },
  {
    id: 'strangers-fill-the-server',
    title: 'connections on which nobody has shown a token are not bounded',
    file: 'src/listener/connections.ts',
    find: 'if (strangers.size > bounds.strangerConnections)',
    replace: 'if (strangers.size > 10 * bounds.strangerConnections)',
    caughtBy: 'test/promises/connections.test.ts › refuse nobody',
  },
  {
    id: 'unread-answers-pile-up',
    title: 'answers that nobody reads are kept, however many bytes they have',
    file: 'src/listener/connections.ts',
    find: 'while (unreadBytes() > bounds.unreadBytes',
    replace: 'while (unreadBytes() > 100 * bounds.unreadBytes',
    caughtBy: 'test/promises/connections.test.ts › hold a bounded number of bytes',
  },
];
