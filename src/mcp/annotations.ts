import type { Operation } from '../core/operation.ts';
import { operationOf, type Tool } from '../engine/tool.ts';

/**
 * What a host knows of a tool before it asks its user; every tool states all four hints. They follow from the contract and the
 * state machines. A tool is idempotent where the engine answers a repeated call with the first result, which it does under a
 * reference. The engine itself relies on none of these hints.
 */
export type Hints = {
  readonly [H in 'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint']: boolean;
};

export function hintsOf(tool: Tool): Hints {
  // What a previewed call depends on is read from the platform.
  if (tool.kind === 'local') return { ...reads, openWorldHint: tool.previews !== undefined };
  const operation = operationOf(tool);
  if (operation.effect === 'read') return reads;
  return {
    readOnlyHint: false,
    destructiveHint: isDestructive(operation),
    idempotentHint: tool.input.reference !== undefined,
    openWorldHint: true,
  };
}

const reads: Hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true };

/** Whether a call can move money, e-mail a customer, or bring a thing into a state that nothing leaves. */
const isDestructive = ({ effect, mails, moves }: Operation): boolean =>
  effect === 'money' || mails === true || (moves !== undefined && endsSomething(moves));

const endsSomething = ({ machine, trigger }: NonNullable<Operation['moves']>): boolean =>
  [...machine.rows, ...machine.assumed].some(
    ([from, pulled, , to]) => pulled === trigger && from !== to && machine.isOver(to),
  );
