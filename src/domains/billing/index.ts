import type { Domain } from '../domain.ts';
import { billing as contract } from './contract.ts';
import { kinds } from './facts.ts';
import { guards } from './guards.ts';
import { payment, plan, subscription } from './machines.ts';

/** Arguments that don't determine what a call does: a repeat may have other texts. */
const incidental = ['reference', 'name', 'code', 'description'] as const;

/** Recurring billing: document 2. */
export const billing = {
  contract,
  machines: { plan, subscription, payment },
  kinds,
  guards,
  incidental,
} as const satisfies Domain;
