import { z } from 'zod';
import { once } from '../../src/core/once.ts';
import type { UnitWord } from '../../src/core/schedule.ts';
import type { Facts } from '../../src/domains/facts.ts';
import { quoted } from '../../src/engine/approval-text.ts';
import { hostOf } from '../../src/engine/confusables.ts';
import type { Arg } from '../../src/engine/tool.ts';
import { field, labelled, moment, optional, sum } from '../../src/engine/tool-arguments.ts';

export const initiate = field('initiatePurchase');

/** How often a purchase recurs: the tools' words, and the platform's. */
const occurrences = { week: 'WEEKLY', month: 'MONTHLY', year: 'YEARLY' } as const satisfies {
  readonly [W in UnitWord]?: string;
};
type Occurrence = keyof typeof occurrences;

export const mandateArgs = once(
  () =>
    ({
      limit: labelled(
        'At most',
        sum('mandates[].declineThreshold.amount', 'mandates[].declineThreshold.currencyCode', 'Most that may be paid.'),
      ),
      until: moment('mandates[].effectiveUntilTime', 'End of the mandate.'),
      description: initiate('mandates[].description', 'What is bought.'),
      merchant: optional(initiate('mandates[].preferredMerchantName', 'Only this merchant.')),
      category: optional(initiate('mandates[].merchantCategory', 'Merchant category.')),
      category_code: optional(initiate('mandates[].merchantCategoryCode', 'Its four-digit code.')),
      quantity: optional({
        schema: z.int().min(1).max(999_999_999).describe('How many.'),
        fills: [{ path: 'mandates[].quantity', value: (given) => (given === undefined ? undefined : String(given)) }],
      } satisfies Arg<'mandates[].quantity'>),
      every: optional({
        schema: z.enum(Object.keys(occurrences) as [Occurrence, ...Occurrence[]]).describe('If it recurs.'), // the keys of the table
        fills: [
          {
            path: 'mandates[].recurringPaymentInformation.occurrence',
            value: (given) => (given === undefined ? undefined : occurrences[given as Occurrence]), // by the schema
          },
        ],
        approvalText: String,
      } satisfies Arg<'mandates[].recurringPaymentInformation.occurrence'>),
      prompt: optional(initiate('consumerPrompt', "The customer's words.")),
    }) as const,
);

/** The one merchant of a mandate: the one the customer named, or the shop itself. The request carries it. */
const payee = ({ args, merchant }: Facts): string => String(args.merchant ?? merchant.name);
export const forOneMerchant = (facts: Facts) => ({ 'mandates[].preferredMerchantName': payee(facts) });

/** Approval text for a mandate. */
export const approvalText = (facts: Facts): readonly string[] => {
  const { args, things, merchant } = facts;
  const { instruction } = things;
  return [
    ...(instruction === undefined ? [] : [`Until now at most: ${instruction.body.limit} ${instruction.body.currency}`]),
    ...(args.merchant === undefined ? [`Merchant: ${quoted(payee(facts))}`] : []),
    `Shop: ${hostOf(merchant.url)}`,
    `Card ending: ${things.card?.body.lastFour ?? 'unknown'}`,
    `Customer: ${quoted(things.shopper?.body.displayName ?? 'unknown')}`,
    ...(instruction === undefined ? [] : [`Order: ${quoted(instruction.body.reference)}`]),
  ];
};

/** The terms of an instruction after initiating or updating it. */
export const terms = (facts: Facts) => {
  const limit = facts.args.limit as { amount: string; currency: string }; // by the tool's shape
  return {
    mandateId: facts.new.mandateId,
    description: String(facts.args.description),
    limit: limit.amount,
    currency: limit.currency,
    until: String(Math.floor(Date.parse(String(facts.args.until)) / 1_000)),
    merchant: payee(facts),
    every: occurrences[facts.args.every as Occurrence] ?? '', // by the tool's shape
  };
};

/** The most that a mandate lets move. */
export const spendOf = (facts: Facts) => {
  const limit = facts.args.limit as { amount: string; currency: string }; // by the tool's shape
  return { ...limit, payee: payee(facts), instrument: facts.things.card?.handle ?? '' };
};
