import { type Money, money, moneyFault, sameMoney } from '../../core/money.ts';
import type { Facts } from '../facts.ts';
import { type Guard, guardOn } from '../guard.ts';
import type { purchase } from '../purchase/contract.ts';
import type { passkey } from './contract.ts';

// A customer's passkey can approve the start of a purchase (D-36): with the card, over the limit and at the shop that its approval
// names, and nothing else. The rules stand under EN-04, so nobody can switch them off.

const guard = guardOn<keyof typeof passkey>();
const start = 'initiatePurchase' satisfies keyof typeof purchase;

export const approvingGuards: readonly Guard[] = [
  guard('EN-04', {
    on: ['createAuthenticationOptions'],
    holds: ({ args, proposal }) => args.approves === undefined || (proposal?.name === start && proposal.isOpen),
    sees: () => 'No start of a purchase waits for an approval under this operation.',
    field: 'approves',
    instead: ['initiate_purchase'],
  }),
  guard('EN-04', {
    on: ['createAuthenticationOptions'],
    holds: ({ args, proposal }) => args.approves === undefined || proposal?.isForCustomer !== false,
    sees: () => "A customer's passkey approves nothing here: `approvals.channels` leaves `customer` out.",
    field: 'approves',
    instead: ['get_operation'],
  }),
  guard('EN-04', {
    on: ['createAuthenticationOptions'],
    holds: ({ args, proposal }) => proposal === undefined || proposal.args.card === args.card,
    sees: () => 'The purchase names another card.',
    field: 'card',
    instead: [],
  }),
  guard('EN-04', {
    on: ['createAuthenticationOptions'],
    holds: ({ args, proposal }) =>
      proposal === undefined || isSame(moneyIn(proposal.args.limit), moneyIn(args.payment)),
    sees: () => 'The payment must be the limit of the purchase, in its currency: the customer confirms both at once.',
    field: 'payment',
    instead: [],
  }),
  guard('EN-04', {
    on: ['createAuthenticationOptions'],
    holds: ({ merchant, proposal }) =>
      [undefined, merchant.name].includes(proposal?.args.merchant as string | undefined),
    sees: () => 'The purchase is at another shop, which this passkey names to nobody.',
    field: 'approves',
    instead: ['get_operation'],
  }),
  guard('EN-04', {
    on: ['createPaymentCredentials'],
    holds: (facts) => facts.args.approval === approvesOf(facts)?.approval,
    sees: (facts) =>
      approvesOf(facts) === undefined
        ? 'This passkey is for a payment, and approves nothing else.'
        : 'It must name the approval whose text the customer has read.',
    field: 'approval',
    instead: [],
  }),
  guard('EN-04', {
    on: ['createPaymentCredentials'],
    holds: (facts) => approvesOf(facts) === undefined || isStillAsked(facts),
    sees: () => 'What the customer was to approve waits for it no longer.',
    field: 'authentication',
    instead: ['create_authentication_options'],
  }),
];

const approvesOf = ({ things }: Facts) => things.authentication?.body.approves;

const isStillAsked = (facts: Facts): boolean =>
  facts.proposal?.isOpen === true &&
  facts.proposal.isForCustomer &&
  facts.proposal.digest === approvesOf(facts)?.digest;

const moneyIn = (sum: unknown): Money | undefined => {
  const { amount, currency } = sum as { readonly amount: string; readonly currency: string }; // by the tools' shapes
  return moneyFault(amount, currency) === null ? money(amount, currency) : undefined;
};

const isSame = (one: Money | undefined, other: Money | undefined): boolean =>
  one !== undefined && other !== undefined && sameMoney(one, other);
