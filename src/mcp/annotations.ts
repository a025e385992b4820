import { operationOf, type Tool } from '../engine/tool.ts';

/**
 * What a host is told of a tool before it asks its user: from the effect alone, and always all four. A tool is idempotent
 * where the engine answers the same call with its first result, which it does under a reference. These are hints: the
 * engine relies on none of them.
 */
// biome-ignore format: a table
const hints = {
  memory: { readOnlyHint: true,  destructiveHint: false, idempotentHint: true,  openWorldHint: false },
  read:   { readOnlyHint: true,  destructiveHint: false, idempotentHint: true,  openWorldHint: true },
  write:  { readOnlyHint: false, destructiveHint: true,  idempotentHint: false, openWorldHint: true },
  money:  { readOnlyHint: false, destructiveHint: true,  idempotentHint: true,  openWorldHint: true },
} as const;

export type Hints = { readonly [H in keyof (typeof hints)['read']]: boolean };

export function hintsOf(tool: Tool): Hints {
  if (tool.kind === 'local') return hints.memory;
  const { effect } = operationOf(tool);
  return effect === 'read' ? hints.read : { ...hints[effect], idempotentHint: tool.reference !== undefined };
}
