// The channels through which people decide approvals, and which of them count.

/**
 * `form`: a form of the agent's host, over stdio; `form-over-http`: the same over HTTP; `page`: the approval page; `cli`: the
 * command line; `http`: the people's API; `program`: the function `approve` that a program gives to an adapter; `customer`: what
 * the customer proves to the platform for exactly this call.
 */
export const channels = ['form', 'form-over-http', 'page', 'cli', 'http', 'program', 'customer'] as const;
export type Channel = (typeof channels)[number];

/** The transport of an MCP client. */
export type Transport = 'stdio' | 'http';

/** The channel of a form in an MCP client. */
export const formChannel: { readonly [T in Transport]: Channel } = { stdio: 'form', http: 'form-over-http' };

/**
 * The channels that count by default. Whoever has the agent's token can answer a form over HTTP, so it never counts by
 * default. Over stdio the same user started the host, which suffices as long as no real money moves.
 */
export const usualChannels: { readonly [E in 'sandbox' | 'test' | 'live']: readonly Channel[] } = {
  sandbox: ['form', 'page', 'cli', 'http', 'program', 'customer'],
  test: ['form', 'page', 'cli', 'http', 'program', 'customer'],
  live: ['page', 'cli', 'http', 'program', 'customer'],
};

/** The channels of these that lead to `purser serve`: a form of its clients is one over HTTP, and no program gives it decisions. */
export const overHttp = (on: readonly Channel[]): readonly Channel[] =>
  on.filter((channel) => channel !== formChannel.stdio && channel !== 'program');

/** Whether a decision through this channel counts; null where nobody has decided. */
export const isCounted = (channel: string | null, on: readonly Channel[]): boolean =>
  channel === null || on.some((it) => it === channel);

/** The message for a decision through a channel that is switched off. */
export const switchedOff = (channel: Channel, on: readonly Channel[]): string =>
  `Decisions by "${channel}" don't count here: the setting \`approvals.channels\` allows ${on.join(', ') || 'none'}.`;
