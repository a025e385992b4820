import type { Progress } from '../core/outcome.ts';
import type { OperationRow } from '../ledger/rows.ts';
import { type Body, inFlight } from './render.ts';

/** The call is in progress, and a person may have to act. Its result will be stored with its operation. */
export const inProgress = (row: OperationRow, progress: Progress, now: number): Body => ({
  ...inFlight(row, now),
  said: `The call is in progress: ${progressText(progress)}. This operation will have its result.`,
});

/** A call's progress: `WAITING_FOR_CARD (50 %)`. */
export const progressText = ({ step, fraction }: Progress): string =>
  `${stepOf(step)}${fraction === undefined ? '' : ` (${Math.round(fraction * 100)} %)`}`;

/** A step is a code of the transport; any other text is hidden. */
const stepOf = (step: string): string => (/^[A-Z][A-Z_]{1,40}$/.test(step) ? step : 'IN_PROGRESS');
