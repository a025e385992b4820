import type { Domain } from '../domain.ts';
import { device as contract } from './contract.ts';
import { kinds } from './facts.ts';
import { guards } from './guards.ts';
import { enrollment, transaction } from './machines.ts';

/** Arguments that say nothing about what a call does: a repeat may word them differently. */
const incidental = ['reference'] as const;

/** The card reader: document 3. */
export const device = {
  contract,
  machines: { enrollment, transaction },
  kinds,
  guards,
  incidental,
} as const satisfies Domain;
