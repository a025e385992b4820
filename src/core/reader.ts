import type { Operation } from './operation.ts';
import type { Outcome, Watch } from './outcome.ts';

/** What carries the calls of a reader's SDK. It never throws, and answers in the words of every transport. */
export interface ReaderTransport {
  send(operation: Operation, input: unknown, watch: Watch): Promise<Outcome>;
}
