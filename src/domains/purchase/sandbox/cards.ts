import { type BodyOf, invalid, move } from '../../../sandbox/answer.ts';
import type { Merchant } from '../../../sandbox/documents.ts';
import type { World } from '../../../sandbox/world.ts';
import type { purchase } from '../contract.ts';
import { card } from '../machines.ts';
import type { CardDocument, InstructionDocument } from './documents.ts';
import { provesEnrollment } from './evidence.ts';
import { tellToken } from './token-events.ts';

/** How a request names a card. */
interface Named {
  readonly instrumentIdentifier: { readonly id: string };
  readonly customer?: { readonly id: string } | undefined;
}

/** A card before its enrollment, and whether the cardholder counts as verified (D-04). */
export function enrolling(
  world: World,
  merchant: Merchant,
  body: BodyOf<typeof purchase.enrollCard>,
  asks: boolean,
): CardDocument {
  const { instrumentIdentifier, customer, paymentInstrument } = body.paymentInformation;
  const held = world.get('card', instrumentIdentifier.id);
  const fixture = world.get('cardFixture', instrumentIdentifier.id);
  if (held !== undefined && held.merchantId !== merchant.id) throw unknownCard();
  if ((held ?? fixture ?? { customerId: customer.id }).customerId !== customer.id) throw otherCustomer();
  // A fixture decides the first enrollment only. A pending card stays pending until there is evidence.
  const active = held === undefined && fixture?.enrolls === 'active';
  const proven = active || (body.assuranceData ?? []).some(provesEnrollment);
  return {
    id: instrumentIdentifier.id,
    state: held?.state ?? 'none',
    verified: held?.verified === true || (proven && !asks),
    merchantId: merchant.id,
    customerId: customer.id,
    paymentInstrumentId: paymentInstrument.id,
  };
}

/** The card that a request names: enrolled by this merchant and active (AP-04). Throws the platform's 400. */
export function activeCard(world: World, merchant: Merchant, { instrumentIdentifier, customer }: Named): CardDocument {
  const found = world.get('card', instrumentIdentifier.id);
  if (found === undefined || found.merchantId !== merchant.id) throw unknownCard();
  if (!found.verified)
    throw invalid(`${cardPath}.instrumentIdentifier.id`, 'The customer has not verified this card yet.');
  if (customer !== undefined && customer.id !== found.customerId) throw otherCustomer();
  return found;
}

/** The active card that a request names, of the customer of an instruction (AP-08). */
export function cardOfCustomer(world: World, merchant: Merchant, named: Named, it: InstructionDocument): CardDocument {
  const chosen = activeCard(world, merchant, named);
  if (chosen.customerId !== it.customerId) throw otherCustomer();
  return chosen;
}

/** Ends the customer's verification of a card. A failed one leaves the card unchanged. */
export function verifyCard(world: World, it: CardDocument, succeeds: boolean): CardDocument {
  if (!succeeds) return it;
  const verified = move(world, card, 'card', { ...it, verified: true }, 'verify');
  tellToken(world, it.state, verified);
  return verified;
}

const cardPath = 'paymentInformation';

const unknownCard = () => invalid(`${cardPath}.instrumentIdentifier.id`, 'This card is not enrolled.');

const otherCustomer = () => invalid(`${cardPath}.customer.id`, 'The card belongs to another customer.');
