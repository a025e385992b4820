import type { z } from 'zod';
import { toolsetOf } from '../../tools/index.ts';
import { answerSchema } from '../engine/answer.ts';
import { type Listed, listedInput, listedOutput } from '../engine/schema.ts';
import { operationOf, type Tool } from '../engine/tool.ts';
import { hintsOf } from './annotations.ts';
import { type ListedTool, type Row, rowOf } from './tool-registration.ts';

/** Every tool of a catalogue as MCP lists it, in its order. */
export const listTools = (tools: readonly Tool[]): readonly ListedTool[] => tools.map(listedTool);

/** The same, ready to be registered. */
export const tableOf = (tools: readonly Tool[]): readonly Row[] =>
  Object.freeze(tools.map((tool) => rowOf(listedTool(tool), answerCheck(tool))));

/** Holds an answer of a tool against its whole schema, which is made for the first one: a start has no use for it. */
export function answerCheck(tool: Tool): z.ZodType['~standard']['validate'] {
  let answer: z.ZodType | undefined;
  return (value: unknown) => {
    answer ??= answerSchema(tool.outputSchema);
    return answer['~standard'].validate(value);
  };
}

const listedTool = (tool: Tool): ListedTool => ({
  name: tool.name,
  title: tool.kind === 'local' ? tool.title : operationOf(tool).title,
  description: tool.description,
  inputSchema: listedInput(tool.inputSchema),
  outputSchema: answerOf(listedOutput(tool.outputSchema)),
  annotations: hintsOf(tool),
  toolset: toolsetOf(tool),
});

/**
 * The listed schema of a whole answer whose data have this one. What else surrounds the data is the same for every tool, so the
 * server's instructions say it once (`instructionsOf`). Answers are held against all of it.
 */
const answerOf = (data: Listed): Listed =>
  Object.freeze({
    type: 'object',
    properties: Object.freeze({ ...envelope, data }),
    required: ['outcome', 'said', 'next'],
  });

const envelope = { outcome: { type: 'string' }, said: { type: 'string' }, next: { type: 'array' } } as const;
