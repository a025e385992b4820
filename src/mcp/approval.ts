import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Json } from '../core/canonical-json.ts';
import { limits } from '../core/limits.ts';
import type { Answer, AnswerApproval } from '../engine/answer.ts';
import { type Channel, formChannel, type Transport } from '../engine/approval-channels.ts';
import { pageOf } from '../engine/approval-links.ts';
import { recordDecision } from '../engine/approval-service.ts';
import { digestOf } from '../engine/digest.ts';
import type { Engine } from '../engine/engine.ts';
import { denied } from '../engine/terminal-answers.ts';
import type { Caller } from '../ledger/ledger.ts';
import { within } from './conversation.ts';

/**
 * What a question carries to the client and back: which approval it is about, by which way it was asked, and for which exact
 * call. Signed, not secret.
 */
interface Question {
  readonly approval: string;
  readonly by: Way['by'];
  readonly tool: string;
  readonly args: string;
}

/** The state of a call that comes back: its question, or that its time is over. */
export type Returned = Question | { readonly late: true };

/** The way approvals are asked for within a conversation. */
export interface Conversation {
  /** Checks the state that a client sends back; throws for one that is not ours. */
  readonly verify: (state: string, ctx: ServerContext) => Promise<Returned>;
  /** Asks the client's user, by a form of the client or on a page of ours. */
  readonly ask: (
    way: Way,
    approval: AnswerApproval,
    tool: string,
    args: unknown,
    ctx: ServerContext,
  ) => Promise<InputRequiredResult>;
  /** What the user's reaction makes of the call. */
  readonly settle: (returned: Returned, tool: string, args: unknown, ctx: ServerContext) => Promise<Answer>;
}

const key = 'approval';

/**
 * Asks people for approvals through the client. The client could forge the state that comes back, so it is signed, short-lived,
 * and bound to the caller, the transport, the way of asking, the tool and the exact arguments. The ledger makes sure that it
 * works once: an approval is decided and consumed by compare-and-set.
 */
export function createConversation(
  engine: Engine,
  caller: Caller,
  { stateKey, transport }: { readonly stateKey?: string | undefined; readonly transport: Transport },
): Conversation {
  const codec = createRequestStateCodec<Question>({
    key: stateKey ?? freshKey(engine),
    ttlSeconds: limits.approvalMinutes * 60,
    bind: (ctx) => JSON.stringify([ctx.mcpReq.method, caller.tenant, caller.principal, transport]),
  });
  const user = { tenant: caller.tenant, approver: `user of ${caller.principal}`, isAwaited: true } as const;

  return {
    verify: async (state, ctx) => {
      try {
        return await codec.verify(state, ctx);
      } catch (error) {
        if (error instanceof Error && error.message === 'expired') return { late: true };
        throw error; // the SDK answers that the state is invalid, and says no more
      }
    },
    ask: async (way, { id, text, expires }, tool, args, ctx) =>
      inputRequired({
        inputRequests: { [key]: questionBy(way, id, `${text}\nAsked until: ${expires}`) },
        requestState: await codec.mint({ approval: id, by: way.by, tool, args: digestOfArguments(args) }, ctx),
      }),
    settle: async (returned, tool, args, ctx) => {
      if ('late' in returned) return late(engine.environment);
      if (returned.tool !== tool || returned.args !== digestOfArguments(args)) return otherCall(engine.environment);
      const verdict = verdicts[returned.by](reactionOf(ctx));
      if (verdict === undefined) return engine.call(tool, args, within(caller, ctx));
      const channel = returned.by === 'page' ? 'page' : formChannel[transport];
      const decided = await recordDecision(engine.parts, returned.approval, verdict, { ...user, channel });
      if (!decided.ok && decided.isOff) return uncounted(engine.environment, decided.because);
      // Somebody may have decided it elsewhere meanwhile: the call itself finds out.
      if (verdict === 'approve') return engine.call(tool, args, within(caller, ctx));
      return denied(engine.environment, decided);
    },
  };
}

const freshKey = ({ parts: { ports } }: Engine): string => ports.ids.key('key') + ports.ids.key('key');

