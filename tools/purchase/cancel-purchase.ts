import { spokenSum } from '../../src/core/money.ts';
import { isHeldUncaptured } from '../../src/domains/conversion/machines.ts';
import type { Things } from '../../src/domains/facts.ts';
import { isWaiting, waitingFor } from '../../src/domains/purchase/machines.ts';
import { ownWords } from '../../src/engine/shown.ts';
import type { ToolSpec } from '../../src/engine/tool.ts';
import { handle } from '../../src/engine/tool-arguments.ts';
import { contradicts, purchaseEntity, verifyFirst } from './instruction.ts';
import { purchaseShown, showPurchase } from './output.ts';

/** What the last payment for it held on the card when Purser looked last: a reversal releases it. */
function stillHeld({ charge: paid }: Things) {
  if (paid === undefined || !isHeldUncaptured(paid.state)) return {};
  const { localAmount, localCurrency, billingAmount = localAmount, billingCurrency = localCurrency } = paid.body;
  return { held: `${spokenSum(billingAmount, billingCurrency)} by ${paid.handle}, as last known` };
}

export const cancelPurchase: ToolSpec<'cancelPurchase'> = {
  description: 'Cancel an open purchase for good when the customer decides not to buy. It refunds no payment.',
  input: {
    args: () => ({ instruction: handle('instruction', 'Purchase to cancel.') }),
    // The payment that its evidence is of.
    tellsOf: ({ receipt }) =>
      receipt?.body.payment === undefined ? [] : [{ kind: 'charge', handle: receipt.body.payment }],
  },
  policy: {
    lockKey: ({ things }) => things.instruction?.handle ?? '',
  },
  observe: {
    moves: { kind: 'instruction', entity: purchaseEntity },
    contradicts,
    observations: (_, __, { state }) => [{ kind: 'instruction', body: { waiting: waitingFor(state, 'cancel') } }],
    // The platform accepted this request before. If the purchase is no longer open, the customer has verified the cancellation.
    afterRefusal: ({ things }) =>
      isWaiting(things.instruction?.state ?? '') && things.instruction?.body.waiting === 'cancel'
        ? {
            trigger: 'verify',
            said: 'The customer has verified it: the purchase is cancelled already. That is final.',
          }
        : undefined,
  },
  present: {
    messages: {
      CANCELLED:
        'The purchase is cancelled. That is final. If a payment for it still holds an amount, reverse_payment releases it.',
      PENDING: verifyFirst,
    },
    next: {
      CANCELLED: { tools: ['initiate_purchase'], because: 'A customer who cancels may want something else instead.' },
    },
    outputSchema: () => purchaseShown().extend({ held: ownWords.optional() }),
    shows: showPurchase,
    toOutput: (things) => ({ ...showPurchase(things), ...stillHeld(things) }),
  },
};
