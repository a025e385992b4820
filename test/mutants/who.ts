import type { Mutant } from './mutants.ts';

const approvers = (pattern: string) => `test/promises/approvers.test.ts › ${pattern}`;

const principals = (pattern: string) => `test/promises/principals.test.ts › ${pattern}`;

/** Who may approve, and whose an approval is. */
export const who: readonly Mutant[] = [
  {
    id: 'counts-any-channel',
    title: 'a decision counts on a channel that is switched off',
    file: 'src/engine/people.ts',
    find: 'if (!channels.includes(by.channel))',
    replace: 'if (channels.length === 0)',
    caughtBy: approvers('a channel, in sandbox.*page refuses where it is switched off'),
  },
  {
    id: 'form-counts-over-http',
    title: 'a form counts over HTTP, where the token of the agent is enough to answer it',
    file: 'src/engine/channels.ts',
    find: `http: 'form-over-http' };`,
    replace: `http: 'form' };`,
    caughtBy: approvers('alone, in test.*HTTP, 2026'),
  },
  {
    id: 'form-counts-in-live',
    title: 'a form counts where real money moves',
    file: 'src/engine/channels.ts',
    find: `live: ['page',`,
    replace: `live: ['form', 'page',`,
    caughtBy: approvers('alone, in live.*stdio, 2025'),
  },
  {
    id: 'believes-an-opened-page',
    title: 'what a client says of a page that it opened is a yes',
    file: 'src/mcp/approval.ts',
    find: `page: (it) => (it?.action === 'decline' ? 'deny' : undefined),`,
    replace: `page: (it) => (it?.action === 'decline' ? 'deny' : ofForm(it?.content?.approve)),`,
    caughtBy: approvers('of a page is never answered as a form'),
  },
  {
    id: 'state-of-any-transport',
    title: 'the state of a question counts on every transport',
    file: 'src/mcp/approval.ts',
    find: 'caller.principal, transport])',
    replace: 'caller.principal])',
    caughtBy: approvers('void over the other'),
  },
  {
    id: 'purchases-of-everybody',
    title: "a principal uses another one's purchase and releases its credentials",
    file: 'src/engine/finish.ts',
    find: '? ownedBy(caller) : {});',
    replace: '? {} : {});',
    caughtBy: principals('what a handle gets that never was'),
  },
  {
    id: 'operations-of-everybody',
    title: "a principal looks at another one's operation",
    file: 'src/engine/view.ts',
    find: 'find: async (id) => only(await tx.operations.find(id), isOwn),',
    replace: 'find: (id) => tx.operations.find(id),',
    caughtBy: principals('what a handle gets that never was'),
  },
  {
    id: 'approvals-of-everybody',
    title: "a principal lists another one's approvals",
    file: 'src/engine/view.ts',
    find: 'list: (filter, page) => tx.approvals.list({ ...filter, principal }, page),',
    replace: 'list: (filter, page) => tx.approvals.list(filter, page),',
    caughtBy: principals('has empty lists'),
  },
  {
    id: 'limits-of-a-stranger',
    title: "a principal learns what is left for another one's purchase",
    file: 'tools/operations.ts',
    find: "isSeen ? instruction : 'unknown'",
    replace: 'isSeen ? instruction : instruction',
    caughtBy: principals('what is left of a limit'),
  },
  {
    id: 'names-the-operation',
    title: 'a refusal names the operation of another principal',
    file: 'src/engine/view.ts',
    find: 'if (operation === undefined ||',
    replace: 'if (operation !== undefined ||',
    caughtBy: principals('does not join the very same call'),
  },
  {
    id: 'mail-looks-harmless',
    title: 'a host is told that a call which e-mails a customer can be taken back',
    file: 'src/mcp/annotations.ts',
    find: `effect === 'money' || mails === true || `,
    replace: `effect === 'money' || (mails === true && moves === undefined) || `,
    caughtBy: 'test/mcp/tools.test.ts › gives all four hints',
  },
  {
    id: 'expired-still-waits',
    title: 'an approval whose time is over is listed as one that waits',
    file: 'src/engine/people.ts',
    find: `listed.rows.map((row) => settled(row, now))`,
    replace: `[...listed.rows]`,
    caughtBy: 'test/engine-unit/people.test.ts › leaves out of what waits what has expired',
  },
];