/** How a question reaches a person: a form that the client shows, or a page at this origin, where the person has a token. */
export type Way = { readonly by: 'form' } | { readonly by: 'page'; readonly origin: string };

const questionBy = (way: Way, id: string, message: string) =>
  way.by === 'page'
    ? inputRequired.elicitUrl({ message, url: pageOf(way.origin, id) })
    : inputRequired.elicit({
        message,
        requestedSchema: {
          type: 'object',
          properties: { approve: { type: 'boolean', title: 'Approve', description: 'Exactly this, once.' } },
          required: ['approve'],
        },
      });

/** By which ways a question may be asked. */
export interface Asking {
  readonly transport: Transport;
  readonly channels: readonly Channel[];
  /** Where people find the page of an approval; by default where the call came in. */
  readonly publicUrl?: string | undefined;
}

/**
 * The way by which a question can reach a person: what the client has declared, on a connection that has a way back, by a
 * channel that counts. A page takes a client that opens one, and Purser over HTTP. Its address is the public one where
 * that is configured: behind a proxy that ends TLS the call arrives by another one, and anybody can write a proxy's headers.
 */
export function wayToAsk(
  server: McpServer,
  era: 'legacy' | 'modern',
  ctx: ServerContext,
  { transport, channels, publicUrl }: Asking,
): Way | undefined {
  const envelope: { readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } = ctx.mcpReq.envelope ?? {};
  const declared =
    era === 'modern'
      ? envelope[CLIENT_CAPABILITIES_META_KEY]?.elicitation
      : server.server.getClientCapabilities()?.elicitation; // empty over HTTP without a session, which has no way back
  if (declared === undefined) return undefined;
  const hasForms = 'form' in declared || Object.keys(declared).length === 0;
  if (hasForms && channels.includes(formChannel[transport])) return { by: 'form' };
  const opensPages = 'url' in declared && channels.includes('page');
  const reached = opensPages ? ctx.http?.req?.url : undefined;
  return reached === undefined ? undefined : { by: 'page', origin: new URL(publicUrl ?? reached).origin };
}

/** What binds a question to arguments. It is empty for those that the engine would refuse unread: nobody asked about them. */
function digestOfArguments(args: unknown): string {
  try {
    return digestOf(args as Json); // they came as JSON
  } catch {
    return '';
  }
}

/** How the user has reacted; undefined where they closed the question, or nothing came back. */
function reactionOf({ mcpReq }: ServerContext) {
  const response = inputResponse(mcpReq.inputResponses, key);
  return response.kind !== 'elicit' || response.action === 'cancel' ? undefined : response;
}

/**
 * What a reaction decides, by the way of asking: a yes, a no, or nothing. A form holds the decision. A page decides itself, so
 * what the client says of one that was opened is never a yes; a user who won't open it says no.
 */
const verdicts: { readonly [B in Way['by']]: (it: ReturnType<typeof reactionOf>) => 'approve' | 'deny' | undefined } = {
  form: (it) => (it?.action === 'decline' ? 'deny' : ofForm(it?.content?.approve)),
  page: (it) => (it?.action === 'decline' ? 'deny' : undefined),
};

const ofForm = (approve: unknown) => (approve === true ? 'approve' : approve === false ? 'deny' : undefined);

const uncounted = (environment: string, because: string): Answer => ({
  outcome: 'refused',
  environment,
  said: `${because} Nothing was sent.`,
  next: ['list_approvals'],
  error: { code: 'APPROVAL_REQUIRED', retry: 'never', rule: 'EN-04' },
});

const late = (environment: string): Answer => ({
  outcome: 'refused',
  environment,
  said: 'The answer to the question came too late, and nothing was sent. Make the same call again to ask anew.',
  next: ['list_approvals'],
  error: { code: 'APPROVAL_REQUIRED', retry: 'same_call', rule: 'EN-04' },
});

const otherCall = (environment: string): Answer => ({
  outcome: 'refused',
  environment,
  said: 'The question was asked about another call, so its answer approves nothing here. Make this call without it.',
  next: ['list_approvals'],
  error: { code: 'CONFLICT', retry: 'same_call', rule: 'EN-04' },
});
