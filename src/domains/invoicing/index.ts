import { invoicing as contract } from './contract.ts';
import { kinds } from './facts.ts';
import { guards } from './guards.ts';
import { invoice } from './machines.ts';

/** Invoicing: document 2. */
export const invoicing = { contract, machines: { invoice }, kinds, guards } as const;
