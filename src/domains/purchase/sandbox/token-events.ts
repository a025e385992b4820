import { publish } from '../../../sandbox/events.ts';
import type { World } from '../../../sandbox/world.ts';
import type { CardDocument } from './documents.ts';

/** What happens to the token of a card: made, enrolled once more, or given a network token because the card is active now. */
type TokenEvent = 'tms.token.created' | 'tms.token.updated' | 'tms.networktoken.provisioned';

/** Records what a move of a card means for its token. */
export function tellToken(world: World, from: string, to: CardDocument): void {
  const first: TokenEvent = from === 'none' ? 'tms.token.created' : 'tms.token.updated';
  for (const eventType of isNew(from, to) ? [first, 'tms.networktoken.provisioned'] : [first])
    publish(world, {
      // Padding makes events sort by time.
      id: `${String(world.now).padStart(15, '0')}/token/${String(world.count('token event')).padStart(12, '0')}`,
      ...{ at: world.now, eventType, productId: 'tokenManagement', organizationId: to.merchantId },
      payload: {
        instrumentIdentifierId: to.id,
        customerId: to.customerId,
        paymentInstrumentId: to.paymentInstrumentId,
        status: to.state,
      },
    });
}

/** A card gets its network token when its cardholder is verified. */
const isNew = (from: string, { state, verified }: CardDocument): boolean => verified && from !== state;
