import { purchase as contract } from './contract.ts';
import { kinds } from './facts.ts';
import { guards } from './guards.ts';
import { card, instruction } from './machines.ts';

/** Agent purchase: document 1. */
export const purchase = { contract, machines: { card, instruction }, kinds, guards } as const;
