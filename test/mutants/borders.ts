import { bugs } from './bugs.ts';

/** Bugs at Purser's borders: who may call, what callers hold, and what comes back to them. */
// biome-ignore format: rows
export const borders = bugs([
  ['long-lines-are-kept', 'a line over stdio is kept, however long it is',
   'src/mcp/stdio-transport.ts', 'test/faces/protocol.test.ts › refuses a message that is longer than any may be',
   'const isTooLong = length > limits.requestBytes;', 'const isTooLong = length > 1_000 * limits.requestBytes;'],
  ['stdio-reads-on', 'requests are read on although nobody reads the answers',
   'src/mcp/stdio-transport.ts', 'test/promises/unread.test.ts › keeps a bounded number of bytes',
   'return stdout.writableNeedDrain || requests - asked.size >= limits.connectionRequests;',
   'return requests < asked.size;'],
  ['errors-echo', 'an error repeats the name of a tool that the caller made up',
   'src/mcp/error-redaction.ts', 'test/faces/protocol.test.ts › repeats no name that a caller made up',
   'message: sentence ?? sentences[code] ?? otherwise,',
   'message: sentence ?? (message || (sentences[code] ?? otherwise)),'],
  ['tenants-share-an-account', "two tenants sign with one account, so each reads what is the other's",
   'src/cli/tenants.ts', 'test/promises/tenants.test.ts › in which two tenants have one account',
   'if (new Set(ids).size < ids.length)', 'if (ids.length < 1)'],
  ['any-tenant-has-a-ledger', 'what a tenant nobody serves asks for is looked up',
   'src/engine/tenants.ts', 'test/promises/tenants.test.ts › refused before anything is looked up',
   'if (!served.includes(of)) throw new UnknownTenant();', "if (of === '') throw new UnknownTenant();"],
  ['sandbox-serves-any-host', 'a page of another site reaches the sandbox by DNS rebinding',
   'src/sandbox/serve.ts', 'test/sandbox/serve.test.ts › serves no other host',
   'refuseForeign(request, hosts, []) ?? ', ''],
  ['strangers-fill-the-server', 'connections on which nobody has shown a token are not bounded',
   'src/listener/connections.ts', 'test/promises/connections.test.ts › refuse nobody',
   'if (strangers.size > bounds.strangerConnections)', 'if (strangers.size > 10 * bounds.strangerConnections)'],
  ['unread-answers-pile-up', 'answers that nobody reads are kept, however many bytes they have',
   'src/listener/connections.ts', 'test/promises/connections.test.ts › hold a bounded number of bytes',
   'while (unreadBytes() > bounds.unreadBytes', 'while (unreadBytes() > 100 * bounds.unreadBytes'],
]);
