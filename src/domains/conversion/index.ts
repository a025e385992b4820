import type { Domain } from '../domain.ts';
import { conversion as contract } from './contract.ts';
import { kinds } from './facts.ts';
import { guards } from './guards.ts';
import { capture, charge, offer, refund } from './machines.ts';

/** Arguments that say nothing about what a call does: a repeat may word them differently. */
const incidental = ['reference', 'reason'] as const;

/** Currency conversion and its payments: document 1. */
export const conversion = {
  contract,
  machines: { offer, charge, capture, refund },
  kinds,
  guards,
  incidental,
} as const satisfies Domain;
