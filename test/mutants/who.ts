import type { Mutant } from './mutants.ts';

const approvers = (pattern: string) => `test/promises/approvers.test.ts › ${pattern}`;

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
];
