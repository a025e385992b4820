import type { Client, More } from '../client/client.ts';
import { PlatformFault } from '../client/errors.ts';
import type { OperationName } from '../domains/index.ts';
import type { Request } from './request.ts';
import type { PlatformTool, ToolSpec } from './tool.ts';

export type PlatformAnswer = Parameters<ToolSpec<'enrollCard'>['learns']>[1];

/** What came back from the client: an answer of the contract, or anything else. */
export type Reply =
  | { readonly ok: true; readonly answer: PlatformAnswer }
  | { readonly ok: false; readonly error: unknown };

/** Sends a tool's request once, under an id of its own. Never throws: what went wrong is the reply. */
export const send = (client: Client, tool: PlatformTool, request: Request, requestId: string): Promise<Reply> =>
  ask(client, tool.operation, request, requestId);

/** The same for any operation. */
export async function ask(
  client: Client,
  operation: OperationName,
  { names, query, body }: Request,
  requestId: string,
): Promise<Reply> {
  const call = client[operation] as (input: object, more: More) => Promise<unknown>;
  try {
    // The client answers exactly the statuses and shapes of the contract.
    return {
      ok: true,
      answer: (await call({ ...names, query, body }, { requestId })) as Extract<Reply, { ok: true }>['answer'],
    };
  } catch (error) {
    return { ok: false, error };
  }
}

/** Whether the platform is there, whatever it said; undefined where it was not asked. */
export const answered = ({ reply }: { readonly reply?: Reply | undefined }): boolean | undefined =>
  reply && (reply.ok || !(reply.error instanceof PlatformFault) || !gone.includes(reply.error.kind));
const gone: readonly string[] = ['unreachable', 'no-answer'];
