import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { inDecimals } from '../../src/core/money.ts';
import { once } from '../../src/core/once.ts';
import type { UnitWord } from '../../src/core/schedule.ts';
import type { Facts } from '../../src/domains/facts.ts';
import { quoted, spokenName } from '../../src/engine/approval-text.ts';
import { hostOf } from '../../src/engine/confusables.ts';
import { countOf, untrusted } from '../../src/engine/render.ts';
import { countShown, digitsShown, unitShown } from '../../src/engine/shown.ts';
import type { Arg } from '../../src/engine/tool.ts';
import { field, moment, optional, sum } from '../../src/engine/tool-arguments.ts';
import type { AuthoredFields } from '../../src/engine/tool-policy.ts';

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

/** The one merchant of a mandate: the shop, or the one that the call names. The request carries it. */
const payee = ({ args, merchant }: Facts): string => String(args.merchant ?? merchant.name);
export const forOneMerchant = (facts: Facts) => ({ [merchantPath]: payee(facts) });
const merchantPath = 'mandates[].preferredMerchantName';

/** The terms that a purchase can do without. */
export const removable = ['category', 'category_code', 'quantity', 'every', 'prompt'] as const;

/** What an update keeps. The platform replaces the mandates as a whole, so this is sent again. The merchant is never kept (D-97). */
export function kept(facts: Facts): AuthoredFields {
  const removed = (facts.args.remove ?? []) as readonly string[]; // by the tool's schema
  const gone = removed.flatMap((name) => pathsOf(name));
  const stays = Object.entries(agreedIn(facts)).filter(([path]) => !gone.includes(path) && path !== merchantPath);
  return { ...Object.fromEntries(stays), ...forOneMerchant(facts) };
}

/** What was agreed to for a purchase so far, by contract path. */
const agreedIn = ({ things }: Facts): AuthoredFields => things.instruction?.body.agreed ?? {};

const argNamed = (name: string): Arg<string> | undefined =>
  (mandateArgs() as Readonly<Record<string, Arg<string>>>)[name];
const pathsOf = (name: string): readonly string[] => (argNamed(name)?.fills ?? []).map(({ path }) => path);

/** What was agreed to for an argument, for a person; undefined if nothing was. */
function agreedText(facts: Facts, name: string): string | undefined {
  const agreed = agreedIn(facts);
  const values = pathsOf(name).map((path) => agreed[path]);
  return values.every((it) => it === undefined)
    ? undefined
    : quoted(argNamed(name)?.approvalText?.(undefined, values) ?? values.join(' '));
}

/** What was agreed to for an argument, if the call says otherwise; undefined if that stays, or nobody knows it. */
export function before(facts: Facts, name: string): string | undefined {
  const arg = argNamed(name);
  if (arg === undefined || facts.things.instruction?.body.agreed === undefined) return undefined;
  const agreed = agreedIn(facts);
  const given = { ...facts.args, merchant: payee(facts) }[name];
  const isSame = arg.fills.every(({ path, value }) => isDeepStrictEqual(agreed[path], value(given)));
  return isSame ? undefined : (agreedText(facts, name) ?? 'nothing');
}

/** What stays as it was agreed to, and what is taken off. */
const untouchedLines = (facts: Facts): readonly string[] =>
  Object.keys(mandateArgs()).flatMap((name) => {
    const was = facts.args[name] === undefined && name !== 'merchant' ? agreedText(facts, name) : undefined;
    if (was === undefined) return [];
    const isKept = pathsOf(name).every((path) => kept(facts)[path] !== undefined);
    return [`${argNamed(name)?.label ?? spokenName(name)}: ${was}${isKept ? '' : ' → nothing'}`];
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
    ...untouchedLines(facts),
    ...(args.merchant === undefined ? [merchantLine(facts)] : []),
    `Shop: ${hostOf(merchant.url)}`,
    `Card ending: ${things.card?.body.lastFour ?? 'unknown'}`,
    `Customer: ${quoted(things.shopper?.body.displayName ?? 'unknown')}`,
    ...(instruction === undefined ? [] : [`Order: ${quoted(instruction.body.reference)}`]),
  ];
};

/** The terms of an instruction, from the fields of the request that set them. */
export const termsOf = (sent: AuthoredFields) => {
  const text = (path: Term): string => String(sent[path] ?? '');
  return {
    description: text('mandates[].description'),
    limit: text('mandates[].declineThreshold.amount'),
    currency: text('mandates[].declineThreshold.currencyCode'),
    until: text('mandates[].effectiveUntilTime'),
    merchant: text(merchantPath),
    every: text(occurrencePath),
    agreed: sent,
  };
};
const occurrencePath = 'mandates[].recurringPaymentInformation.occurrence';
type Term = Parameters<typeof initiate>[0];

export const termsShown = once(() => ({
  category: z.string().optional(),
  category_code: digitsShown.optional(),
  quantity: countShown.optional(),
  every: unitShown.optional(),
  prompt: z.string().optional(),
}));
/** The terms that a purchase can do without, named as the arguments that set them. */
export function showTerms(agreed: AuthoredFields = {}) {
  const text = (path: Term): string | undefined =>
    agreed[path] === undefined ? undefined : untrusted(String(agreed[path]));
  const [category, category_code] = [text('mandates[].merchantCategory'), text('mandates[].merchantCategoryCode')];
  const [quantity, prompt] = [countOf(text('mandates[].quantity')), text('consumerPrompt')];
  const every = units.find((unit) => occurrences[unit] === agreed[occurrencePath]);
  return {
    ...(category === undefined ? {} : { category }),
    ...(category_code === undefined ? {} : { category_code }),
    ...(quantity === undefined ? {} : { quantity }),
    ...(every === undefined ? {} : { every }),
    ...(prompt === undefined ? {} : { prompt }),
  };
}

/** The most that a mandate lets move. */
export const spendOf = (facts: Facts) => ({
  ...limitOf(facts),
  payee: payee(facts),
  instrument: facts.things.card?.handle ?? '',
});

/** The limit after a call: its own, or the one that stays. */
export function limitOf({ args, things }: Facts): { readonly amount: string; readonly currency: string } {
  const { limit: amount = '', currency = '' } = things.instruction?.body ?? {};
  return (args.limit as { amount: string; currency: string } | undefined) ?? { amount, currency }; // by the tool's shape
}
