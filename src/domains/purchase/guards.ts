import { isCurrency } from '../../core/currencies.ts';
import { type Money, money, moneyFault, sameMoney, spoken, sumOf, within } from '../../core/money.ts';
import type { Facts } from '../facts.ts';
import { type Guard, guardOn } from '../guard.ts';
import type { purchase } from './contract.ts';
import { isUnverified, isUsableCard } from './machines.ts';
import { isPaidType } from './shapes.ts';

const guard = guardOn<keyof typeof purchase>();

/** The arguments of a payment that are parts of its total. */
const parts = ['subtotal', 'discount', 'shipping', 'handling'] as const;

/** The guards of the agent purchase flow, without what a machine or a schema already states. */
export const guards: readonly Guard[] = [
  guard('AP-05', {
    on: [
      'enrollCard',
      'initiatePurchase',
      'updatePurchase',
      'cancelPurchase',
      'retrieveCredentials',
      'confirmTransaction',
    ],
    holds: ({ configured }) => configured.passkey !== undefined,
    sees: () => 'The token requester id and the relationship id of the passkey service are not configured.',
    instead: [],
  }),
  guard('AP-08', {
    on: ['enrollCard', 'initiatePurchase', 'retrieveCredentials'],
    holds: ({ things }) => things.card === undefined || things.card.owner === things.shopper?.handle,
    sees: () => 'The card belongs to another shopper.',
    field: 'card',
    instead: ['list_cards'],
  }),
  guard('AP-03', {
    on: ['initiatePurchase'],
    holds: ({ things }) => !isUnverified(things.card?.state ?? ''),
    sees: () =>
      'The customer must verify their identity for this card. Have that done now, then enroll the card again.',
    field: 'card',
    instead: ['enroll_card'],
  }),
  guard('AP-04', {
    on: ['initiatePurchase', 'retrieveCredentials'],
    holds: ({ things }) => isUsableCard(things.card?.state ?? ''),
    sees: ({ things }) =>
      things.card === undefined
        ? 'No card is known for this purchase.'
        : `The card ending ${things.card.body.lastFour} is ${things.card.state === 'none' ? 'not enrolled' : things.card.state}.`,
    field: 'card',
    instead: ['enroll_card', 'list_cards'],
  }),
  guard('AP-09', {
    on: ['initiatePurchase', 'updatePurchase'],
    holds: (facts) => faultOf(facts.args.limit) === null && asked(facts.args.limit)?.minor !== 0n,
    sees: (facts) => faultOf(facts.args.limit) ?? 'The limit must not be zero.',
    field: 'limit',
    instead: [],
  }),
  guard('AP-09', {
    on: ['initiatePurchase', 'updatePurchase'],
    holds: ({ args, now }) => args.until === undefined || Date.parse(String(args.until)) > now,
    sees: ({ now }) => `The end has already passed: it is ${new Date(now).toISOString()}.`,
    field: 'until',
    instead: [],
  }),
  // D-97: no credentials could ever be released for it, so nobody is asked to approve it.
  guard('AP-09', {
    on: ['initiatePurchase', 'updatePurchase'],
    holds: ({ args, merchant }) => [undefined, merchant.name].includes(args.merchant as string | undefined), // by the tools' shapes
    sees: ({ merchant }) =>
      `Only ${merchant.name} is paid here, so a purchase at another merchant could never be paid. Leave merchant out, or give exactly this name.`,
    field: 'merchant',
    instead: [],
  }),
  guard('EN-09', {
    on: ['updatePurchase'],
    holds: ({ args }) => givenAndRemoved(args) === undefined,
    sees: ({ args }) => `${givenAndRemoved(args)} is given and named in remove. Say one of the two.`,
    field: 'remove',
    instead: [],
  }),
  guard('AP-09', {
    on: ['retrieveCredentials'],
    holds: (facts) => faultOf(facts.args) === null && asked(facts.args)?.minor !== 0n,
    sees: (facts) => faultOf(facts.args) ?? 'The amount must not be zero.',
    field: 'amount',
    instead: [],
  }),
  guard('AP-09', {
    on: ['retrieveCredentials'],
    holds: (facts) => asked(facts.args) === null || asked(facts.args)?.currency === limitOf(facts)?.currency,
    sees: (facts) => `The purchase was approved in ${limitOf(facts)?.currency}, not in ${String(facts.args.currency)}.`,
    field: 'currency',
    instead: ['update_purchase'],
  }),
  guard('AP-09', {
    on: ['retrieveCredentials'],
    holds: (facts) => {
      const [sum, limit] = [asked(facts.args), limitOf(facts)];
      return sum === null || limit === null || sum.currency !== limit.currency || within(sum, limit);
    },
    sees: (facts) => `${say(asked(facts.args))} is above the approved limit of ${say(limitOf(facts))}.`,
    field: 'amount',
    instead: ['update_purchase'],
  }),
  ...parts.map((part) =>
    guard('AP-09', {
      on: ['retrieveCredentials'],
      holds: ({ args }) => faultOfPart(args, part) === null,
      sees: ({ args }) => String(faultOfPart(args, part)),
      field: part,
      instead: [],
    }),
  ),
  // A tax has no argument, so the parts may come to less than the total.
  guard('AP-09', {
    on: ['retrieveCredentials'],
    holds: ({ args }) => {
      const [charged, paid] = [
        partsOf(args, ['subtotal', 'shipping', 'handling']),
        partsOf(args, ['amount', 'discount']),
      ];
      return charged === undefined || paid === undefined || within(charged, paid);
    },
    sees: ({ args }) =>
      `Its parts come to ${say(partsOf(args, ['subtotal', 'shipping', 'handling']) ?? null)}, which is above the total of ${say(asked(args))} and its discount.`,
    field: 'amount',
    instead: [],
  }),
  guard('AP-09', {
    on: ['retrieveCredentials'],
    holds: ({ things, merchant }) => ['', merchant.name].includes(things.instruction?.body.merchant ?? ''),
    sees: ({ merchant }) => `The purchase was approved for another merchant, not ${merchant.name}.`,
    instead: ['update_purchase'],
  }),
  guard('AP-10', {
    on: ['confirmTransaction'],
    holds: ({ things }) => (things.instruction?.body.releases ?? 0) > 0,
    sees: () => 'No credentials were retrieved for this purchase.',
    field: 'instruction',
    instead: ['retrieve_credentials'],
  }),
  guard('AP-10', {
    on: ['confirmTransaction'],
    holds: ({ things }) => things.receipt !== undefined,
    sees: () => "The merchant's payment system has posted no receipt for this purchase; a statement can't replace it.",
    field: 'instruction',
    retry: 'same_call',
    instead: ['get_purchase'],
  }),
  guard('AP-10', {
    on: ['confirmTransaction'],
    holds: ({ things }) => things.receipt === undefined || things.receipt.body.transactionStatus === 'APPROVED',
    sees: ({ things }) => `${reporter(things)} reports the payment as ${things.receipt?.body.transactionStatus}.`,
    field: 'instruction',
    instead: ['get_purchase'],
  }),
  guard('AP-10', {
    on: ['confirmTransaction'],
    holds: ({ things }) => things.receipt === undefined || isPaidType(things.receipt.body.transactionType),
    sees: ({ things }) =>
      `${reporter(things)} last reported a ${things.receipt?.body.transactionType}, which is not a payment.`,
    field: 'instruction',
    instead: ['get_purchase'],
  }),
  guard('AP-12', {
    on: ['confirmTransaction'],
    holds: (facts) => {
      const { receipt, credentials } = facts.things;
      if (receipt === undefined || credentials === undefined) return true; // covered by AP-10
      const [paid, released] = [asked(receipt.body), asked(credentials.body)];
      return paid !== null && released !== null && sameMoney(paid, released);
    },
    sees: ({ things }) =>
      `The receipt is for ${say(asked(things.receipt?.body))}; the credentials were released for ${say(asked(things.credentials?.body))}.`,
    field: 'instruction',
    instead: ['get_purchase'],
  }),
];

