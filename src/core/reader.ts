import type { Operation } from './operation.ts';
import type { InProgress, Outcome, Watch } from './outcome.ts';

/** How a call of the SDK fails: document 3, "SDK operations". */
export type ReaderFailure =
  | 'cancelledByUser'
  | 'cancelByUser'
  | 'notFound'
  | 'failure'
  | 'error'
  | 'networkError'
  | 'unexpected';

/**
 * What the other side does with a call: it may still run it, it certainly doesn't, or nobody says. Only a call that is over can be
 * found to have had no effect.
 */
export type CallState = 'running' | 'over' | 'unsaid';

/** How a call ended that nobody waited for any more. */
export interface LateEnd {
  readonly callId: string;
  readonly outcomeOf: (operation: Operation, input: unknown) => Exclude<Outcome, InProgress>;
}

/** The transport of a card reader's SDK. It never throws: every end is an outcome. */
export interface ReaderTransport {
  send(operation: Operation, input: unknown, watch: Watch): Promise<Outcome>;
  /** Whether a call would reach a reader now; by default it would. */
  readonly isConnected?: () => boolean;
  /** The serial numbers that the connected app says; none where nobody says. */
  readonly serialNumbers: () => readonly string[];
  /** What became of a call that was sent, by its operation; by default nobody says. */
  readonly callState?: (callId: string) => CallState;
  /** Late ends that are not recorded yet; until they are, their calls count as running. */
  readonly lateEnds?: () => readonly LateEnd[];
  /** A late end is recorded. */
  readonly forget?: (callId: string) => void;
}
