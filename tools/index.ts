import type { domains } from '../src/contract/index.ts';
import type { Tool } from '../src/engine/tool.ts';
import { lookups } from './lookups.ts';
import { operations } from './operations.ts';
import { purchase } from './purchase.ts';

/** The tools of each domain: a domain without any does not compile. */
const byDomain: { readonly [D in keyof typeof domains]: readonly Tool[] } = {
  purchase: [...lookups.slice(0, 2), ...purchase, ...lookups.slice(2)],
};

/** Every tool, in the order in which agents see them. */
export const tools: readonly Tool[] = [...Object.values(byDomain).flat(), ...operations];
