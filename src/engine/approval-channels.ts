// Who may decide about an approval: the ways by which a decision can come, and which of them count.

/**
 * `form`: a form of the agent's host, over stdio; `form-over-http`: the same over HTTP; `page`: the approval page; `cli`: the
 * command line; `http`: the people's API; `program`: the function `approve` that a program gives to an adapter.
 */
export const channels = ['form', 'form-over-http', 'page', 'cli', 'http', 'program'] as const;
export type Channel = (typeof channels)[number];

/** How an MCP client reaches Purser. */
export type Transport = 'stdio' | 'http';

/** The channel of a form that an MCP client shows. */
export const formChannel: { readonly [T in Transport]: Channel } = { stdio: 'form', http: 'form-over-http' };

/**
 * The channels that count where the operator names none. Whoever has the agent's token can answer a form over HTTP, so it never
 * counts by default; over stdio the host is a program that the same user started, which is enough where no real money moves.
 */
export const usualChannels: { readonly [E in 'sandbox' | 'test' | 'live']: readonly Channel[] } = {
  sandbox: ['form', 'page', 'cli', 'http', 'program'],
  test: ['form', 'page', 'cli', 'http', 'program'],
  live: ['page', 'cli', 'http', 'program'],
};

/** Why a decision by a channel that is switched off changes nothing. */
export const switchedOff = (channel: Channel, on: readonly Channel[]): string =>
  `Decisions by "${channel}" don't count here: the setting \`approvals.channels\` allows ${on.join(', ') || 'none'}.`;
