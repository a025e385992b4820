import type { ServerContext } from '@modelcontextprotocol/server';
import type { Engine } from '../engine/engine.ts';
import type { Caller } from '../ledger/ledger.ts';

/** The caller within the session that a request came in, where the server has given the connection one. */
export const within = (caller: Caller, { sessionId }: Pick<ServerContext, 'sessionId'>): Caller =>
  sessionId === undefined ? caller : { ...caller, conversation: sessionId };

/**
 * The caller at the other end of stdio. The process that serves it serves nobody else, so its whole life is one conversation,
 * unless whoever started it has named another.
 */
export const alone = ({ parts }: Pick<Engine, 'parts'>, caller: Caller): Caller => ({
  ...caller,
  conversation: caller.conversation ?? parts.ports.ids.handle('talk'),
});
