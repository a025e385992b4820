import { invoicing as contract } from './contract.ts';
import { kinds } from './facts.ts';
import { guards } from './guards.ts';
import { invoice } from './machines.ts';

/** Arguments that say nothing about what a call does: a repeat may word them differently. */
const incidental = ['reference', 'description'] as const;

/** Invoicing: document 2. */
export const invoicing = { contract, machines: { invoice }, kinds, guards, incidental } as const;
