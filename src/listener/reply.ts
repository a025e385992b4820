/** The code of every error response: its statuses, and what it means. */
export const faults = {
  INVALID_ARGUMENT: {
    statuses: [400, 415],
    when: 'The request is wrong, and nothing was changed. `field` says where, `rule` by which rule.',
  },
  UNAUTHORIZED: { statuses: [401], when: 'The token or the signature is missing or wrong.' },
  FORBIDDEN: {
    statuses: [403],
    when: "The host or the origin isn't allowed, or decisions by this channel don't count.",
  },
  NOT_FOUND: { statuses: [404], when: 'There is nothing here, or nothing has this id.' },
  TOO_SLOW: { statuses: [408], when: 'The body did not arrive in time.' },
  CONFLICT: {
    statuses: [409],
    when: 'It was decided before, has expired, may still take effect, or the ledger contradicts itself: `message` says which.',
  },
  TOO_LARGE: { statuses: [413], when: 'The body is too large.' },
  RATE_LIMITED: { statuses: [429], when: 'Too many deliveries. `Retry-After` says in how many seconds to come again.' },
  INTERNAL: { statuses: [500], when: 'Purser failed. The operator can see the cause on stderr.' },
  BUSY: {
    statuses: [503],
    when: 'Too many requests are under way. `Retry-After` says in how many seconds to come again.',
  },
  INTERNAL_HALT: {
    statuses: [503],
    when: 'The audit chain is broken, or the tenant is halted: `purser doctor` says so.',
  },
} as const satisfies {
  readonly [code: string]: { readonly statuses: readonly [number, ...number[]]; readonly when: string };
};
export type FaultCode = keyof typeof faults;

/** An error response. It never repeats what the caller sent. */
export interface HttpFault<C extends FaultCode = FaultCode> {
  readonly code: C;
  readonly message: string;
  readonly field?: string | undefined;
  readonly rule?: string | undefined;
}

/** A JSON response. */
export const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

/** An error response in JSON. */
export const fault = <C extends FaultCode>(
  status: (typeof faults)[C]['statuses'][number],
  error: HttpFault<C>,
  headers: Readonly<Record<string, string>> = {},
): Response => json(status, { error }, headers);

export const notFound = (what = 'There is nothing here.'): Response => fault(404, { code: 'NOT_FOUND', message: what });
