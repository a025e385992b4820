import { PlatformError } from '../../../sandbox/answer.ts';
import type { CardFixture, Merchant } from '../../../sandbox/documents.ts';
import { shoppers } from '../../../sandbox/shoppers.ts';
import type { World } from '../../../sandbox/world.ts';
import { isPaid } from '../machines.ts';
import type { TransactionDocument } from './documents.ts';

/** A customer token: the person, and the card that is charged. */
export interface Customer {
  readonly id: string;
  readonly card: CardFixture;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** Billing and delivery addresses, from the shopper's session. */
  readonly billTo: Address;
  readonly shipTo: Address;
  /** The handle of the token's shopper, if there is one. */
  readonly shopper: string | undefined;
}

/** The customer token that a request names. Throws the platform's 400 if it does not exist. */
export function customerOf(world: World, id: string): Customer {
  const found = customer(world, id);
  if (found !== undefined) return found;
  const field = 'paymentInformation.customer.id';
  throw new PlatformError(400, 'INVALID_DATA', 'There is no customer token with this id.', {
    source: field,
    details: [{ field, reason: 'NOT_FOUND' }],
  });
}

/** The e-mail address that is stored on a customer token; empty if there is none. */
export const addressOn = (world: World, id: string): string => customer(world, id)?.email ?? '';

/** The first card of a token is its default. */
function customer(world: World, id: string): Customer | undefined {
  const card = world.list('cardFixture').find(({ customerId }) => customerId === id);
  if (card === undefined) return undefined;
  const shopper = world
    .list('shopper')
    .find(({ session: { cards } }) => (cards as readonly Saved[] | undefined)?.some((it) => it.customerId === id));
  // A session's billing data is not validated: only text is used.
  const billTo = (shopper?.session.billTo ?? {}) as Readonly<Record<string, unknown>>;
  const text = (name: string) => (typeof billTo[name] === 'string' ? billTo[name] : '');
  return {
    id,
    card,
    email: text('email'),
    firstName: text('firstName'),
    lastName: text('lastName'),
    billTo: addressOf(shopper?.session.billTo),
    shipTo: addressOf(shopper?.session.shipTo),
    shopper: shopper?.id,
  };
}

/** The text properties of an address. */
export type Address = { readonly [member: string]: string };

const addressMembers = [
  'firstName',
  'lastName',
  'company',
  'address1',
  'address2',
  'locality',
  'administrativeArea',
  'postalCode',
  'country',
  'email',
  'phoneNumber',
] as const;

function addressOf(given: unknown): Address {
  const held = (given ?? {}) as Readonly<Record<string, unknown>>; // a part of a session is an object
  return Object.fromEntries(
    addressMembers.flatMap((name) => {
      const value = held[name];
      return typeof value === 'string' && value !== '' ? [[name, value]] : [];
    }),
  );
}

interface Saved {
  readonly customerId?: unknown;
}

/** A payment that a subscription can follow on, and its customer. Throws the platform's 404. */
export function payerOf(
  world: World,
  merchant: Merchant,
  requestId: string,
): { readonly transaction: TransactionDocument; readonly customer: Customer } {
  const transaction = world.get('transaction', requestId) ?? subscriptionPayment(world, merchant, requestId);
  const found = transaction && customer(world, transaction.customerId);
  if (transaction === undefined || found === undefined)
    throw new PlatformError(404, 'NOT_FOUND', 'There is no payment with this id.', { source: 'requestId' });
  return { transaction, customer: found };
}

/** A payment of a subscription, by its transaction id. */
function subscriptionPayment(world: World, merchant: Merchant, id: string): TransactionDocument | undefined {
  const [, subscriptionId = '', number = ''] = /^(.+)-(\d+)$/.exec(id) ?? [];
  const it = world.get('subscription', subscriptionId);
  const paid = world
    .listUnder('payment', `${subscriptionId}/`)
    .find(({ state, transactionId }) => isPaid(state) && transactionId === id);
  if (it === undefined || paid === undefined || it.merchantId !== merchant.id) return undefined;
  const { currency, amount: authorizedAmount } = paid;
  return { id, customerId: it.customerId, networkTransactionId: `network-${number}`, authorizedAmount, currency };
}

/** Payments that customers made in the shop before, which a subscription can follow on. */
export const earlierPayments: readonly TransactionDocument[] = [shoppers.shopper_ada, shoppers.shopper_cleo].flatMap(
  ({ cards: [card] }, index) =>
    card === undefined
      ? []
      : {
          id: `earlier-payment-000${index + 1}`,
          customerId: card.customerId,
          networkTransactionId: `network-earlier-000${index + 1}`,
          authorizedAmount: '25.00',
          currency: 'GBP',
        },
);
