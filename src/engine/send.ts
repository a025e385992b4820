import { outcomeOf } from '../client/outcome.ts';
import type { Outcome, Watch } from '../core/outcome.ts';
import type { OperationName } from '../domains/index.ts';
import type { EngineParts } from './parts.ts';
import type { Refusal } from './refusal.ts';
import type { Request } from './request.ts';
import { operationOf, type PlatformTool, type ToolSpec } from './tool.ts';

export type PlatformAnswer = Parameters<ToolSpec<OperationName>['observe']['observations']>[1];

/** What became of a call: what its transport says, or that Purser held the request back. */
export type Reply = Outcome | { readonly kind: 'held'; readonly refusal: Refusal };

type Carriers = Pick<EngineParts, 'client' | 'reader'>;

/** Sends a tool's request once, under an id of its own. Never throws: what went wrong is the outcome. */
export const send = (
  parts: Carriers,
  tool: PlatformTool,
  request: Request,
  requestId: string,
  watch: Watch = {},
): Promise<Outcome> =>
  operationOf(tool).transport === 'reader'
    ? sendToReader(parts, tool, request, watch)
    : ask(parts, tool.operation, request, requestId);

/** Sends a request of any HTTP operation of the client. */
export async function ask(
  { client }: Pick<EngineParts, 'client'>,
  operation: OperationName,
  { names, query, body }: Request,
  requestId: string,
): Promise<Outcome> {
  const call = client[operation] as (input: object, more: object) => Promise<PlatformAnswer>;
  try {
    return { kind: 'succeeded', ...(await call({ ...names, query, body }, { requestId })) };
  } catch (error) {
    return outcomeOf(error);
  }
}

/** A call of a reader that isn't there reaches nothing. */
const sendToReader = async ({ reader }: Carriers, tool: PlatformTool, { body }: Request, watch: Watch) =>
  reader === undefined
    ? ({ kind: 'noEffect', because: 'unreachable' } as const)
    : reader.send(operationOf(tool), body, watch);

/** Whether the other side is there, whatever it said; undefined where it was not asked. */
export const answered = ({ reply }: { readonly reply?: Reply | undefined }): boolean | undefined =>
  reply && !(isGone(reply) || (reply.kind === 'noEffect' && reply.because === 'unreachable'));

const isGone = (reply: Reply): boolean => reply.kind === 'unknown' && reply.because === 'no-answer';
