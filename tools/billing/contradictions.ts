import type { Machine } from '../../src/core/machine.ts';
import { valueAt } from '../../src/core/members.ts';
import { plan, subscription } from '../../src/domains/billing/machines.ts';
import type { Facts } from '../../src/domains/facts.ts';
import type { SentRequest } from '../../src/engine/sent-request.ts';
import { ofAnother, stateElsewhere } from '../echo.ts';
import { isReadBack } from './subscription-read-back.ts';

// What says that an answer is not about the plan or the subscription that was changed, or not about that change (EN-08).

interface Answer {
  readonly body: object;
}
type Contradiction = (facts: Facts, answer: Answer, sent: SentRequest) => string | undefined;

/** A code that is neither the known one nor the one that was sent: the answer may still show the one before. */
const anotherCode =
  (kind: 'plan' | 'subscription'): Contradiction =>
  ({ things }, { body }, sent) => {
    const path = [`${kind}Information`, 'code'] as const;
    const codes = [things[kind]?.body.code, valueAt(sent.body, path)].filter((code) => code !== undefined);
    const others = codes.map((code) =>
      ofAnother({ body: { [path[0]]: { code: String(code) } } }, body, path.join('.')),
    );
    return others.includes(undefined) ? undefined : others[0];
  };

/** Another plan or subscription, or a state that the change doesn't lead to. */
const changedElsewhere =
  (kind: 'plan' | 'subscription') =>
  (mayBe?: (state: string, sent: SentRequest) => boolean): Contradiction =>
  (facts, answer, sent) => {
    const path = [`${kind}Information`, 'status'] as const;
    const state = String(valueAt(answer.body, path));
    return (
      anotherCode(kind)(facts, answer, sent) ??
      stateElsewhere(sent, state, path.join('.'), (it) => mayBe?.(it, sent) === true)
    );
  };
/** Another plan or subscription, or a state to which nothing leads while it is amended. What is read back may have been moved since. */
const amendedElsewhere =
  (kind: 'plan' | 'subscription', { reachesOnItsOwn }: Pick<Machine, 'reachesOnItsOwn'>): Contradiction =>
  (facts, answer, sent) => {
    const path = [`${kind}Information`, 'status'] as const;
    const isPossible =
      isReadBack(answer.body) || reachesOnItsOwn(sent.from).includes(String(valueAt(answer.body, path)));
    return anotherCode(kind)(facts, answer, sent) ?? (isPossible ? undefined : path.join('.'));
  };
export const amendedPlanElsewhere = amendedElsewhere('plan', plan);
export const updatedSubscriptionElsewhere = amendedElsewhere('subscription', subscription);

export const planElsewhere = changedElsewhere('plan');
export const subscriptionElsewhere = changedElsewhere('subscription');
