import type { AIMessage, BaseMessage, ToolMessage } from '@langchain/core/messages';
import type { DynamicStructuredTool, ToolRunnableConfig } from '@langchain/core/tools';
import { limits } from '../core/limits.ts';
import { isError } from '../engine/answer.ts';
import { fingerprint } from '../engine/approval-text.ts';
import { engineOf } from '../engine/demand-caller.ts';
import type { Engine } from '../engine/engine.ts';
import type { Caller } from '../ledger/ledger.ts';
import { type Question, questionOf, recordDenial } from './approval-question.ts';
import { type AdapterOptions, createCatalogue } from './catalogue.ts';
import { loadPeer } from './optional-peer.ts';

export interface LangchainOptions extends AdapterOptions {
  /** For a model whose tools are bound with `strict: true`. */
  readonly strict?: boolean | undefined;
  /** Approvals through LangChain's human-in-the-loop middleware. */
  readonly approvals?: LangchainApprovals | undefined;
}

const optionNames = ['strict', 'approvals'] as const satisfies readonly (keyof LangchainOptions)[];

/** Approvals through LangChain's `humanInTheLoopMiddleware`. */
export interface LangchainApprovals {
  /**
   * For `interruptOn`: a call that needs approval interrupts the agent, with the approval text as its description. The
   * question waits in the ledger. Once the person approves it, the call is made if the question is unchanged. The
   * middleware doesn't report what the person read, so this object remembers it: an agent that resumes with another
   * object, for example in another process, gets `needs_approval`. Nor does it say when the person rejects it: that is
   * recorded with `middleware`, or else at the model's next call of a tool, since the agent's messages tell.
   */
  readonly interruptOn: Record<string, InterruptOn>;
  /**
   * For the agent's `middleware`, beside the human-in-the-loop middleware: records what a person has rejected, so that
   * the question is decided in the ledger, too, and nobody can approve it elsewhere.
   */
  readonly middleware: {
    readonly name: string;
    readonly wrapModelCall: <Request extends Messages, Said>(
      request: Request,
      handler: (request: Request) => Said | Promise<Said>,
    ) => Promise<Said>;
  };
  /** The question that the person has read about a call. It lets the call through once. */
  readonly shown: (call: AskedCall) => Question | undefined;
}

interface InterruptOn {
  readonly allowedDecisions: ('approve' | 'reject')[];
  readonly when: (asked: { readonly toolCall: AskedCall; readonly state?: Messages }) => Promise<boolean>;
  readonly description: (call: AskedCall) => Promise<string>;
}

interface Messages {
  readonly messages?: readonly BaseMessage[] | undefined;
}

interface AskedCall {
  readonly id?: string | undefined;
  readonly name: string;
  readonly args: unknown;
}

/** Approvals for `langchainTools` with the same caller and options. */
export function langchainApprovals(
  engine: Engine,
  caller: Caller,
  options: Pick<LangchainOptions, 'tools' | 'strict'> = {},
): LangchainApprovals {
  const own = engineOf(engine, caller);
  const { entries, read } = createCatalogue(own, options, optionNames);
  // The middleware asks before it interrupts, and again when the agent resumes. A question found both times was read.
  const looked = new Map<string, Question & { readonly isRead: boolean }>();
  const hear = async ({ messages = [] }: Messages): Promise<void> => {
    for (const call of rejectedIn(messages)) {
      const question = looked.get(keyOf(call));
      looked.delete(keyOf(call));
      if (question !== undefined) await recordDenial(own, question.id, caller);
    }
  };
  const asked: InterruptOn = {
    allowedDecisions: ['approve', 'reject'],
    when: async ({ toolCall, state = {} }) => {
      await hear(state);
      const { name, args } = toolCall;
      const question = await questionOf(own, name, options.strict ? read(name, args) : args, caller);
      const key = keyOf(toolCall);
      const before = looked.get(key);
      looked.delete(key);
      // Even if the approval is no longer needed, the middleware expects the call it interrupted for.
      const now = question ?? before;
      if (now !== undefined) looked.set(key, { ...now, isRead: question !== undefined && question.id === before?.id });
      // Dropped calls are never removed otherwise.
      for (const old of [...looked.keys()].slice(0, -limits.frameworkQuestionElements)) looked.delete(old);
      return now !== undefined;
    },
    description: async (call) => looked.get(keyOf(call))?.text ?? '',
  };
  return {
    interruptOn: Object.fromEntries(entries.map(({ name }) => [name, asked])),
    middleware: {
      name: 'PurserDenials',
      // A rejection goes straight back to the model, past the hooks that run before it.
      wrapModelCall: async (request, handler) => {
        await hear(request);
        return handler(request);
      },
    },
    shown: (call) => {
      const found = looked.get(keyOf(call));
      looked.delete(keyOf(call));
      return found?.isRead ? found : undefined;
    },
  };
}

