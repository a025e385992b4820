import type { Money } from '../../../core/money.ts';

// What the sandbox's platform and processor keep of a sale (D-87). Refunds give no fee back.

/** Percentages of a sale, in thousandths of a percent. */
export const feeShares = { interchange: 1_500, discount: 500, assessments: 130 } as const;

/** What is kept of a sale, each rounded half up to whole minor units. */
export interface Fees {
  readonly interchange: bigint;
  readonly discount: bigint;
  readonly assessments: bigint;
  readonly total: bigint;
}

export function feesOf({ minor }: Money): Fees {
  const part = (share: number): bigint => (minor * BigInt(share) + whole / 2n) / whole;
  const [interchange, discount, assessments] = [
    ...[part(feeShares.interchange), part(feeShares.discount), part(feeShares.assessments)],
  ] as const;
  return { interchange, discount, assessments, total: interchange + discount + assessments };
}

/** A hundred percent. */
const whole = 100_000n;

/** A share as a percentage: `1.50`. */
export const percentage = (share: number): string => (share / 1_000).toFixed(2);
