import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  type ElicitResult,
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
import { approvalPageUrl } from '../engine/approval-links.ts';
import { digestOf } from '../engine/digest.ts';
import type { Engine } from '../engine/engine.ts';
import { denied } from '../engine/terminal-answers.ts';
import type { Caller } from '../ledger/ledger.ts';
import { type Asked, createOpenQuestions } from './open-questions.ts';
import { callWatched } from './watched-call.ts';

/**
 * The state of a question, sent to the client and back: the approval, the way it was asked, and the exact call. Signed,
 * not secret.
 */
interface Question {
  readonly approval: string;
  readonly by: Way['by'];
  readonly tool: string;
  readonly args: string;
}

/** The returned state of a call: its question, or that it has expired. */
export type Returned = Question | { readonly late: true };

/** Approvals within a conversation. */
export interface Conversation {
  /** Verifies the state that a client sends back. Throws if Purser didn't sign it. */
  readonly verify: (state: string, ctx: ServerContext) => Promise<Returned>;
  /** Asks the client's user, with a form of the client or on the approval page. The client brings back what they did. */
  readonly ask: (
    way: Way,
    approval: AnswerApproval,
    tool: string,
    args: unknown,
    ctx: ServerContext,
  ) => Promise<InputRequiredResult>;
  /** Completes the call according to the user's reaction. */
  readonly settle: (returned: Returned, tool: string, args: unknown, ctx: ServerContext) => Promise<Answer>;
  /**
   * Asks within the call, as clients before the revision 2026-07-28 are asked, and waits for the user's reaction: the
   * answer to the call; undefined where the call itself finds out.
   */
  readonly wait: (way: Way, approval: AnswerApproval, asked: Asked) => Promise<Answer | undefined>;
}

const key = 'approval';

/**
 * Asks people for approvals through the client. A client could forge the returned state, so it is signed, short-lived,
 * and bound to the caller, the transport, the way of asking, the tool and the exact arguments. The ledger ensures that
 * it works once: an approval is decided and consumed by compare-and-set.
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
  const { clock, ids } = engine.parts.ports;
  const user = { tenant: caller.tenant, approver: `user of ${caller.principal}` };
  const wait = createOpenQuestions();

  /** Records what the user decided; undefined where the call itself finds out. */
  const record = async (
    { approval, by }: Pick<Question, 'approval' | 'by'>,
    reaction: Reaction | undefined,
    isAwaited: boolean,
  ): Promise<Answer | undefined> => {
    const verdict = reaction?.action === 'cancel' ? undefined : verdicts[by](reaction);
    if (verdict === undefined) return undefined;
    const channel = by === 'page' ? 'page' : formChannel[transport];
    const person = { ...user, channel, ...(isAwaited ? { isAwaited } : {}) };
    const decided = await engine.decide(approval, verdict, person);
    if (!decided.ok && decided.isOff) return uncounted(engine.environment, decided.because);
    // It may already be decided elsewhere: the call itself finds out.
    return verdict === 'approve' ? undefined : denied(engine.environment, decided);
  };

  return {
    verify: async (state, ctx) => {
      try {
        return await codec.verify(state, ctx);
      } catch (error) {
        if (error instanceof Error && error.message === 'expired') return { late: true };
        throw error; // the SDK responds only that the state is invalid
      }
    },
    ask: async (way, { id, text, expires }, tool, args, ctx) =>
      inputRequired({
        inputRequests: { [key]: questionBy(way, id, questionText(text, expires)) },
        requestState: await codec.mint({ approval: id, by: way.by, tool, args: digestOfArguments(args) }, ctx),
      }),
    settle: async (returned, tool, args, ctx) => {
      if ('late' in returned) return late(engine.environment);
      if (returned.tool !== tool || returned.args !== digestOfArguments(args)) return otherCall(engine.environment);
      return (await record(returned, reactionOf(ctx), true)) ?? callWatched(engine, caller, tool, args, ctx);
    },
    wait: (way, { id, text, expires }, asked) =>
      wait(
        {
          approval: id,
          ask: () =>
            asked.ctx.mcpReq.send(
              { method: 'elicitation/create', params: requestBy(way, id, questionText(text, expires), ids.uuid) },
              { timeout: Math.max(1, Date.parse(expires) - clock.now()) },
            ),
          record: (reaction, isAwaited) => record({ approval: id, by: way.by }, reaction, isAwaited),
        },
        asked,
      ),
  };
}

