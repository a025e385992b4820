import { isCurrency } from '../../../core/currencies.ts';
import { type Money, money } from '../../../core/money.ts';
import type { Merchant } from '../../../sandbox/documents.ts';
import type { World } from '../../../sandbox/world.ts';
import { isPaid } from '../../billing/machines.ts';
import { isNotRefunded, isVoided } from '../../conversion/machines.ts';

/** Money that was taken or paid back, whatever domain it comes from. */
export interface Transaction {
  readonly requestId: string;
  readonly kind: 'sale' | 'refund';
  /** When it was taken or paid back, in milliseconds of virtual time. */
  readonly at: number;
  /** Parts of its amount, as decimal text of the currency. */
  readonly amounts: readonly string[];
  readonly currency: string;
  /** The instrument identifier of the card; absent where the customer paid by link. */
  readonly cardId?: string | undefined;
  /** How it was paid, where that doesn't follow from a card. */
  readonly method?: string | undefined;
  readonly reference?: string | undefined;
}

/**
 * The merchant's books: captures and refunds, payments of subscriptions, payments of invoices, and what moved at a card
 * reader. A capture that was voided is in none, as at a processor that never had it.
 */
export function transactionsOf(world: World, merchant: Pick<Merchant, 'id'>): readonly Transaction[] {
  const ofMerchant = (it: { readonly merchantId: string }): boolean => it.merchantId === merchant.id;
  const charges = new Map(world.list('charge').map((it) => [it.id, it]));
  const captures = new Map(world.list('capture').map((it) => [it.id, it]));
  const subscriptions = new Map(world.list('subscription').map((it) => [it.id, it]));
  const cardOf = (captureId: string): string | undefined =>
    charges.get(captures.get(captureId)?.chargeId ?? '')?.cardId;
  const happened = ({ state }: { readonly state: string }): boolean => !isVoided(state) && !isNotRefunded(state);
  return [
    ...[...captures.values()]
      .filter((it) => ofMerchant(it) && happened(it))
      .map(
        ({ id, createdAt, amount, currency, reference }): Transaction => ({
          ...{ requestId: id, kind: 'sale', at: createdAt, amounts: [amount], currency, cardId: cardOf(id), reference },
        }),
      ),
    ...world
      .list('refund')
      .filter((it) => ofMerchant(it) && happened(it))
      .map(
        ({ id, captureId, createdAt, amount, currency, reference }): Transaction => ({
          ...{ requestId: id, kind: 'refund', at: createdAt, amounts: [amount], currency, reference },
          cardId: cardOf(captureId),
        }),
      ),
    ...world.list('payment').flatMap(({ id, state, subscriptionId, at, ...it }) => {
      const subscription = subscriptions.get(subscriptionId);
      if (subscription === undefined || !ofMerchant(subscription) || !isPaid(state)) return [];
      const amounts = [it.amount, it.setupFee, it.surcharge?.amount].filter((one) => typeof one === 'string');
      const { currency, reference } = it;
      const { cardId } = subscription;
      return [{ requestId: id, kind: 'sale', at, amounts, currency, cardId, reference } satisfies Transaction];
    }),
    ...world
      .list('invoice')
      .filter(ofMerchant)
      .flatMap(({ number, payments, terms }) =>
        payments.map(
          ({ transactionId, amount, at }): Transaction => ({
            ...{ requestId: transactionId, kind: 'sale', at, amounts: [amount], reference: number },
            currency: terms.orderInformation.amountDetails.currency,
          }),
        ),
      ),
    ...world
      .list('deviceMovement')
      .filter(ofMerchant)
      .map(
        ({ id, kind, at, amount, currency, reference }): Transaction => ({
          ...{ requestId: id, kind, at, amounts: [amount], currency, reference, method: 'Card' },
        }),
      ),
  ];
}

/** The money of a transaction. */
export function sumOf({ amounts, currency }: Pick<Transaction, 'amounts' | 'currency'>): Money {
  if (!isCurrency(currency)) throw new Error('The books have currencies alone.');
  return { currency, minor: amounts.reduce((sum, amount) => sum + money(amount, currency).minor, 0n) };
}

/** The network of the card, where a fixture names it; the documents have no list of descriptions (D-84). */
export const methodOf = (world: World, { cardId, method }: Transaction): string =>
  method ?? (cardId === undefined ? 'Payment link' : (world.get('cardFixture', cardId)?.network ?? 'Card'));
