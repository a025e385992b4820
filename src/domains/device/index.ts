import { device as contract } from './contract.ts';
import { kinds } from './facts.ts';

/** Contactless devices: document 3. */
export const device = { contract, machines: {}, kinds, guards: [], incidental: [] } as const;
