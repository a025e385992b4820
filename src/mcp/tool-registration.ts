import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { Listed } from '../engine/schema.ts';
import type { Hints } from './annotations.ts';

/** A tool as MCP lists it: plain data, so that a build can work it out beforehand. */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Listed;
  readonly outputSchema: Listed;
  readonly annotations: Hints;
  /** Absent for a tool that goes with every toolset. */
  readonly toolset?: string | undefined;
}

/** A listed tool as the SDK registers it, worked out once and shared by every server object. */
export interface Row {
  readonly name: string;
  readonly toolset: string | undefined;
  readonly config: Omit<ListedTool, 'name' | 'toolset' | 'inputSchema' | 'outputSchema'> & {
    readonly inputSchema: StandardSchemaWithJSON;
    readonly outputSchema: StandardSchemaWithJSON;
  };
}

type Validate = StandardSchemaWithJSON['~standard']['validate'];

/**
 * The row of a tool. What is listed of its arguments lets everything pass: what is wrong with them is the engine's to say,
 * in an answer with code, field and rule, where the SDK would answer with a bare sentence. Answers are held against the
 * whole schema, by `validate`.
 */
export const rowOf = ({ name, toolset, inputSchema, outputSchema, ...listed }: ListedTool, validate: Validate): Row =>
  Object.freeze({
    name,
    toolset,
    config: Object.freeze({
      ...listed,
      inputSchema: standard(inputSchema, (value) => ({ value })),
      outputSchema: standard(outputSchema, validate),
    }),
  });

const standard = (json: Listed, validate: Validate): StandardSchemaWithJSON => ({
  '~standard': { version: 1, vendor: 'purser', validate, jsonSchema: { input: () => json, output: () => json } },
});
