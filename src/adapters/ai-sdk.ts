import type { ModelMessage, ToolApprovalStatus, ToolSet } from 'ai';
import { type Answer, isError } from '../engine/answer.ts';
import type { Engine } from '../engine/engine.ts';
import type { Caller } from '../ledger/ledger.ts';
import { type Question, questionOf } from './approval-question.ts';
import { type AdapterOptions, createCatalogue } from './catalogue.ts';
import { loadPeer } from './optional-peer.ts';

// Purser's tools for the AI SDK, with its own way of asking a person.

export interface AiSdkOptions extends AdapterOptions {
  /** For a provider that enforces schemas: schemas and tools are strict. */
  readonly strict?: boolean | undefined;
}

/** Purser's tools for the AI SDK: `generateText`, `streamText` and agents. */
export interface AiSdkTools {
  /** For `tools`. A result is the engine's answer; the model gets it as JSON, or as an error in JSON. */
  readonly tools: ToolSet;
  /**
   * For `toolApproval`, if the SDK's approval requests reach a person. A call that needs approval is requested instead
   * of made. The request's `reason` is the approval text, followed by the question's id in the ledger. A response that
   * approves it lets one call through, before the question expires and if its text is still the one the person read.
   * Other tools' calls are ignored.
   */
  readonly toolApproval: (asked: { readonly toolCall: AskedCall }) => Promise<ToolApprovalStatus>;
}

interface AskedCall {
  readonly toolName: string;
  readonly input: unknown;
}

/**
 * The engine's tools for the AI SDK, for one caller. Throws if `tools` names an unknown tool, and MissingPeer if `ai`
 * is not installed.
 */
export async function aiSdkTools(engine: Engine, caller: Caller, options: AiSdkOptions = {}): Promise<AiSdkTools> {
  const { dynamicTool, jsonSchema } = await loadPeer('purser/ai-sdk', 'ai', () => import('ai'));
  const own = engine.of(caller.tenant);
  const { entries, call, read } = createCatalogue(own, options);
  const names = new Set(entries.map(({ name }) => name));
  const argumentsOf = (name: string, given: unknown) => (options.strict ? read(name, given) : given);

  const tools = entries.map(({ name, description, listed, strict }) => {
    const tool = dynamicTool({
      description,
      // No validator: the engine reports invalid arguments.
      inputSchema: jsonSchema({ ...(options.strict ? strict : listed) }),
      ...(options.strict ? { strict: true } : {}),
      execute: (given, { toolCallId, messages, abortSignal: signal }) => {
        const approved = approvedIn(messages, toolCallId);
        return call(name, argumentsOf(name, given), caller, { approved, signal });
      },
      toModelOutput: ({ output }) => {
        const answer = output as Answer; // returned by `execute`
        const value = JSON.parse(JSON.stringify(answer));
        return { type: isError(answer.outcome) ? 'error-json' : 'json', value };
      },
    });
    return [name, tool] as const;
  });

  return {
    tools: Object.fromEntries(tools),
    toolApproval: async ({ toolCall: { toolName, input } }) => {
      if (!names.has(toolName)) return undefined;
      const question = await questionOf(own, toolName, argumentsOf(toolName, input), caller);
      return question && { type: 'user-approval', reason: reasonOf(question) };
    },
  };
}

/** The reason that a person reads in the SDK: the text, and the question's id in the ledger. */
const reasonOf = ({ id, text }: Question): string => `${text}\n${mark}${id}`;
const mark = 'Approval: ';

/** The question that a person has just approved in the SDK; undefined if there is none. */
function approvedIn(messages: readonly ModelMessage[], toolCallId: string): Question | undefined {
  const approved = partsOf(messages.slice(-1)).flatMap((it) =>
    it.type === 'tool-approval-response' && it.approved ? [it.approvalId] : [],
  );
  const { reason = '' } =
    partsOf(messages)
      .filter((it) => it.type === 'tool-approval-request')
      .find((it) => it.toolCallId === toolCallId && approved.includes(it.approvalId)) ?? {};
  const at = reason.lastIndexOf(`\n${mark}`);
  return at < 0 ? undefined : { text: reason.slice(0, at), id: reason.slice(at + 1 + mark.length) };
}

const partsOf = (messages: readonly ModelMessage[]) =>
  messages.flatMap(({ content }) => (typeof content === 'string' ? [] : [...content]));