const freshKey = ({ parts: { ports } }: Engine): string => ports.ids.key('key') + ports.ids.key('key');

/**
 * How a person is asked: with a form in the client, or on the approval page at this origin, which needs the person's
 * token.
 */
export type Way = { readonly by: 'form' } | { readonly by: 'page'; readonly origin: string };

const questionText = (text: string, expires: string): string => `${text}\nAsked until: ${expires}`;

const form = () => ({
  type: 'object' as const,
  properties: { approve: { type: 'boolean' as const, title: 'Approve', description: 'This exact call, once.' } },
  required: ['approve'],
});

const questionBy = (way: Way, id: string, message: string) =>
  way.by === 'page'
    ? inputRequired.elicitUrl({ message, url: approvalPageUrl(way.origin, id) })
    : inputRequired.elicit({ message, requestedSchema: form() });

/**
 * The same question as a request of its own, as revisions before 2026-07-28 have it: there, a page needs an id, another each time
 * it is asked about.
 */
const requestBy = (way: Way, id: string, message: string, newId: () => string) =>
  way.by === 'page'
    ? { mode: 'url' as const, message, url: approvalPageUrl(way.origin, id), elicitationId: newId() }
    : { mode: 'form' as const, message, requestedSchema: form() };

/** What determines the ways of asking. */
export interface Asking {
  readonly transport: Transport;
  readonly channels: readonly Channel[];
  /** The public URL of the approval page; by default the origin of the request. */
  readonly publicUrl?: string | undefined;
}

/**
 * How to ask a person: by a method the client has declared, on a connection with a way back, through a channel that
 * counts. A page needs a client that opens URLs, and Purser over HTTP. Its origin is the public URL if one is
 * configured: behind a proxy the request has another one, and anybody can send a proxy's headers.
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

/**
 * The digest that binds a question to its arguments; empty for arguments that the engine refuses unread, because these
 * are never asked about.
 */
function digestOfArguments(args: unknown): string {
  try {
    return digestOf(args as Json); // the arguments were parsed from JSON
  } catch {
    return '';
  }
}

/** The user's reaction; undefined if there was none. */
function reactionOf({ mcpReq }: ServerContext): Reaction | undefined {
  const response = inputResponse(mcpReq.inputResponses, key);
  return response.kind === 'elicit' ? response : undefined;
}

interface Reaction {
  readonly action: ElicitResult['action'];
  readonly content?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The decision of a reaction, by way of asking: yes, no, or none. A form contains the decision. On a page the person
 * decides there, so the client's report of an opened page is never a yes; a user who declines to open it says no.
 */
const verdicts: { readonly [B in Way['by']]: (it: Reaction | undefined) => 'approve' | 'deny' | undefined } = {
  form: (it) => (it?.action === 'decline' ? 'deny' : ofForm(it?.content?.approve)),
  page: (it) => (it?.action === 'decline' ? 'deny' : undefined),
};

const ofForm = (approve: unknown) => (approve === true ? 'approve' : approve === false ? 'deny' : undefined);

const uncounted = (environment: string, because: string): Answer => ({
  outcome: 'refused',
  environment,
  said: `${because} Nothing was sent.`,
  next: ['list_approvals'],
  error: { code: 'APPROVAL_REQUIRED', retry: 'same_call', rule: 'EN-04' },
});

const late = (environment: string): Answer => ({
  outcome: 'refused',
  environment,
  said: 'The answer to the question came too late, and nothing was sent. To ask again, repeat the same call.',
  next: ['list_approvals'],
  error: { code: 'APPROVAL_REQUIRED', retry: 'same_call', rule: 'EN-04' },
});

const otherCall = (environment: string): Answer => ({
  outcome: 'refused',
  environment,
  said: 'The answer is about another call, so it approves nothing here. Make this call without it.',
  next: ['list_approvals'],
  error: { code: 'CONFLICT', retry: 'same_call', rule: 'EN-04' },
});
