import type { Domain } from '../domain.ts';
import { purchase as contract } from './contract.ts';
import { kinds } from './facts.ts';
import { guards } from './guards.ts';
import { card, instruction } from './machines.ts';
import { cards, receipt } from './registration.ts';

/** Arguments that don't determine what a call does: a repeat may have other texts. */
const incidental = ['reference', 'description', 'prompt', 'until'] as const;

/** Agent purchase: document 1. */
export const purchase = {
  ...{ contract, machines: { card, instruction }, kinds, guards, incidental },
  ...{ sessionLists: [cards], receipt },
} as const satisfies Domain;
