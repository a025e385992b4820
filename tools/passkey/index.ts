import type { Tool } from '../../src/engine/tool.ts';
import { authentications } from './authentications.ts';
import { lookups } from './get-authentication.ts';

/** The tools for the passkey authentication of cards. */
export const passkey: readonly Tool[] = [...authentications, ...lookups];
