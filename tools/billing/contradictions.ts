import { valueAt } from '../../src/core/members.ts';
import type { Facts } from '../../src/domains/facts.ts';
import type { SentRequest } from '../../src/engine/sent-request.ts';
import { ofAnother, stateElsewhere } from '../echo.ts';

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
export const anotherPlan = anotherCode('plan');
export const anotherSubscription = anotherCode('subscription');

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
export const planElsewhere = changedElsewhere('plan');
export const subscriptionElsewhere = changedElsewhere('subscription');