/** A term of which an update says both what it is and that there is none. */
const givenAndRemoved = (args: Facts['args']): string | undefined =>
  ((args.remove ?? []) as readonly string[]).find((name) => args[name] !== undefined); // by the tool's schema

/** Who posted the newest receipt. */
const reporter = ({ receipt }: Facts['things']): string =>
  receipt?.body.payment === undefined ? "The merchant's payment system" : 'Purser';

/** Properties with an amount and its currency. */
interface Sum {
  readonly amount?: unknown;
  readonly currency?: unknown;
}

const faultOf = (sum: unknown): string | null => {
  if (sum === undefined) return null;
  const { amount, currency } = sum as Sum; // the tool's schema was checked before any guard
  return moneyFault(String(amount), String(currency));
};

const asked = (sum: unknown): Money | null => {
  if (sum === undefined || faultOf(sum) !== null) return null;
  const { amount, currency } = sum as Sum; // as above
  return money(String(amount), String(currency));
};

const faultOfPart = (args: Facts['args'], part: (typeof parts)[number]): string | null =>
  args[part] === undefined ? null : moneyFault(String(args[part]), String(args.currency));

/** What these arguments come to; undefined if one of them is no amount, which another guard says. */
const partsOf = (args: Facts['args'], names: readonly string[]): Money | undefined =>
  sumOf(
    names.flatMap((name) => (args[name] === undefined ? [] : [String(args[name])])),
    String(args.currency),
  );

const limitOf = ({ things }: Facts): Money | null => {
  const terms = things.instruction?.body;
  return terms === undefined || !isCurrency(terms.currency) ? null : money(terms.limit, terms.currency);
};

const say = (it: Money | null): string => (it === null ? 'an unknown amount' : spoken(it));
