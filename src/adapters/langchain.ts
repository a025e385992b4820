import type { DynamicStructuredTool, ToolRunnableConfig } from '@langchain/core/tools';
import { isError } from '../engine/answer.ts';
import type { Engine } from '../engine/engine.ts';
import type { Caller } from '../ledger/ledger.ts';
import { type AdapterOptions, createCatalogue } from './catalogue.ts';
import { loadPeer } from './peer.ts';

export interface LangchainOptions extends AdapterOptions {
  /** For a model whose tools are bound with `strict: true`. */
  readonly strict?: boolean | undefined;
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
        const artifact = await call(name, options.strict ? read(name, given) : given, caller);
        const content = JSON.stringify(artifact);
        const id = config?.toolCall?.id;
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
