import type { JsonObject } from '../../src/core/canonical-json.ts';
import { valueAt } from '../../src/core/members.ts';
import { jsonOf } from '../../src/core/secret-leaves.ts';
import { created } from '../../src/domains/billing/charges.ts';
import type { Facts } from '../../src/domains/facts.ts';
import type { Finding, SentRequest } from '../../src/engine/sent-request.ts';
import { readBack } from '../../src/engine/tool.ts';
import { isAsSent, moved } from '../read-back.ts';
import { codeIn } from './code.ts';
import { customerNamed, isOnTerms, type SubscriptionAnswer } from './observations.ts';

const completed = (it: SubscriptionSeen) => ({ ...it, submitTimeUtc: '', status: 'COMPLETED' as const });
/** Whether an answer is one that a lost call would have had: only the platform's own says when. */
export const isReadBack = (answer: object): boolean => valueAt(answer, ['submitTimeUtc']) === '';
/** The response that a lost change would have had. It is found by its id: somebody may have changed its code since. */
export const completedChange = (it: SubscriptionSeen) => ({
  ...completed(it),
  subscriptionInformation: { ...it.subscriptionInformation, code: undefined },
});
/** The response that a lost creation would have had. A declined one has its own status. */
const made = (it: SubscriptionSeen) => ({ ...completed(it), status: creationOf(it.subscriptionInformation.status) });
/** The status of a creation that leads to a state (D-16). */
export const creationOf = (state: string): 'COMPLETED' | 'DECLINED' => creation[state] ?? 'COMPLETED';
const creation: { readonly [state: string]: 'DECLINED' | undefined } = { FAILED: 'DECLINED' };
interface SubscriptionSeen {
  readonly id: string;
  readonly subscriptionInformation: { readonly code?: string | undefined; readonly status: string };
}

/** Reads the outcome from the subscription itself. */
export const bySubscription = (
  tells: (it: SubscriptionSeen, sent: SentRequest) => Finding<ReturnType<typeof completedChange>>,
  notes?: (facts: Facts) => JsonObject,
) =>
  readBack('getSubscription', {
    with: ({ names }) => ({ names }),
    ...(notes === undefined ? {} : { notes }),
    finds: (it, sent) => (it === undefined ? 'unclear' : tells(it, sent)),
  });

export const stateReadBack = bySubscription((it, sent) =>
  moved(sent, it.subscriptionInformation.status, () => completedChange(it)),
);

/**
 * Finds a new subscription by code and reference. If it isn't listed it may still be charged later; if it charges another
 * customer or other terms it isn't ours. In both cases a person decides.
 */
export const newReadBack = readBack('listSubscriptions', {
  // The request names an earlier payment by id only, so the payer is noted here.
  // Nor does it repeat the terms of its plan, which somebody may have amended before it was made.
  notes: (facts) => ({ payer: facts.things.followOn?.body.customerName ?? '', terms: jsonOf(created(facts)) }),
  with: ({ body, reference: number }) => ({
    names: {},
    query: { code: codeIn(body?.subscriptionInformation), clientReferenceInformationCode: number },
  }),
  finds: (found, { body, noted }) => {
    const code = codeIn(body?.subscriptionInformation);
    const mine = found?.subscriptions.find((it) => it.subscriptionInformation.code === code);
    if (mine === undefined || !isAsSent(mine, body) || !isOnTerms(mine, noted?.terms)) return 'unclear';
    const { paymentInformation: pays } = (body ?? {}) as Pick<SubscriptionAnswer, 'paymentInformation'>; // of the contract's shape
    const isPayer =
      pays === undefined
        ? customerNamed(mine) === noted?.payer
        : mine.paymentInformation?.customer?.id === pays.customer?.id;
    return isPayer ? { happened: made(mine) } : 'unclear';
  },
});
