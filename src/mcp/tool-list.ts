import type { z } from 'zod';
import { toolsetOf } from '../../tools/index.ts';
import { answerSchema } from '../engine/answer.ts';
import { type Listed, listedInput, listedOutput } from '../engine/schema.ts';
import { operationOf, type PlatformTool, type Tool } from '../engine/tool.ts';
import { hintsOf } from './annotations.ts';
import { type ListedTool, type Row, rowOf } from './tool-registration.ts';

/** The tools of a catalogue as MCP lists them, in order. */
export const listTools = (tools: readonly Tool[]): readonly ListedTool[] => tools.map(listedTool);

/** The tools, ready for registration. */
export const tableOf = (tools: readonly Tool[]): readonly Row[] =>
  Object.freeze(tools.map((tool) => rowOf(listedTool(tool), answerCheck(tool))));

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

const listedTool = (tool: Tool): ListedTool => ({
  name: tool.name,
  title: tool.kind === 'local' ? tool.title : operationOf(tool).title,
  description: tool.description,
  inputSchema: listedInput(tool.inputSchema),
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
