import type { Progress } from '../core/outcome.ts';
import type { OperationRow } from '../ledger/rows.ts';
import { type Body, inFlight } from './render.ts';

/** The call goes on, and a person may have to act. Its result will be under its operation. */
export const inProgress = (row: OperationRow, { step, fraction }: Progress, now: number): Body => ({
  ...inFlight(row, now),
  said: `The call goes on: ${stepOf(step)}${fraction === undefined ? '' : ` (${Math.round(fraction * 100)} %)`}. Its result will be under this operation.`,
});

/** A step is a code of the transport; any other text isn't shown. */
const stepOf = (step: string): string => (/^[A-Z][A-Z_]{1,40}$/.test(step) ? step : 'IN_PROGRESS');
