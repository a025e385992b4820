import { type Money, money, moneyFault, within } from '../../../core/money.ts';
import { invalid } from '../../../sandbox/answer.ts';
import { epochMilliseconds } from '../../../sandbox/clock.ts';
import type { InstructionDocument, Mandate } from './documents.ts';

/** The parts of a credentials request that a mandate limits. */
export interface Purchase {
  readonly merchantName: string;
  readonly total: Money;
  readonly mandateIds: readonly string[];
}

/** When a mandate ends, in milliseconds. */
export const endOf = (mandate: Mandate): number => epochMilliseconds(mandate.effectiveUntilTime);

/** When the last mandate ends, and with it the instruction. */
export const lastEnd = (mandates: readonly Mandate[]): number => Math.max(...mandates.map(endOf));

/** Refuses mandates with an invalid amount, an end in the past or an id that is taken. */
export function admit(mandates: readonly Mandate[], now: number, held?: InstructionDocument): void {
  const seen = new Set<string>();
  mandates.forEach((mandate, index) => {
    const at = `mandates[${index}]`;
    const fault = moneyFault(mandate.declineThreshold.amount, mandate.declineThreshold.currencyCode);
    if (fault !== null) throw invalid(`${at}.declineThreshold.amount`, fault);
    if (endOf(mandate) <= now) throw invalid(`${at}.effectiveUntilTime`, 'The end of a mandate lies in the future.');
    if (seen.has(mandate.mandateId) || isUsedUp(mandate, held))
      throw invalid(`${at}.mandateId`, 'A mandateId is never used again.');
    seen.add(mandate.mandateId);
  });
}

/** A mandate id can be reused only for an identical mandate, so the same update can be repeated. */
function isUsedUp(mandate: Mandate, held: InstructionDocument | undefined): boolean {
  if (held === undefined || !held.mandateIds.includes(mandate.mandateId)) return false;
  const same = JSON.stringify(mandate);
  return ![...held.mandates, ...(held.waitingMandates ?? [])].some((other) => JSON.stringify(other) === same);
}

interface Bound {
  readonly source: string;
  readonly says: string;
  readonly holds: (mandate: Mandate, purchase: Purchase, now: number) => boolean;
}

// AP-09, in the order in which a breach is named.
const bounds: readonly Bound[] = [
  {
    source: 'orderInformation.amountDetail.currency',
    says: 'The currency is not that of the mandate.',
    holds: (mandate, { total }) => mandate.declineThreshold.currencyCode === total.currency,
  },
  {
    source: 'orderInformation.amountDetail.totalAmount',
    says: 'The amount is above the decline threshold of the mandate.',
    holds: (mandate, { total }) => within(total, thresholdOf(mandate)),
  },
  {
    source: 'mandateReferenceData[0].mandateId',
    says: 'The mandate has ended.',
    holds: (mandate, _, now) => now < endOf(mandate),
  },
  {
    source: 'merchantInformation.merchantName',
    says: 'The mandate prefers another merchant.',
    holds: ({ preferredMerchantName }, { merchantName }) =>
      preferredMerchantName === undefined || sameName(preferredMerchantName, merchantName),
  },
];

/** The mandate that covers a purchase. Throws the platform's 400 if none does, naming the first violation of the closest one. */
export function covering(mandates: readonly Mandate[], purchase: Purchase, now: number): Mandate {
  const at = 'transactionData[0]';
  const unknown = purchase.mandateIds.find((id) => !mandates.some(({ mandateId }) => mandateId === id));
  if (unknown !== undefined) throw invalid(`${at}.mandateReferenceData[0].mandateId`, 'The mandate is unknown.');
  const named = mandates.filter(
    ({ mandateId }) => purchase.mandateIds.length === 0 || purchase.mandateIds.includes(mandateId),
  );
  const judged = named.map((mandate) => ({
    mandate,
    breaches: bounds.filter(({ holds }) => !holds(mandate, purchase, now)),
  }));
  const [best] = judged.sort((one, other) => one.breaches.length - other.breaches.length);
  const breach = best?.breaches[0];
  if (breach !== undefined) throw invalid(`${at}.${breach.source}`, breach.says);
  if (best === undefined) throw invalid(`${at}.mandateReferenceData`, 'The instruction has no mandate.');
  return best.mandate;
}

const thresholdOf = ({ declineThreshold: { amount, currencyCode } }: Mandate): Money => money(amount, currencyCode);

const sameName = (one: string, other: string): boolean => one.trim().toLowerCase() === other.trim().toLowerCase();
