import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { inDecimals } from '../../src/core/money.ts';
import { once } from '../../src/core/once.ts';
import type { UnitWord } from '../../src/core/schedule.ts';
import type { Facts } from '../../src/domains/facts.ts';
import { quoted, spokenName } from '../../src/engine/approval-text.ts';
import { hostOf } from '../../src/engine/confusables.ts';
import type { Arg } from '../../src/engine/tool.ts';
import { field, moment, optional, sum } from '../../src/engine/tool-arguments.ts';

export const initiate = field('initiatePurchase');

/** How often a purchase recurs: the tools' words, and the platform's. */
const occurrences = { week: 'WEEKLY', month: 'MONTHLY', year: 'YEARLY' } as const satisfies {
  readonly [W in UnitWord]?: string;
};
type Occurrence = keyof typeof occurrences;
const units = Object.keys(occurrences) as [Occurrence, ...Occurrence[]]; // the keys of the table

export const mandateArgs = once(
  () =>
    ({
      limit: {
        ...sum(
          'mandates[].declineThreshold.amount',
          'mandates[].declineThreshold.currencyCode',
          'Most that may be paid.',
        ),
        label: 'At most',
        approvalText: (_, [amount, code]) => `${inDecimals(String(amount), String(code))} ${code}`,
      } satisfies Arg<'mandates[].declineThreshold.amount' | 'mandates[].declineThreshold.currencyCode'>,
      until: moment('mandates[].effectiveUntilTime', 'End of the mandate.'),
      description: initiate('mandates[].description', 'What is bought.'),
      merchant: optional(initiate('mandates[].preferredMerchantName', "This shop's name; no other is paid.")),
      category: optional(initiate('mandates[].merchantCategory', 'Merchant category.')),
      category_code: optional(initiate('mandates[].merchantCategoryCode', 'Its four-digit code.')),
      quantity: optional({
        schema: z.int().min(1).max(999_999_999).describe('How many.'),
        fills: [{ path: 'mandates[].quantity', value: (given) => (given === undefined ? undefined : String(given)) }],
      } satisfies Arg<'mandates[].quantity'>),
      every: optional({
        schema: z.enum(units).describe('If it recurs.'),
        fills: [
          {
            path: 'mandates[].recurringPaymentInformation.occurrence',
            value: (given) => (given === undefined ? undefined : occurrences[given as Occurrence]), // by the schema
          },
        ],
        approvalText: (_, [sent]) => units.find((unit) => occurrences[unit] === sent) ?? String(sent),
      } satisfies Arg<'mandates[].recurringPaymentInformation.occurrence'>),
      prompt: optional(initiate('consumerPrompt', "The customer's words.")),
    }) as const,
);

/** The one merchant of a mandate: the one the customer named, or the shop itself. The request carries it. */
const payee = ({ args, merchant }: Facts): string => String(args.merchant ?? merchant.name);
export const forOneMerchant = (facts: Facts) => ({ 'mandates[].preferredMerchantName': payee(facts) });

/** What a person agreed to for an argument, if the call says otherwise; undefined if that stays, or nobody knows it. */
export function before(facts: Facts, name: string): string | undefined {
  const agreed = facts.things.instruction?.body.agreed ?? undefined;
  const arg = (mandateArgs() as Readonly<Record<string, Arg<string>>>)[name];
  if (agreed === undefined || arg === undefined) return undefined;
  const given = { ...facts.args, merchant: payee(facts) }[name];
  const [was, now] = [arg.fills.map(({ path }) => agreed[path]), arg.fills.map(({ value }) => value(given))];
  if (isDeepStrictEqual(was, now)) return undefined;
  if (was.every((it) => it === undefined)) return 'nothing';
  return quoted(arg.approvalText?.(undefined, was) ?? was.join(' '));
}

/** What a person agreed to and the call leaves out. */
const droppedLines = (facts: Facts): readonly string[] =>
  Object.keys(mandateArgs())
    .filter((name) => facts.args[name] === undefined && name !== 'merchant')
    .flatMap((name) => {
      const was = before(facts, name);
      return was === undefined ? [] : [`${spokenName(name)}: ${was} → nothing`];
    });

/** The merchant, if no argument names one. */
function merchantLine(facts: Facts): string {
  const was = before(facts, 'merchant');
  return `Merchant: ${was === undefined ? '' : `${was} → `}${quoted(payee(facts))}`;
}

/** Approval text for a mandate. */
export const approvalText = (facts: Facts): readonly string[] => {
  const { args, things, merchant } = facts;
  const { instruction } = things;
  return [
    ...droppedLines(facts),
    ...(args.merchant === undefined ? [merchantLine(facts)] : []),
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
