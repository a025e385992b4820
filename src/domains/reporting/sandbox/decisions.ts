import type { QueryOf } from '../../../sandbox/answer.ts';
import { isoTime } from '../../../sandbox/clock.ts';
import type { Merchant } from '../../../sandbox/documents.ts';
import type { World } from '../../../sandbox/world.ts';
import type {} from '../../invoicing/sandbox/documents.ts'; // its kinds of documents
import type { reporting } from '../contract.ts';
import { nothingFound, rangeOf } from './fundings.ts';

/** What became of a payment that was held for review, by the event that ended it. */
const decisions: Readonly<Record<string, string | undefined>> = { PAYMENT: 'ACCEPT', REJECTED: 'REJECT' };

/** A decision on a payment that was under review. */
export interface Decision {
  readonly requestId: string;
  readonly reference: string;
  readonly at: number;
  readonly decision: string;
}

/** Decisions on payments of invoices that were held for review: nothing else is reviewed in the sandbox (D-87). */
export const decisionsOf = (world: World, { id }: Pick<Merchant, 'id'>): readonly Decision[] =>
  world
    .list('invoice')
    .filter(({ merchantId }) => merchantId === id)
    .flatMap(({ number, history }) => {
      const held = new Set(
        history.filter(({ event }) => event === 'PENDING').map(({ payment }) => payment?.transactionId ?? ''),
      );
      return history.flatMap(({ event, at, payment }) => {
        const [decision, requestId] = [decisions[event], payment?.transactionId ?? ''];
        return decision === undefined || !held.has(requestId) ? [] : [{ requestId, reference: number, at, decision }];
      });
    })
    .toSorted((one, other) => one.at - other.at || (one.requestId < other.requestId ? -1 : 1));

/** Payments of invoices that were held for review: when, whatever was decided since. */
export const reviewsOf = (world: World, { id }: Pick<Merchant, 'id'>): readonly Omit<Decision, 'decision'>[] =>
  world
    .list('invoice')
    .filter(({ merchantId }) => merchantId === id)
    .flatMap(({ number, history }) =>
      history.flatMap(({ event, at, payment }) =>
        event === 'PENDING' && payment !== undefined
          ? [{ requestId: payment.transactionId, reference: number, at }]
          : [],
      ),
    );

/** The decisions of a time. Throws the platform's 400 or 404. */
export function conversionDetailsOf(
  world: World,
  merchant: Merchant,
  query: QueryOf<typeof reporting.getConversionDetails>,
) {
  const isIn = rangeOf(query);
  const found = decisionsOf(world, merchant).filter(({ at }) => isIn(at));
  if (found.length === 0) throw nothingFound();
  return {
    ...{ organizationId: merchant.id, startTime: query.startTime, endTime: query.endTime },
    conversionDetails: found.map(({ requestId, reference, at, decision }) => ({
      ...{ merchantReferenceNumber: reference, conversionTime: isoTime(at), requestId },
      ...{ originalDecision: 'REVIEW', newDecision: decision, reviewer: 'platform', queue: 'Payments of invoices' },
      notes: [{ time: isoTime(at), addedBy: 'platform', comments: `The payment ends as ${decision}.` }],
    })),
  };
}

/** The rows of a file. */
export const decisionRows = ({ conversionDetails }: ReturnType<typeof conversionDetailsOf>) =>
  conversionDetails.map(({ notes: _, ...row }) => row);
