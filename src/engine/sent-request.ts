import type { JsonObject } from '../core/canonical-json.ts';
import type { OperationRow } from '../ledger/rows.ts';
import type { Request } from './request.ts';

// A request of unknown outcome, and what can be found out about it.

/** A sent request of unknown outcome, as stored. */
export interface SentRequest extends Request {
  readonly body: JsonObject | undefined;
  /** The state of its thing before the call, and the state it should reach. */
  readonly from: string;
  readonly reaches: string;
  readonly reference: string;
  /** The tool's notes about it. */
  readonly noted?: JsonObject;
  /** When it was sent, the last time. */
  readonly sentAt: number;
  /** Whether it was refused: only one that arrived twice can have taken effect. */
  readonly isRefused?: boolean;
}

/** The request of a row, as it was sent. */
export const sentRequest = ({ request, reference, startedAt, createdAt }: OperationRow): SentRequest =>
  ({ ...request, reference, sentAt: startedAt ?? createdAt }) as unknown as SentRequest; // stored by `storedRequest`

/** The outcome of a sent request. "Not found" may only count as no effect if sending it again can't charge anybody twice. */
export type Finding<B> = { readonly happened: B } | 'nothing' | 'unclear';
