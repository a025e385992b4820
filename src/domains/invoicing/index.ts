import type { Domain } from '../domain.ts';
import { invoicing as contract } from './contract.ts';
import { kinds } from './facts.ts';
import { guards } from './guards.ts';
import { invoice } from './machines.ts';

/** Arguments that don't determine what a call does: a repeat may have other texts. */
const incidental = ['reference', 'description'] as const;

/** Invoicing: document 2. */
export const invoicing = { contract, machines: { invoice }, kinds, guards, incidental } as const satisfies Domain;
