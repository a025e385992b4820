import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { answerSchema } from '../engine/answer.ts';
import { operationOf, type Tool } from '../engine/tool.ts';
import { type Hints, hintsOf } from './annotations.ts';
import { type Listed, listedInput, listedOutput } from './schema.ts';

/** A tool as MCP lists it, worked out once and shared by every server object. */
export interface Row {
  readonly name: string;
  readonly config: {
    readonly title: string;
    readonly description: string;
    readonly inputSchema: StandardSchemaWithJSON;
    readonly outputSchema: StandardSchemaWithJSON;
    readonly annotations: Hints;
  };
}

/** Every tool of a catalogue, in its order. */
export const tableOf = (tools: readonly Tool[]): readonly Row[] => Object.freeze(tools.map(rowOf));

function rowOf(tool: Tool): Row {
  let answer: z.ZodType | undefined; // made when the first answer is to be checked: a start has no use for it
  return Object.freeze({
    name: tool.name,
    config: Object.freeze({
      title: tool.kind === 'local' ? tool.title : operationOf(tool).title,
      description: tool.say,
      inputSchema: listedOnly(listedInput(tool.input)),
      outputSchema: standard(answerOf(listedOutput(tool.shows)), (value) => {
        answer ??= answerSchema(tool.shows);
        return answer['~standard'].validate(value);
      }),
      annotations: hintsOf(tool),
    }),
  });
}

/**
 * A schema that is listed and lets everything pass: what is wrong with arguments is the engine's to say, in an answer with
 * code, field and rule, where the SDK would answer with a bare sentence.
 */
const listedOnly = (json: Listed): StandardSchemaWithJSON => standard(json, (value) => ({ value }));

/** The schema of a whole answer whose data have this one: what surrounds the data is the same for every tool. */
const answerOf = (data: Listed): Listed =>
  Object.freeze({ ...envelope, properties: Object.freeze({ ...(envelope.properties as Listed), data }) }); // it is an object

const envelope = listedOutput(answerSchema(z.looseObject({})));

const standard = (json: Listed, validate: StandardSchemaWithJSON['~standard']['validate']): StandardSchemaWithJSON => ({
  '~standard': { version: 1, vendor: 'purser', validate, jsonSchema: { input: () => json, output: () => json } },
});
