/** A failure between Purser and the model. It says nothing about the agent and is counted separately. */
export class InfrastructureError extends Error {
  override readonly name = 'InfrastructureError';
  /** Other trials would fail too: the key is rejected or the model doesn't exist. */
  readonly permanent: boolean;
  constructor(message: string, { hopeless = false, cause }: { readonly hopeless?: boolean; readonly cause?: unknown }) {
    super(message, { cause });
    this.permanent = hopeless;
  }
}

/** The ports of a retry. */
export interface RetryPorts {
  /** Waits; a no-op in tests. */
  readonly wait: (milliseconds: number) => Promise<void>;
  /** The time, in milliseconds, for a `Retry-After` that is a date. */
  readonly now: () => number;
}

/** Own choice: delays of 1, 2, 4 and 8 seconds outlast the restart of a gateway. */
const maxAttempts = 5;
const firstDelayMilliseconds = 1_000;
/** A longer delay isn't worth waiting for: the journal keeps finished trials. */
const maxDelayMilliseconds = 60_000;

/** Calls a model and retries transient failures, honoring `Retry-After`. An incomplete turn has had no effect. */
export async function withRetries<T>(ask: () => Promise<T>, { wait, now }: RetryPorts): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      const { status, again, hopeless } = classify(error);
      const pause = retryAfter(error, now()) ?? firstDelayMilliseconds * 2 ** (attempt - 1);
      if (again && attempt < maxAttempts && pause <= maxDelayMilliseconds) {
        await wait(pause);
        continue;
      }
      throw new InfrastructureError(because({ status, again, pause, attempt }), { hopeless, cause: error });
    }
  }
}

interface RequestFailure {
  readonly status: number | undefined;
  readonly again: boolean;
  readonly hopeless: boolean;
}

/** Statuses after which the same request may succeed later. */
const retryableStatuses: readonly number[] = [408, 409, 425, 429];
/** Statuses after which no request will succeed. */
const permanentStatuses: readonly number[] = [401, 403, 404];

/** An error without a status means no or an incomplete response. */
function classify(error: unknown): RequestFailure {
  const { status } = error as { readonly status?: unknown };
  if (typeof status !== 'number') return { status: undefined, again: true, hopeless: false };
  return {
    status,
    again: retryableStatuses.includes(status) || status >= 500,
    hopeless: permanentStatuses.includes(status),
  };
}

function because({
  status,
  again,
  pause,
  attempt,
}: Omit<RequestFailure, 'hopeless'> & { pause: number; attempt: number }): string {
  const what = status === undefined ? 'The connection to the model broke' : `The model's API answered ${status}`;
  if (!again) return `${what}.`;
  return pause > maxDelayMilliseconds
    ? `${what}, and asks to wait for ${Math.ceil(pause / 1_000)} seconds.`
    : `${what}, ${attempt} times.`;
}

/** What `Retry-After` asks for, in milliseconds: seconds, or a date (RFC 9110, 10.2.3). */
function retryAfter(error: unknown, now: number): number | undefined {
  const { headers } = error as { readonly headers?: unknown };
  const text = headers instanceof Headers ? headers.get('retry-after') : null;
  if (text === null || text.trim() === '') return undefined;
  const seconds = Number(text);
  const until = Date.parse(text);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
  return Number.isNaN(until) ? undefined : Math.max(0, until - now);
}
