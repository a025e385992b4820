import type { Client, More } from '../client/client.ts';
import { PlatformFault } from '../client/errors.ts';
import type { Request } from './assemble.ts';
import type { Reply } from './finish.ts';
import type { PlatformTool } from './tool.ts';

/** Sends a request once, under an id of its own. Never throws: what went wrong is the reply. */
export async function send(
  client: Client,
  tool: PlatformTool,
  { names, query, body }: Request,
  requestId: string,
): Promise<Reply> {
  const call = client[tool.operation] as (input: object, more: More) => Promise<unknown>;
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
