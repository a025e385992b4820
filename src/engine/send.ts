import { outcomeOf } from '../client/outcome.ts';
import { sendOpened } from '../client/request-secrets.ts';
import { isStreamed, type Operation } from '../core/operation.ts';
import type { Outcome, Watch } from '../core/outcome.ts';
import type { OperationName } from '../domains/index.ts';
import { fileKind } from './file-handle.ts';
import type { EngineParts } from './parts.ts';
import type { Refusal } from './refusal.ts';
import type { Request } from './request.ts';
import { operationOf, type PlatformTool, type ToolSpec } from './tool.ts';

export type PlatformAnswer = Parameters<ToolSpec<OperationName>['observe']['observations']>[1];

/** The result of sending: the transport's outcome, or that Purser held the request back. */
export type Reply = Outcome | { readonly kind: 'held'; readonly refusal: Refusal };

type Carriers = Pick<EngineParts, 'client' | 'reader' | 'files'> & {
  readonly ports: Pick<EngineParts['ports'], 'ids'>;
};

/** Sends a tool's request once, with its own id. Never throws: every error is an outcome. */
export const send = (
  parts: Carriers,
  tool: PlatformTool,
  request: Request,
  requestId: string,
  watch: Watch = {},
): Promise<Outcome> => ask(parts, tool.operation, operationOf(tool), request, requestId, watch);

/** The same for any operation, over its transport. */
export const ask = (
  parts: Carriers,
  name: string,
  operation: Operation,
  request: Request,
  requestId: string,
  watch: Watch = {},
): Promise<Outcome> =>
  sendOpened(operation, request.body, (body) =>
    operation.transport === 'reader'
      ? sendToReader(parts, operation, { ...request, body }, { ...watch, requestId })
      : sendOverHttp(parts, name, operation, { ...request, body }, requestId, watch),
  );

/** An HTTP call that changes something can't be cancelled: its outcome would be unknown. */
async function sendOverHttp(
  { client, files, ports }: Carriers,
  name: string,
  operation: Operation,
  { names, query, body, accept }: Request,
  requestId: string,
  { signal, onProgress }: Watch,
): Promise<Outcome> {
  try {
    // A cast: the client has a method for each operation with a tool.
    const call = (client as unknown as Methods)[name];
    if (call === undefined) throw new Error(`The client has no operation ${name}.`);
    const receiving = isStreamed(operation, accept) &&
      files && {
        openFile: () => files.create(ports.ids.handle(fileKind)),
        onProgress,
        ...(operation.effect === 'read' ? { signal } : {}),
      };
    const more = { requestId, ...(receiving ? { receiving } : {}) };
    return { kind: 'succeeded', ...(await call({ ...names, query, body, accept }, more)) };
  } catch (error) {
    return outcomeOf(error);
  }
}

type Methods = Readonly<Record<string, (input: object, more: object) => Promise<PlatformAnswer>>>;

/** Without a reader, nothing was sent. */
const sendToReader = async (
  { reader }: Carriers,
  operation: Operation,
  { body }: Request,
  watch: Watch,
): Promise<Outcome> =>
  reader === undefined ? { kind: 'noEffect', because: 'unreachable' } : reader.send(operation, body, watch);

/** Whether the other side responded at all; undefined if it was not called. */
export const answered = ({ reply }: { readonly reply?: Reply | undefined }): boolean | undefined =>
  reply === undefined || isCancelled(reply)
    ? undefined
    : !(isGone(reply) || (reply.kind === 'noEffect' && reply.because === 'unreachable'));

const isCancelled = (reply: Reply): boolean => reply.kind === 'noEffect' && reply.because === 'cancelled';

const isGone = (reply: Reply): boolean => reply.kind === 'unknown' && reply.because === 'no-answer';