/**
 * The calls of the model that the middleware answered in a person's stead. Only answers after the last message with the
 * call count, because ids are used again. The answers of Purser's tools have an artifact.
 */
function rejectedIn(messages: readonly BaseMessage[]): readonly AskedCall[] {
  const calls = new Map<string, AskedCall>();
  const rejected = new Map<string, AskedCall>();
  for (const message of messages) {
    for (const call of callsOf(message)) {
      calls.set(call.id ?? '', call);
      rejected.delete(keyOf(call));
    }
    const { tool_call_id: id, status, artifact } = message as Partial<ToolMessage>; // a message of any type
    const call = id !== undefined && status === 'error' && artifact === undefined ? calls.get(id) : undefined;
    if (call !== undefined) rejected.set(keyOf(call), call);
  }
  return [...rejected.values()];
}

const callsOf = (message: BaseMessage): readonly AskedCall[] => (message as Partial<AIMessage>).tool_calls ?? []; // likewise

/** Providers reuse ids across responses, so an id alone doesn't identify a call. */
const keyOf = ({ id = '', name, args }: AskedCall): string => [id, name, fingerprint(args)].join('\n');

/**
 * The engine's tools as LangChain structured tools, for one caller. The content is the answer as JSON, the artifact is
 * the answer itself, and the status is `error` unless the call is done or waits for a person. Throws if `tools` names
 * an unknown tool, and MissingPeer if `@langchain/core` is not installed.
 */
export async function langchainTools(
  engine: Engine,
  caller: Caller,
  options: LangchainOptions = {},
): Promise<DynamicStructuredTool[]> {
  const [{ DynamicStructuredTool }, { ToolMessage }] = await Promise.all([
    loadCore(() => import('@langchain/core/tools')),
    loadCore(() => import('@langchain/core/messages')),
  ]);
  const { entries, call, read } = createCatalogue(engineOf(engine, caller), options, optionNames);
  return entries.map(({ name, description, listed, strict }) => {
    const tool = new DynamicStructuredTool({
      name,
      description,
      schema: { ...(options.strict ? strict : listed) },
      responseFormat: 'content_and_artifact',
      func: async (given: unknown, _, config?: ToolRunnableConfig) => {
        const id = config?.toolCall?.id;
        const shown = id === undefined ? undefined : options.approvals?.shown({ id, name, args: given });
        const more = { approved: shown, signal: config?.signal };
        const artifact = await call(name, options.strict ? read(name, given) : given, caller, more);
        const content = JSON.stringify(artifact);
        if (id === undefined) return [content, artifact];
        const status = isError(artifact.outcome) ? 'error' : 'success';
        return [new ToolMessage({ content, artifact, status, name, tool_call_id: id }), artifact];
      },
    });
    // LangChain would validate the arguments and throw. This schema accepts all, and the engine reports invalid
    // arguments.
    const open: DynamicStructuredTool = Object.create(tool, { schema: { value: {} } });
    tool.call = (...given) => DynamicStructuredTool.prototype.call.apply(open, given);
    return tool;
  });
}

const loadCore = <T>(load: () => Promise<T>): Promise<T> => loadPeer('purser/langchain', '@langchain/core', load);
