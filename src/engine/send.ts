import { outcomeOf } from '../client/outcome.ts';
import type { Operation } from '../core/operation.ts';
import type { Outcome, Watch } from '../core/outcome.ts';
import { secretsIn, withoutSecrets } from '../core/secret-leaves.ts';
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
): Promise<Outcome> => ask(parts, tool.operation, operationOf(tool), request, requestId, watch);

/** The same for any operation. Each is carried by its own transport. */
export const ask = (
  parts: Carriers,
  name: string,
  operation: Operation,
  request: Request,
  requestId: string,
  watch: Watch = {},
): Promise<Outcome> =>
  operation.transport === 'reader'
    ? sendToReader(parts, operation, request, watch)
    : sendOverHttp(parts, name, operation, request, requestId);

/** Nobody cancels an HTTP call: a payment under way would be in doubt. */
async function sendOverHttp(
  { client }: Carriers,
  name: string,
  operation: Operation,
  { names, query, body }: Request,
  requestId: string,
): Promise<Outcome> {
  const secrets = secretsIn(operation.body, body);
  try {
    // The client has a method for each operation that its tools have.
    const call = (client as unknown as Methods)[name];
    if (call === undefined) throw new Error(`The client has no operation ${name}.`);
    return withoutSecrets({ kind: 'succeeded', ...(await call({ ...names, query, body }, { requestId })) }, secrets);
  } catch (error) {
    return withoutSecrets(outcomeOf(error), secrets);
  }
}

type Methods = Readonly<Record<string, (input: object, more: object) => Promise<PlatformAnswer>>>;

/** A call of a reader that isn't there reaches nothing. */
const sendToReader = async ({ reader }: Carriers, operation: Operation, { body }: Request, watch: Watch) =>
  reader === undefined ? ({ kind: 'noEffect', because: 'unreachable' } as const) : reader.send(operation, body, watch);

/** Whether the other side is there, whatever it said; undefined where it was not asked. */
export const answered = ({ reply }: { readonly reply?: Reply | undefined }): boolean | undefined =>
  reply && !(isGone(reply) || (reply.kind === 'noEffect' && reply.because === 'unreachable'));

const isGone = (reply: Reply): boolean => reply.kind === 'unknown' && reply.because === 'no-answer';
