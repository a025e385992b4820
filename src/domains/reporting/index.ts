import { reporting as contract } from './contract.ts';
import { kinds } from './facts.ts';
import { guards } from './guards.ts';

/** Reporting: document 3. */
export const reporting = { contract, machines: {}, kinds, guards, incidental: [] } as const;
