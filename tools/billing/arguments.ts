import { z } from 'zod';
import { amount } from '../../src/core/fields.ts';
import { limits } from '../../src/core/limits.ts';
import { type UnitWord, unitWords } from '../../src/core/schedule.ts';
import { created, setsPeriod } from '../../src/domains/billing/charges.ts';
import type { Facts } from '../../src/domains/facts.ts';
import type { Arg } from '../../src/engine/tool.ts';
import { textOf } from '../offset-pages.ts';

/** A whole number. The platform takes it as text. */
export const count = <P extends string>(path: P, about: string, rule: string): Arg<P> => ({
  schema: z.int().min(1).max(limits.billingCycleElements).describe(about),
  fills: [{ path, value: textOf }],
  rule,
});

/** The unit of a billing period. */
export const unitOf = <P extends string>(path: P): Arg<P> => ({
  schema: z.enum(Object.keys(unitWords) as [UnitWord, ...UnitWord[]]).describe('What every counts.'), // the keys of the table
  fills: [{ path, value: (given) => (given === undefined ? undefined : unitWords[given as UnitWord]) }], // by the schema
  approvalText: String,
  rule: 'PL-02',
});

/** An amount in the currency that another argument gives. */
export const sumOf = <P extends string>(path: P, about: string): Arg<P> => ({
  schema: amount.describe(about),
  fills: [{ path, value: (given) => given }],
});

/** A period is sent as a whole: if only a part is given, the other may have changed since the plan was read. */
export function wholePeriod(facts: Facts): Readonly<Record<string, unknown>> {
  if (!setsPeriod(facts)) return {};
  const { length, unit } = created(facts);
  return { 'planInformation.billingPeriod.length': length, 'planInformation.billingPeriod.unit': unit };
}
