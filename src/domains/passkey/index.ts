import type { Domain } from '../domain.ts';
import { passkey as contract } from './contract.ts';
import { kinds } from './facts.ts';
import { guards } from './guards.ts';
import { readIframeSession } from './iframe-session.ts';
import { authentication } from './machines.ts';

/** Tokenized card authentication: document 1. */
export const passkey = {
  ...{ contract, machines: { authentication }, kinds, guards, incidental: [] },
  session: { member: 'iframe', rule: 'PK-12', read: readIframeSession },
} as const satisfies Domain;
