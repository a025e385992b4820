import { limits } from '../../../core/limits.ts';
import { minute } from '../../../core/schedule.ts';
import type { NewWebhook } from '../management.ts';

/** When a delivery that nobody took is attempted again (D-72). Times are minutes. */
export interface RetryPolicy {
  readonly algorithm: 'ARITHMETIC' | 'GEOMETRIC';
  readonly firstRetry: number;
  readonly interval: number;
  readonly numberOfRetries: number;
  readonly deactivateFlag: boolean;
  readonly repeatSequenceCount: number;
  readonly repeatSequenceWaitTime: number;
  /** What the merchant adds; it changes nothing. */
  readonly additionalAttributes?: readonly { readonly [name: string]: string }[];
}

/** The policy of a subscription that names none, or only parts of one. Own choice: the one that samples of public clients send. */
const usual: RetryPolicy = {
  ...{ algorithm: 'ARITHMETIC', firstRetry: 1, interval: 1, numberOfRetries: 3 },
  ...{ deactivateFlag: false, repeatSequenceCount: 0, repeatSequenceWaitTime: 0 },
};

/** A policy as a request states it, in numbers. */
export function policyOf(given: NewWebhook['retryPolicy'] = {}): RetryPolicy {
  const figure = (value: string | number | undefined, otherwise: number) =>
    value === undefined ? otherwise : Number(value);
  return {
    algorithm: given.algorithm ?? usual.algorithm,
    firstRetry: figure(given.firstRetry, usual.firstRetry),
    interval: figure(given.interval, usual.interval),
    numberOfRetries: figure(given.numberOfRetries, usual.numberOfRetries),
    deactivateFlag: String(given.deactivateFlag ?? usual.deactivateFlag) === 'true',
    repeatSequenceCount: figure(given.repeatSequenceCount, usual.repeatSequenceCount),
    repeatSequenceWaitTime: figure(given.repeatSequenceWaitTime, usual.repeatSequenceWaitTime),
    ...(given.additionalAttributes === undefined ? {} : { additionalAttributes: given.additionalAttributes }),
  };
}

/**
 * When a retry follows the first attempt, in milliseconds; undefined where the policy has no such retry. Within a sequence it is an
 * arithmetic or a geometric progression from `firstRetry`. A sequence that is repeated begins `repeatSequenceWaitTime` after the last
 * retry of the one before.
 */
export function retryAfter(policy: RetryPolicy, retry: number): number | undefined {
  const { numberOfRetries: each, repeatSequenceCount, repeatSequenceWaitTime } = policy;
  if (retry < 1 || retry > each * (1 + repeatSequenceCount)) return undefined;
  const sequence = Math.floor((retry - 1) / each);
  const minutes = sequence * (term(policy, each) + repeatSequenceWaitTime) + term(policy, ((retry - 1) % each) + 1);
  return minutes > limits.webhookRetryMinutes ? undefined : minutes * minute;
}

/** The moment of a retry within its sequence, in minutes. */
function term({ algorithm, firstRetry, interval }: RetryPolicy, retry: number): number {
  if (algorithm === 'ARITHMETIC') return firstRetry + interval * (retry - 1);
  // A ratio of nothing would put a retry before the one it follows.
  return firstRetry * Math.max(1, interval) ** (retry - 1);
}
