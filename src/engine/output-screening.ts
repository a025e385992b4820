import { holdsCardData, holdsCardNumber } from '../screening/card-data.ts';
import type { OwnNumbers } from '../screening/look-alikes.ts';
import type { Answer } from './answer.ts';

/** Whether an answer holds what looks like card data, in a value or a name. Nothing puts it there: it is the last alarm. */
export function holdsCardDataIn(value: unknown, own?: OwnNumbers): boolean {
  if (typeof value === 'string') return holdsCardData(value, own);
  if (typeof value === 'number') return holdsCardNumber(String(value));
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, member]) => holdsCardDataIn(name, own) || holdsCardDataIn(member, own));
}

/**
 * What is left of such an answer: how the call ended, as the agent must know it, and a fixed text in the place of everything
 * that somebody worded.
 */
export const redactedAnswer = (
  { outcome, environment, operation, replayed, next, error }: Answer,
  because: keyof typeof reasons = 'card data',
): Answer => ({
  outcome,
  environment,
  said: `The outcome stands; what there was to say of it is held back, because ${reasons[because]}. Tell the operator, and do not try to get it in another way.`,
  ...(operation === undefined || holdsCardDataIn(operation) ? {} : { operation }),
  ...(replayed === undefined ? {} : { replayed }),
  next,
  ...(error === undefined ? {} : { error: { code: error.code, retry: error.retry, ...ruled(error) } }),
});

const reasons = {
  'card data': 'it looks like it holds card data',
  damaged: 'a row of the ledger is damaged',
} as const;

const ruled = ({ wait, rule }: NonNullable<Answer['error']>) => ({
  ...(wait === undefined ? {} : { wait }),
  ...(rule === undefined ? {} : { rule }),
});
