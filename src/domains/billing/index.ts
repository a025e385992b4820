import { billing as contract } from './contract.ts';
import { kinds } from './facts.ts';
import { guards } from './guards.ts';
import { payment, plan, subscription } from './machines.ts';

/** Recurring billing: document 2. */
export const billing = { contract, machines: { plan, subscription, payment }, kinds, guards } as const;
