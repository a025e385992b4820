import type { ServerContext } from '@modelcontextprotocol/server';
import type { Engine } from '../engine/engine.ts';
import type { Caller } from '../ledger/ledger.ts';

/** The caller with the session of the request, if the server has assigned one. */
export const callerInSession = (caller: Caller, { sessionId }: Pick<ServerContext, 'sessionId'>): Caller =>
  sessionId === undefined ? caller : { ...caller, conversation: sessionId };

/**
 * The caller over stdio. The process serves one client, so all its calls are one conversation, unless whoever started
 * it named another.
 */
export const callerOfProcess = ({ parts }: Pick<Engine, 'parts'>, caller: Caller): Caller => ({
  ...caller,
  conversation: caller.conversation ?? parts.ports.ids.handle('talk'),
});
