import type { Tool } from '../src/engine/tool.ts';
import { lookups } from './lookups.ts';
import { operations } from './operations.ts';
import { purchase } from './purchase.ts';

/** Every tool, in the order in which agents see them. */
export const tools: readonly Tool[] = [...lookups.slice(0, 2), ...purchase, ...lookups.slice(2), ...operations];
