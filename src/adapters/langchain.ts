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
  /** Where LangChain's human-in-the-loop middleware asks a person: what it showed them. */
  readonly approvals?: LangchainApprovals | undefined;
}

/** Approvals in LangChain's own way, by `humanInTheLoopMiddleware`. */
export interface LangchainApprovals {
  /**
   * For `interruptOn`: a call that needs approval interrupts the agent, with the approval text as its description. The question
   * is in the ledger, and waits there. Once the person approves it, the call is made if that is still the question. The middleware
   * does not say what the person has read, so this object remembers it: an agent that goes on with another one, as in another
   * process, gets `needs_approval`.
   */
  readonly interruptOn: Record<string, InterruptOn>;
  /** The question about a call that the person has read. It lets the call through, once. */
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
  // The middleware looks once to interrupt, and once more when the agent goes on: a question that it finds both times was read.
  const looked = new Map<string, Question & { readonly isRead: boolean }>();
  const asked: InterruptOn = {
    allowedDecisions: ['approve', 'reject'],
    when: async ({ toolCall }) => {
      const { name, args } = toolCall;
      const question = await questionOf(own, name, options.strict ? read(name, args) : args, caller);
      const key = keyOf(toolCall);
      const before = looked.get(key);
      looked.delete(key);
      // Where nobody need be asked any more, the middleware still expects the call it has interrupted for.
      const now = question ?? before;
      if (now !== undefined) looked.set(key, { ...now, isRead: question !== undefined && question.id === before?.id });
      // What was rejected or dropped is never asked for.
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

/** Providers number the calls of each answer afresh, so an id alone names no call. */
const keyOf = ({ id = '', name, args }: AskedCall): string => [id, name, fingerprint(args)].join('\n');

/**
 * The tools of an engine as LangChain's structured tools, for one caller. Content is the answer as JSON, the artifact is the
 * answer itself, and the status of a message is `error` unless the call is done or waits for a person. Throws for a name in
 * `tools` that no tool has, and MissingPeer where `@langchain/core` is not installed.
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
        const artifact = await call(name, options.strict ? read(name, given) : given, caller, shown);
        const content = JSON.stringify(artifact);
        if (id === undefined) return [content, artifact];
        const status = isError(artifact.outcome) ? 'error' : 'success';
        return [new ToolMessage({ content, artifact, status, name, tool_call_id: id }), artifact];
      },
    });
    // LangChain would hold arguments against the schema and throw; here all pass, and the engine answers what is wrong.
    const open: DynamicStructuredTool = Object.create(tool, { schema: { value: {} } });
    tool.call = (...given) => DynamicStructuredTool.prototype.call.apply(open, given);
    return tool;
  });
}

const loadCore = <T>(load: () => Promise<T>): Promise<T> => loadPeer('purser/langchain', '@langchain/core', load);
