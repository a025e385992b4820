import type { ModelMessage, ToolApprovalStatus, ToolSet } from 'ai';
import { type Answer, isError } from '../engine/answer.ts';
import { engineOf } from '../engine/demand-caller.ts';
import type { Engine } from '../engine/engine.ts';
import type { Caller } from '../ledger/ledger.ts';
import { type Question, questionOf, recordDenial } from './approval-question.ts';
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
   * Other tools' calls are ignored. The SDK doesn't say when a response denies one: that is recorded with `onStart`,
   * or else at the model's next call of a tool, since its messages tell.
   */
  readonly toolApproval: (asked: Messages & { readonly toolCall: AskedCall }) => Promise<ToolApprovalStatus>;
  /**
   * For `onStart`, beside `toolApproval`: records what a person has denied in the messages, so that the question is
   * decided in the ledger, too, and nobody can approve it elsewhere.
   */
  readonly onStart: (started: Messages) => Promise<void>;
}

interface Messages {
  readonly messages?: readonly ModelMessage[] | undefined;
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
  const own = engineOf(engine, caller);
  const { entries, call, read } = createCatalogue(own, options, ['strict']);
  const names = new Set(entries.map(({ name }) => name));
  const argumentsOf = (name: string, given: unknown) => (options.strict ? read(name, given) : given);

  const hear = async ({ messages = [] }: Messages): Promise<void> => {
    for (const id of deniedIn(messages)) await recordDenial(own, id, caller);
  };

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
    onStart: (started) => hear(started).catch(options.onFailure), // the SDK would swallow it
    toolApproval: async ({ toolCall: { toolName, input }, messages }) => {
      await hear({ messages });
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
  const approved = responsesIn(messages.slice(-1), true);
  return requestsIn(messages).find((it) => it.toolCallId === toolCallId && approved.includes(it.approvalId))?.question;
}

/** The ids of the questions that a person has denied anywhere in the messages: they stay denied. */
function deniedIn(messages: readonly ModelMessage[]): readonly string[] {
  const denied = responsesIn(messages, false);
  return requestsIn(messages).flatMap(({ approvalId, question }) =>
    question !== undefined && denied.includes(approvalId) ? [question.id] : [],
  );
}

const responsesIn = (messages: readonly ModelMessage[], approved: boolean): readonly string[] =>
  partsOf(messages).flatMap((it) =>
    it.type === 'tool-approval-response' && it.approved === approved ? [it.approvalId] : [],
  );

const requestsIn = (messages: readonly ModelMessage[]) =>
  partsOf(messages).flatMap((it) =>
    it.type === 'tool-approval-request'
      ? [{ approvalId: it.approvalId, toolCallId: it.toolCallId, question: questionIn(it.reason ?? '') }]
      : [],
  );

function questionIn(reason: string): Question | undefined {
  const at = reason.lastIndexOf(`\n${mark}`);
  return at < 0 ? undefined : { text: reason.slice(0, at), id: reason.slice(at + 1 + mark.length) };
}

const partsOf = (messages: readonly ModelMessage[]) =>
  messages.flatMap(({ content }) => (typeof content === 'string' ? [] : [...content]));
