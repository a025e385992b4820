import type { Operation } from './operation.ts';
import type { Outcome, Watch } from './outcome.ts';

/** How a call of the SDK fails: document 3, "SDK operations". */
export type ReaderFailure =
  | 'cancelledByUser'
  | 'cancelByUser'
  | 'notFound'
  | 'failure'
  | 'error'
  | 'networkError'
  | 'unexpected';

/** The transport of a card reader's SDK. It never throws: every end is an outcome. */
export interface ReaderTransport {
  send(operation: Operation, input: unknown, watch: Watch): Promise<Outcome>;
  /** Whether a call would reach a reader now; by default it would. */
  readonly isConnected?: () => boolean;
}
