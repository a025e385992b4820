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
import { limits } from '../contract/limits.ts';
import type { Answer, AnswerApproval } from '../engine/answer.ts';
import { digestOf } from '../engine/digest.ts';
import { denied } from '../engine/endings.ts';
import type { Engine } from '../engine/engine.ts';
import { decide } from '../engine/people.ts';
import type { Caller, Json } from '../ledger/ledger.ts';
import { pageOf } from './page.ts';

/** What a question carries to the client and back: which approval it is about, and for which exact call. Signed, not secret. */
interface Question {
  readonly approval: string;
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
 * Asks people for approvals through the client. The state that comes back is the client's to forge: it is signed, bound to the caller, the tool and the very arguments, and short-lived. That it is used once is the
 * ledger's doing: an approval is decided and consumed by compare-and-set.
 */
export function createConversation(engine: Engine, caller: Caller, stateKey?: string): Conversation {
  const { parts } = engine;
  const codec = createRequestStateCodec<Question>({
    key: stateKey ?? parts.ports.ids.handle('key') + parts.ports.ids.handle('key'),
    ttlSeconds: limits.approvalMinutes * 60,
    bind: (ctx) => JSON.stringify([ctx.mcpReq.method, caller.tenant, caller.principal]),
  });
  const by = { tenant: caller.tenant, approver: `user of ${caller.principal}`, channel: 'elicitation' } as const;

  return {
    verify: async (state, ctx) => {
      try {
        return await codec.verify(state, ctx);
      } catch (error) {
        if (error instanceof Error && error.message === 'expired') return { late: true };
        throw error; // the SDK answers that the state is invalid, and tells no more
      }
    },
    ask: async (way, { id, text, expires }, tool, args, ctx) =>
      inputRequired({
        inputRequests: { [key]: questionBy(way, id, `${text}\nAsked until: ${expires}`) },
        requestState: await codec.mint({ approval: id, tool, args: digestOfArguments(args) }, ctx),
      }),
    settle: async (returned, tool, args, ctx) => {
      if ('late' in returned) return late(engine.environment);
      if (returned.tool !== tool || returned.args !== digestOfArguments(args)) return otherCall(engine.environment);
      const verdict = verdictOf(ctx);
      if (verdict === undefined) return engine.call(tool, args, caller);
      const decided = await decide(parts, returned.approval, verdict, by);
      // An approval that was decided elsewhere meanwhile stands as it was decided: the call itself finds out.
      if (verdict === 'approve') return engine.call(tool, args, caller);
      return denied(engine.environment, decided);
    },
  };
}

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

/**
 * The way by which a question can reach a person: what the client has declared, on a connection that has a way back. A page
 * takes a client of the 2026 revision, and Purser over HTTP. It stands at the public address where one is configured: behind a
 * proxy that ends TLS, the call itself has come by another one, and what a proxy's headers say anybody could have written.
 */
export function wayToAsk(
  server: McpServer,
  era: 'legacy' | 'modern',
  ctx: ServerContext,
  publicUrl?: string | undefined,
): Way | undefined {
  const envelope: { readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } = ctx.mcpReq.envelope ?? {};
  const declared =
    era === 'modern'
      ? envelope[CLIENT_CAPABILITIES_META_KEY]?.elicitation
      : server.server.getClientCapabilities()?.elicitation; // empty over stateless HTTP, which has no way back
  if (declared === undefined) return undefined;
  if ('form' in declared || Object.keys(declared).length === 0) return { by: 'form' };
  const reached = era === 'modern' && 'url' in declared ? ctx.http?.req?.url : undefined;
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

/** A yes, a no, or nothing that could be called either. */
function verdictOf({ mcpReq }: ServerContext): 'approve' | 'deny' | undefined {
  const response = inputResponse(mcpReq.inputResponses, key);
  if (response.kind !== 'elicit' || response.action === 'cancel') return undefined;
  if (response.action === 'decline') return 'deny';
  const { approve } = response.content ?? {};
  return approve === true ? 'approve' : approve === false ? 'deny' : undefined;
}

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
  error: { code: 'CONFLICT', retry: 'never', rule: 'EN-04' },
});
