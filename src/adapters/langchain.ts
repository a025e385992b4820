import type { DynamicStructuredTool, ToolRunnableConfig } from '@langchain/core/tools';
import { limits } from '../core/limits.ts';
import { isError } from '../engine/answer.ts';
import { fingerprint } from '../engine/approval-text.ts';
import type { Engine } from '../engine/engine.ts';
import type { Caller } from '../ledger/ledger.ts';
import { type Question, questionOf } from './approval-question.ts';
import { type AdapterOptions, createCatalogue } from './catalogue.ts';
import { loadPeer } from './optional-peer.ts';

export interface LangchainOptions extends AdapterOptions {
  /** For a model whose tools are bound with `strict: true`. */
  readonly strict?: boolean | undefined;
  /** Approvals through LangChain's human-in-the-loop middleware. */
  readonly approvals?: LangchainApprovals | undefined;
}

/** Approvals through LangChain's `humanInTheLoopMiddleware`. */
export interface LangchainApprovals {
  /**
   * For `interruptOn`: a call that needs approval interrupts the agent, with the approval text as its description. The
   * question waits in the ledger. Once the person approves it, the call is made if the question is unchanged. The
   * middleware doesn't report what the person read, so this object remembers it: an agent that resumes with another
   * object, for example in another process, gets `needs_approval`.
   */
  readonly interruptOn: Record<string, InterruptOn>;
  /** The question that the person has read about a call. It lets the call through once. */
  readonly shown: (call: AskedCall) => Question | undefined;
}

interface InterruptOn {
  readonly allowedDecisions: ('approve' | 'reject')[];
  readonly when: (asked: { readonly toolCall: AskedCall }) => Promise<boolean>;
  readonly description: (call: AskedCall) => Promise<string>;
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
  const own = engine.of(caller.tenant);
  const { entries, read } = createCatalogue(own, options);
  // The middleware asks before it interrupts, and again when the agent resumes. A question found both times was read.
  const looked = new Map<string, Question & { readonly isRead: boolean }>();
  const asked: InterruptOn = {
    allowedDecisions: ['approve', 'reject'],
    when: async ({ toolCall }) => {
      const { name, args } = toolCall;
      const question = await questionOf(own, name, options.strict ? read(name, args) : args, caller);
      const key = keyOf(toolCall);
      const before = looked.get(key);
      looked.delete(key);
      // Even if the approval is no longer needed, the middleware expects the call it interrupted for.
      const now = question ?? before;
      if (now !== undefined) looked.set(key, { ...now, isRead: question !== undefined && question.id === before?.id });
      // Rejected and dropped calls are never removed otherwise.
      for (const old of [...looked.keys()].slice(0, -limits.frameworkQuestionElements)) looked.delete(old);
      return now !== undefined;
    },
    description: async (call) => looked.get(keyOf(call))?.text ?? '',
  };
  return {
    interruptOn: Object.fromEntries(entries.map(({ name }) => [name, asked])),
    shown: (call) => {
      const found = looked.get(keyOf(call));
      looked.delete(keyOf(call));
      return found?.isRead ? found : undefined;
    },
  };
}

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
  const { entries, call, read } = createCatalogue(engine.of(caller.tenant), options);
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
