import type { Guard } from './guard.ts';
import { purchase } from './purchase.ts';

/** Every guard, in the order in which they are asked. */
export const guards: readonly Guard[] = [...purchase];
