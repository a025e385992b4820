import { z } from 'zod';
import type { Facts } from '../../src/domains/facts.ts';
import { waitingFor } from '../../src/domains/purchase/machines.ts';
import { orderings } from '../../src/engine/approval-scope.ts';
import type { ToolSpec } from '../../src/engine/tool.ts';
import { handle, optional, undescribed } from '../../src/engine/tool-arguments.ts';
import { contradicts, isBeyondApproved, purchaseEntity, verifyFirst } from './instruction.ts';
import { approvalText, before, kept, limitOf, mandateArgs, removable, spendOf, termsOf } from './mandate.ts';
import { purchaseShown, showPurchase } from './output.ts';

const mandateCurrency = 'mandates[].declineThreshold.currencyCode';
/** Changes that need no new approval. Any other difference does. */
const narrowerMandate = {
  'mandates[].declineThreshold.amount': orderings.lessMoney(mandateCurrency),
  'mandates[].effectiveUntilTime': orderings.less,
  'mandates[].quantity': orderings.less,
  'mandates[].recurringPaymentInformation.occurrence': orderings.withdrawn,
};

/** The limit counted by an earlier call; undefined if it was in another currency. */
const countedBefore = (facts: Facts): string | undefined => {
  const was = facts.things.instruction?.body;
  return was?.currency === limitOf(facts).currency ? was.limit : undefined;
};

const releasesOf = ({ things }: Facts): number => things.instruction?.body.releases ?? 0;
/** An approval of a change is then one for another payment. */
const isReleased = (facts: Facts): boolean => releasesOf(facts) > 0;

/** The terms of a mandate, of which an update gives those that change. */
function changeable() {
  const { limit, until, description, ...more } = mandateArgs();
  return { limit: optional(limit), until: optional(until), description: optional(description), ...more };
}

export const updatePurchase: ToolSpec<'updatePurchase'> = {
  description:
    'Change the terms of an open purchase. Arguments as in initiate_purchase; what is not given stays. A person approves it again unless it only reduces them.',
  sharesArguments: {
    tool: 'initiate_purchase',
    otherwise:
      'Change the terms of an open purchase; what is not given stays. A person approves it again unless it only reduces them.',
  },
  input: {
    args: () => ({
      instruction: handle('instruction', 'Purchase to change.'),
      ...undescribed(changeable()),
      remove: optional({
        schema: z.array(z.enum(removable)).min(1).max(removable.length).describe('Terms to take off.'),
        fills: [],
      }),
    }),
    carryOver: kept,
  },
  policy: {
    lockKey: ({ things }) => things.instruction?.handle ?? '',
    // The limit was counted for the payment that is approved; only an increase is added. After it, an approval is one for another payment.
    spend: (facts) => ({ ...spendOf(facts), counted: countedBefore(facts), isAnew: isBeyondApproved(facts) }),
    approval: {
      needed: () => false,
      within: { approved: ({ things }) => things.instruction?.body.agreed, narrower: narrowerMandate },
      title: (facts) => `Allow the agent to change the purchase${isReleased(facts) ? ', and one more payment' : ''}`,
      before,
      // A yes of before a release is none to what that would now allow.
      text: (facts) => [
        ...approvalText(facts),
        ...(isReleased(facts) ? [`Released before: ${releasesOf(facts)}`] : []),
      ],
    },
  },
  observe: {
    moves: { kind: 'instruction', entity: purchaseEntity },
    contradicts,
    observations: (facts, _, { state, authored, approved }) => [
      {
        kind: 'instruction',
        body: {
          ...termsOf(authored),
          mandateId: facts.new.mandateId,
          waiting: waitingFor(state, 'update'),
          // Approving a changed mandate approves one release under it.
          ...(approved ? { releasesApproved: releasesOf(facts) + 1 } : {}),
        },
      },
    ],
  },
  present: {
    messages: { ACTIVE: 'The purchase is updated. What was not given stays as it was.', PENDING: verifyFirst },
    outputSchema: purchaseShown,
    shows: showPurchase,
  },
  reconcile: {
    confirmed: (_, { body }, authored) => [
      { kind: 'instruction', body: { ...termsOf(authored), mandateId: mandateIdIn(body as unknown as UpdateSent) } }, // sent bodies match the contract
    ],
  },
};

/** The part of an update's body that Purser generated. */
interface UpdateSent {
  readonly mandates: readonly { readonly mandateId: string }[];
}
const mandateIdIn = ({ mandates: [mandate] }: UpdateSent): string => mandate?.mandateId ?? '';
