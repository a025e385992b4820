import type { z } from 'zod';
import { tools as allTools, toolsetOf } from '../../tools/index.ts';
import { answerSchema } from '../engine/answer.ts';
import { describedOf, wordsOf } from '../engine/listed-words.ts';
import type { ToolWords } from '../engine/narrowed-words.ts';
import { type Listed, listedInput, listedOutput } from '../engine/schema.ts';
import { isReadOnly, operationOf, type PlatformTool, type Tool } from '../engine/tool.ts';
import { hintsOf } from './annotations.ts';
import { type ListedTool, type Row, rowOf } from './tool-registration.ts';
import type { Choosable } from './tool-selection.ts';

/** The tools of a catalogue as MCP lists them, in order. */
export function listTools(tools: readonly Tool[]): readonly ListedTool[] {
  const words = wordsOf(tools, allTools);
  return tools.map((tool) => listedTool(tool, words(tool)));
}

/** A tool as a selection reads it. */
export const choosable = (tool: Tool): Choosable => ({
  name: tool.name,
  toolset: toolsetOf(tool),
  isRead: isReadOnly(tool),
});

/** The tools, ready for registration. */
export function tableOf(tools: readonly Tool[]): readonly Row[] {
  const words = wordsOf(tools, allTools);
  return Object.freeze(tools.map((tool) => rowOf(listedTool(tool, words(tool)), answerCheck(tool))));
}

/** Validates a tool's results against its full schema, which is built at the first result, not at the start. */
export function answerCheck(tool: Tool): z.ZodType['~standard']['validate'] {
  let answer: z.ZodType | undefined;
  return (value: unknown) => {
    answer ??= answerSchema(tool.outputSchema);
    return answer['~standard'].validate(value);
  };
}

/** Whether the answer of a tool can have a file: always, or where an argument asks for one. */
const bringsFile = (tool: PlatformTool): boolean =>
  operationOf(tool).streams === true ||
  Object.values(tool.input.args).some(({ fills }) => fills.some(({ path }) => path === '@accept'));

const listedTool = (tool: Tool, { description, input }: ToolWords<Tool>): ListedTool => ({
  ...describedOf(tool),
  description,
  inputSchema: input(({ inputSchema }) => listedInput(inputSchema)),
  outputSchema: answerOf(listedOutput(tool.outputSchema)),
  annotations: hintsOf(tool),
  toolset: toolsetOf(tool),
  ...(tool.kind === 'platform' && bringsFile(tool) ? { hasFile: true } : {}),
});

/**
 * The listed schema of a result with this data. The envelope is the same for every tool, so the server's instructions
 * describe it once (`instructionsOf`); as in data, what has no type is text. Results are validated against the full schema.
 */
const answerOf = (data: Listed): Listed =>
  Object.freeze({
    type: 'object',
    properties: Object.freeze({ ...envelope, data }),
    required: ['outcome', 'said', 'next'],
  });

const envelope = { outcome: {}, said: {}, next: { type: 'array' } } as const;
