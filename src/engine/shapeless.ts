import type { Outcome, UnknownCause } from '../core/outcome.ts';

/** Whether a response doesn't match the documented schema (EN-08). */
export const isShapeless = (outcome: Outcome): boolean =>
  outcome.kind === 'unknown' && shapeless.includes(outcome.because);

const shapeless: readonly UnknownCause[] = ['not-json', 'truncated', 'oversized', 'wrong-shape', 'redirected'];
