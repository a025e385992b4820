import type { domains } from '../contract/index.ts';
import { billing } from './billing.ts';
import type { Guard } from './guard.ts';
import { invoicing } from './invoicing.ts';
import { purchase } from './purchase.ts';

/** The guards of each domain: one that needs none says so with an empty list. */
const byDomain: { readonly [D in keyof typeof domains]: readonly Guard[] } = { purchase, billing, invoicing };

/** Every guard, in the order in which they are asked. */
export const guards: readonly Guard[] = Object.values(byDomain).flat();
