import { spokenSum } from '../../src/core/money.ts';
import { charge } from '../../src/domains/conversion/machines.ts';
import type { Things } from '../../src/domains/facts.ts';
import { isWaiting, waitingFor } from '../../src/domains/purchase/machines.ts';
import { ownWords } from '../../src/engine/shown.ts';
import type { ToolSpec } from '../../src/engine/tool.ts';
import { handle } from '../../src/engine/tool-arguments.ts';
import { chargeEntity } from '../conversion/parts.ts';

import { contradicts, purchaseEntity, verifyFirst } from './instruction.ts';
import { purchaseShown, showPurchase } from './output.ts';

/** What a payment for it holds on the card, as far as a reversal would release it. */
function stillHeld(things: Things) {
  const { charge: paid } = things;
  if (paid === undefined || !charge.move(chargeEntity(things), 'reverse').ok) return {};
  return { held: `${spokenSum(paid.body.localAmount, paid.body.localCurrency)} by ${paid.handle}` };
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
