import type { DynamicStructuredTool, ToolRunnableConfig } from '@langchain/core/tools';
import { isError } from '../engine/answer.ts';
import type { Engine } from '../engine/engine.ts';
import type { Caller } from '../ledger/ledger.ts';
import { type AdapterOptions, createCatalogue } from './catalogue.ts';
import { loadPeer } from './peer.ts';
import { approvalText } from './preview.ts';

export interface LangchainOptions extends AdapterOptions {
  /** For a model whose tools are bound with `strict: true`. */
  readonly strict?: boolean | undefined;
  /** Where LangChain's human-in-the-loop middleware asks a person: what it showed them. */
  readonly approvals?: LangchainApprovals | undefined;
}

/** Approvals in LangChain's own way, by `humanInTheLoopMiddleware`. */
export interface LangchainApprovals {
  /**
   * For `interruptOn`: a call that needs approval interrupts the agent, with the approval text as its description. Once the
   * person approves it, it is made, if its text is still the one that they have read.
   */
  readonly interruptOn: Record<string, InterruptOn>;
  /** The text that the middleware showed for a call. It lets a call through by an approval alone. */
  readonly shown: (toolCallId: string) => string | undefined;
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
  // The middleware runs its steps once more when the agent goes on: the text that was shown first is what was approved.
  const texts = new Map<string, string>();
  const textOf = ({ name, args }: AskedCall) =>
    approvalText(own, name, options.strict ? read(name, args) : args, caller);
  const asked: InterruptOn = {
    allowedDecisions: ['approve', 'reject'],
    when: async ({ toolCall }) => known(toolCall) !== undefined || (await textOf(toolCall)) !== undefined,
    description: async (call) => {
      const text = known(call) ?? (await textOf(call)) ?? '';
      if (call.id !== undefined) texts.set(call.id, text);
      return text;
    },
  };
  const known = ({ id = '' }: AskedCall) => texts.get(id);
  return {
    interruptOn: Object.fromEntries(entries.map(({ name }) => [name, asked])),
    shown: (toolCallId) => {
      const text = texts.get(toolCallId);
      texts.delete(toolCallId);
      return text;
    },
  };
}

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
        const shown = id === undefined ? undefined : options.approvals?.shown(id);
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
