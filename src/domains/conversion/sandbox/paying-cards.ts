import type { z } from 'zod';
import { PlatformError } from '../../../sandbox/answer.ts';
import type { CardFixture } from '../../../sandbox/documents.ts';
import type { World } from '../../../sandbox/world.ts';
import { tokenNumber } from '../../purchase/sandbox/credentials.ts';
import type { anyPayment } from '../shapes.ts';

type AnyPayment = z.output<ReturnType<typeof anyPayment>>;
type Paying = AnyPayment['paymentInformation'];

/** The further body of an authorization. */
export interface PaymentForms {
  readonly authorizePayment: AnyPayment;
}

/** A way of naming a card: what the request says, and the fixture that it means. What no fixture has is a card that is approved. */
interface Way {
  readonly said: (it: Paying) => string | undefined;
  readonly means: (world: World, said: string, card: CardFixture) => boolean;
}

// D-141, in the order in which they count.
const ways: readonly Way[] = [
  { said: (it) => it.instrumentIdentifier?.id, means: (_, said, card) => card.id === said },
  { said: (it) => it.paymentInstrument?.id, means: (_, said, card) => card.paymentInstrumentId === said },
  // What `retrieve_credentials` releases, and what a passkey does.
  { said: (it) => it.tokenizedCard?.number, means: (world, said, card) => tokenNumber(world, card.id) === said },
  // No fixture has a whole number.
  { said: (it) => it.card?.number, means: () => false },
  { said: (it) => it.customer?.id, means: (_, said, card) => card.customerId === said },
];

/** The card that pays, by its instrument identifier; empty for a number that no fixture has. Throws the platform's 400. */
export function payingCard(world: World, paying: Paying): string {
  if (Object.keys(paying).length === 0) {
    const source = 'paymentInformation.card.number';
    throw new PlatformError(400, 'MISSING_FIELD', `${source} is missing.`, { source });
  }
  const way = ways.find(({ said }) => said(paying) !== undefined);
  const said = way?.said(paying) ?? '';
  const found = world.list('cardFixture').find((card) => way?.means(world, said, card));
  return found?.id ?? paying.instrumentIdentifier?.id ?? '';
}
