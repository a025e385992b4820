import type { z } from 'zod';
import { invalid, PlatformError } from '../../../sandbox/answer.ts';
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
  readonly source: string;
  readonly said: (it: Paying) => string | undefined;
  readonly means: (world: World, said: string, card: CardFixture) => boolean;
  /** Why the platform refuses it; undefined if it does not. */
  readonly fault?: (world: World, said: string) => string | undefined;
}

const numberFault = (_: World, said: string): string | undefined =>
  /^\d{12,19}$/.test(said) ? undefined : 'The number must have 12 to 19 digits.';

/** A customer has a card: a fixture's, or one that was enrolled. */
const customerFault = (world: World, said: string): string | undefined =>
  [...world.list('cardFixture'), ...world.list('card')].some(({ customerId }) => customerId === said)
    ? undefined
    : 'There is no customer with this id.';

// D-141, in the order in which they count.
const ways: readonly Way[] = [
  {
    source: 'instrumentIdentifier.id',
    said: (it) => it.instrumentIdentifier?.id,
    means: (_, said, card) => card.id === said,
  },
  {
    source: 'paymentInstrument.id',
    said: (it) => it.paymentInstrument?.id,
    means: (_, said, card) => card.paymentInstrumentId === said,
  },
  // What `retrieve_credentials` releases, and what a passkey does.
  {
    source: 'tokenizedCard.number',
    said: (it) => it.tokenizedCard?.number,
    means: (world, said, card) => tokenNumber(world, card.id) === said,
    fault: numberFault,
  },
  // No fixture has a whole number.
  { source: 'card.number', said: (it) => it.card?.number, means: () => false, fault: numberFault },
  {
    source: 'customer.id',
    said: (it) => it.customer?.id,
    means: (_, said, card) => card.customerId === said,
    fault: customerFault,
  },
];

/** Members of public models that name another way of paying, which the sandbox does not look into. */
const otherWays = ['bank', 'fluidData', 'legacyToken', 'eWallet', 'paymentType'] as const;

const isNamed = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

/** The card that pays, by its instrument identifier; empty for a number that no fixture has. Throws the platform's 400. */
export function payingCard(world: World, paying: Paying): string {
  const way = ways.find(({ said }) => said(paying) !== undefined);
  if (way === undefined) {
    if (otherWays.some((name) => isNamed(paying[name]))) return '';
    const source = 'paymentInformation.card.number';
    throw new PlatformError(400, 'MISSING_FIELD', `${source} is missing.`, { source });
  }
  const said = way.said(paying) ?? '';
  const fault = way.fault?.(world, said);
  if (fault !== undefined) throw invalid(`paymentInformation.${way.source}`, fault);
  const found = world.list('cardFixture').find((card) => way.means(world, said, card));
  return found?.id ?? paying.instrumentIdentifier?.id ?? '';
}
