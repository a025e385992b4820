import { limits } from '../../core/limits.ts';
import { decimal, type Money, money, moneyFault } from '../../core/money.ts';
import { platformTime } from '../../core/platform-time.ts';
import { day as dayMilliseconds } from '../../core/schedule.ts';
import type { TransactionFacts } from './facts.ts';
import { transaction as machine } from './machines.ts';
import type { TransactionAnswer } from './shapes.ts';
import { effectOf, type TransactionStatus } from './statuses.ts';

// The facts and the state of a transaction, from an answer of the reader.

/** Known before the answer. Stands in for what the answer leaves out. */
export type Asked = Pick<TransactionFacts, 'reference' | 'type' | 'preauthorizes'> &
  Partial<Pick<TransactionFacts, 'captured' | 'refunded'>>;

type Known = Omit<TransactionFacts, 'cardReader' | 'approved' | 'incremented'>;

/** The facts of a transaction after an answer. `begunAt`: milliseconds since the epoch. */
export function transactionOf(answer: TransactionAnswer, asked: Asked, begunAt: number): Known {
  const preauthorizes = answer.autocapture === undefined ? asked.preauthorizes : !answer.autocapture;
  const expires = platformTime(answer.expirationDate ?? '');
  return {
    ...{ identifier: answer.identifier, status: answer.status, type: answer.type ?? asked.type, preauthorizes },
    reference: answer.customIdentifier ?? asked.reference,
    begunAt,
    currency: answer.currency,
    ...{ total: answer.amount, tip: answer.tipAmount, receiptText: answer.receiptText },
    captured:
      answer.capturedAmount ??
      (!preauthorizes && effectOf(answer.status) === 'done' ? answer.amount : (asked.captured ?? '0')),
    refunded: answer.refundedAmount ?? asked.refunded ?? '0',
    ...(preauthorizes
      ? { expiresAt: Number.isNaN(expires) ? begunAt + limits.preauthorizationDays * dayMilliseconds : expires }
      : {}),
  };
}

/** A refund under way: of an amount, or of all that is left. */
interface Refunding {
  readonly amount: string | undefined;
}

/** The entity of a transaction for its machine. A refund under way counts towards `whole`. */
export const entityOf = (it: TransactionFacts | Known, state: string, now: number, refunding?: Refunding) => ({
  ...{ state, status: it.status as TransactionStatus, preauthorizes: it.preauthorizes }, // checked when it was answered
  credits: it.type === 'credit',
  expired: it.expiresAt !== undefined && it.expiresAt <= now,
  whole: isWhole(it, refunding),
});

function isWhole(
  { captured, refunded, currency }: TransactionFacts | Known,
  refunding: Refunding | undefined,
): boolean {
  const more = refunding?.amount ?? '0';
  // A stored row of an older build may lack one.
  if ([captured, refunded, more].some((it) => it === undefined || moneyFault(it, currency) !== null)) return false;
  const [all, back] = [money(captured, currency), money(refunded, currency)];
  if (all.minor <= 0n) return false;
  const isRest = refunding !== undefined && refunding.amount === undefined;
  return isRest || back.minor + money(more, currency).minor >= all.minor;
}

/** The state of a transaction after an answer: how it began, then captures and refunds, then the clock. */
export function stateOf(it: Known, now: number): string {
  const begun = machine.move(entityOf(it, 'none', now), it.type);
  let state = begun.ok ? begun.to : '';
  for (const [trigger, happened] of [
    ['capture', it.preauthorizes && isSome(it.captured)],
    ['refund', isSome(it.refunded)],
  ] as const) {
    const moved = happened ? machine.move(entityOf(it, state, now), trigger) : undefined;
    if (moved?.ok) state = moved.to;
  }
  return machine.settle(entityOf(it, state, now));
}

const isSome = (amount: string): boolean => !/^[0.]*$/.test(amount);

/** How much of a captured amount is not refunded yet. */
export const refundable = ({ captured, refunded, currency }: TransactionFacts): Money => {
  const [all, back] = [money(captured, currency), money(refunded, currency)];
  return { currency: all.currency, minor: all.minor - back.minor };
};

/** Splits a captured amount into what the charge and what its increments already counted against limits. Undefined for a hold that Purser didn't make. */
export function heldOf({ approved, incremented = '0', currency }: TransactionFacts, taken: string) {
  if (approved === undefined) return undefined;
  const [all, whole, later] = [taken, approved, incremented].map((it) => money(it, currency)) as [Money, Money, Money];
  const charged = least(all.minor, whole.minor - later.minor);
  const text = (minor: bigint) => decimal({ currency: all.currency, minor });
  return {
    chargeDevice: text(charged),
    incrementPreauthorization: text(least(all.minor - charged, later.minor)),
  };
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);
