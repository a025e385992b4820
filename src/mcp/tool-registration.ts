import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { Described } from '../engine/narrowed-words.ts';
import type { Listed } from '../engine/schema.ts';
import type { Hints } from './annotations.ts';

/** A tool as MCP lists it. Plain data, so the build can compute it. */
export interface ListedTool extends Described {
  readonly inputSchema: Listed;
  readonly outputSchema: Listed;
  readonly annotations: Hints;
  /** Absent for a tool of every toolset. */
  readonly toolset?: string | undefined;
  /** Whether its results can have a file. */
  readonly hasFile?: true | undefined;
}

/** A listed tool as registered with the SDK, computed once and shared by all server objects. */
export interface Row {
  readonly name: string;
  readonly toolset: string | undefined;
  readonly hasFile: boolean;
  readonly config: Omit<ListedTool, 'name' | 'shares' | 'toolset' | 'hasFile' | 'inputSchema' | 'outputSchema'> & {
    readonly inputSchema: StandardSchemaWithJSON;
    readonly outputSchema: StandardSchemaWithJSON;
  };
}

type Validate = StandardSchemaWithJSON['~standard']['validate'];

/**
 * The registration of a tool. Its argument schema accepts everything, because the engine validates arguments and
 * responds with code, field and rule, where the SDK would respond with a plain sentence. `validate` checks results
 * against the full schema.
 */
export const rowOf = (
  { name, shares: _, toolset, hasFile, inputSchema, outputSchema, ...listed }: ListedTool,
  validate: Validate,
): Row =>
  Object.freeze({
    name,
    toolset,
    hasFile: hasFile === true,
    config: Object.freeze({
      ...listed,
      inputSchema: standard(inputSchema, (value) => ({ value })),
      outputSchema: standard(outputSchema, validate),
    }),
  });

const standard = (json: Listed, validate: Validate): StandardSchemaWithJSON => ({
  '~standard': { version: 1, vendor: 'purser', validate, jsonSchema: { input: () => json, output: () => json } },
});
