import type { Facts, Things } from '../../src/domains/facts.ts';
import { isPayment } from '../../src/domains/purchase/shapes.ts';
import type { SentRequest } from '../../src/engine/sent-request.ts';
import { ofAnother } from '../echo.ts';

/** A response about an instruction. */
export interface Answered {
  readonly status: number;
  /** The contract documents no `pendingEvents` with a 200, so they can be anything there. */
  readonly body: { readonly status?: string | undefined; readonly pendingEvents?: unknown };
}

/** The purchase, as the instruction machine reads it before or after a response. */
export const purchaseEntity = ({ instruction, receipt }: Things, now: number, answer?: Answered) => ({
  state: instruction?.state ?? 'none',
  asks: answer !== undefined && asks(answer),
  waiting: instruction?.body.waiting ?? '',
  processed: (instruction?.body.releases ?? 0) > 0 && receipt !== undefined && isPayment(receipt.body),
  ended: instruction !== undefined && Number(instruction.body.until) * 1_000 <= now,
});

/** Whether the customer is to verify: the status of the response says so, or its body. */
const asks = ({ status, body }: Answered): boolean =>
  status === 202 || body.status === 'PENDING' || !none.includes(JSON.stringify(body.pendingEvents));
const none: readonly (string | undefined)[] = [undefined, 'null', '[]'];

/** Whether as many payments as were approved have got their credentials. */
export const isBeyondApproved = ({ things: { instruction } }: Pick<Facts, 'things'>): boolean =>
  (instruction?.body.releases ?? 0) >= (instruction?.body.releasesApproved ?? 0);

export const verifyFirst =
  'The platform asks the customer to verify this step. Have the customer do so now, then make the same call again.';

/** Whether a response is the one to another call of a purchase, or of an enrollment (D-182). */
export const contradicts = (_: Facts, { body }: { readonly body: object }, sent: SentRequest): string | undefined =>
  ofAnother(sent, body, 'clientCorrelationId');
