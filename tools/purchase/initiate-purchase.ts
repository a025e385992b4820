import type { Things } from '../../src/domains/facts.ts';
import { waitingFor } from '../../src/domains/purchase/machines.ts';
import type { ToolSpec } from '../../src/engine/tool.ts';
import { handle, labelled, optional, reference } from '../../src/engine/tool-arguments.ts';
import { always } from '../../src/engine/tool-policy.ts';
import { type Answered, contradicts, purchaseEntity, verifyFirst } from './instruction.ts';
import { approvalText, forOneMerchant, initiate, mandateArgs, spendOf, termsOf } from './mandate.ts';
import { purchaseShown, showPurchase } from './output.ts';

const newPurchase = (_: Things, now: number, answer?: Answered) => purchaseEntity({}, now, answer);

export const initiatePurchase: ToolSpec<'initiatePurchase'> = {
  description:
    'Register what the customer decided to buy: limit, end, card. A person approves it. Not for browsing or price questions.',
  input: {
    args: () => ({
      card: handle('card', 'Active card, from list_cards.'),
      reference: labelled('Order', reference("Merchant's order number; one per purchase.")),
      ...mandateArgs(),
      recurring: optional(initiate('isRecurring', 'Recurring purchase.')),
    }),
    reference: ({ args }) => String(args.reference),
    carryOver: forOneMerchant,
  },
  policy: {
    lockKey: () => '',
    spend: spendOf,
    approval: { needed: always, title: () => 'Allow the agent to buy', text: approvalText },
  },
  observe: {
    moves: { kind: 'instruction', entity: newPurchase },
    // Public models let a 202 leave the id out, by which alone a step names its purchase: nobody could pay, change or cancel it.
    contradicts: (facts, answer, sent) =>
      contradicts(facts, answer, sent) ?? (answer.body.instructionId === undefined ? 'instructionId' : undefined),
    observations: (facts, { body }, { state, began, mint, authored }) => [
      {
        kind: 'instruction',
        handle: mint('instruction'),
        body: {
          ...termsOf(authored),
          mandateId: facts.new.mandateId,
          ...(facts.args.recurring === true ? { recurring: true } : {}),
          instructionId: body.instructionId ?? '',
          sentAt: began,
          reference: facts.reference,
          releases: 0,
          releasesApproved: 1,
          waiting: waitingFor(state, 'initiate'),
          card: facts.things.card?.handle,
        },
      },
    ],
  },
  present: {
    messages: {
      ACTIVE: 'The purchase is registered. Retrieve credentials when the customer has chosen what to pay.',
      PENDING: verifyFirst.replace('make the same call again', 'retrieve credentials'),
    },
    outputSchema: purchaseShown,
    shows: showPurchase,
  },
};
