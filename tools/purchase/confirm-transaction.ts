import type { ToolSpec } from '../../src/engine/tool.ts';
import { handle } from '../../src/engine/tool-arguments.ts';
import { contradicts, purchaseEntity } from './instruction.ts';
import { purchaseShown, showPurchase } from './output.ts';

export const confirmTransaction: ToolSpec<'confirmTransaction'> = {
  description: "Tell the platform that the merchant's payment system processed the payment. Needs its receipt; final.",
  input: {
    args: () => ({ instruction: handle('instruction', 'Purchase that was paid.') }),
    reference: ({ things }) => things.receipt?.handle ?? '',
  },
  policy: {
    lockKey: ({ things }) => things.instruction?.handle ?? '',
    // The payment may be reversed while the outcome of its reversal is unknown.
    restsOn: ({ things }) => things.receipt?.body.payment ?? '',
  },
  observe: {
    // Its answer is always a 202, which asks the customer nothing.
    moves: { kind: 'instruction', entity: (things, now) => purchaseEntity(things, now) },
    contradicts,
    observations: () => [{ kind: 'instruction', body: {} }],
  },
  present: {
    messages: { COMPLETED: 'The purchase is completed. Confirm the checkout to the customer.' },
    outputSchema: purchaseShown,
    shows: showPurchase,
  },
};
