import type { Domain } from '../domain.ts';
import { reporting as contract } from './contract.ts';
import { kinds } from './facts.ts';
import { guards } from './guards.ts';
import { reportSubscription } from './machines.ts';

/** Reporting: document 3. */
export const reporting = {
  contract,
  machines: { reportSubscription },
  kinds,
  guards,
  incidental: [],
} as const satisfies Domain;
