import type { Operation } from '../core/operation.ts';
import { isReadOnly, operationOf, type Tool } from '../engine/tool.ts';

/**
 * A tool's hints for the host; every tool states all four. They follow from the contract and the state machines. A tool
 * is idempotent if the engine replays the first result for a repeated call, which it does for a given reference. The
 * engine itself relies on no hint.
 */
export type Hints = {
  readonly [H in 'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint']: boolean;
};

export function hintsOf(tool: Tool): Hints {
  // A preview reads what the previewed call depends on from the platform.
  if (tool.kind === 'local')
    return { ...reads, readOnlyHint: isReadOnly(tool), openWorldHint: tool.previews !== undefined };
  const operation = operationOf(tool);
  if (isReadOnly(tool)) return reads;
  return {
    readOnlyHint: false,
    destructiveHint: isDestructive(operation),
    idempotentHint: tool.input.reference !== undefined,
    openWorldHint: true,
  };
}

const reads: Hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true };

/**
 * Whether a call can move money, send a customer a message, move a thing into a final state, or replace or delete what the platform
 * holds. Its verb says whether it replaces or deletes; a change of state that isn't final doesn't count.
 */
const isDestructive = ({ effect, messagesCustomer, moves, call }: Operation): boolean =>
  effect === 'money' ||
  messagesCustomer === true ||
  /^(PUT|PATCH|DELETE) /.test(call) ||
  (moves !== undefined && endsSomething(moves));

const endsSomething = ({ machine, trigger }: NonNullable<Operation['moves']>): boolean =>
  [...machine.rows, ...machine.assumed].some(
    ([from, pulled, , to]) => pulled === trigger && from !== to && machine.isOver(to),
  );
