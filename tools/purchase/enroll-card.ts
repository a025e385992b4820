import type { ToolSpec } from '../../src/engine/tool.ts';
import { handle } from '../../src/engine/tool-arguments.ts';
import { contradicts } from './instruction.ts';
import { cardShown, showCard } from './output.ts';

export const enrollCard: ToolSpec<'enrollCard'> = {
  description: "Enroll a shopper's saved card before its first purchase. Call again once the customer has verified.",
  input: {
    args: () => ({ card: handle('card', 'Card handle from list_cards.') }),
  },
  policy: {
    lockKey: ({ things }) => things.card?.handle ?? '',
  },
  observe: {
    moves: {
      kind: 'card',
      entity: ({ card }, _, answer) => ({ state: card?.state ?? 'none', verified: answer?.status === 200 }),
    },
    contradicts,
    // The card that was sent, which may have lost its handle to another one meanwhile.
    observations: ({ things: { card } }) => [
      { kind: 'card', body: { instrumentIdentifierId: card?.body.instrumentIdentifierId } },
    ],
  },
  present: {
    messages: {
      ACTIVE: 'The card is active and can be used in purchases.',
      PENDING:
        'The card waits for the customer. Have the customer verify identity now, then call enroll_card again to see its state.',
    },
    next: { ACTIVE: { tools: ['initiate_purchase'], because: 'A card is enrolled in order to buy with it.' } },
    outputSchema: cardShown,
    shows: showCard,
  },
};
