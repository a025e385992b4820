import { z } from 'zod';
import { channels } from '../../../src/engine/approval-channels.ts';
import { scenarioSchema } from '../scenario/schema.ts';
import { sessionIn } from '../sessions/folder.ts';
import { reactionSchema } from './reactions.ts';

// Sessions with the MCP server: what a host sends, how its user reacts, and what others do meanwhile.

/** Where sessions and their goldens are. */
export const mcpSessionFolder = 'evals/mcp';

export const revisions = ['2025-11-25', '2026-07-28'] as const;

const captureName = z.string().regex(/^[a-z][A-Za-z0-9]*$/);
const values = z.record(z.string(), z.json());
const headers = z.record(z.string(), z.string().nullable());

/** How a returned request state is spoiled: cut, changed in one letter, signed by another key, or over its time. */
export const spoilt = ['cut', 'changed', 'foreign', 'late'] as const;
export type Spoilt = (typeof spoilt)[number];

/** What anybody but the agent does. */
const asides = [
  z.strictObject({ advance: z.string() }),
  z.strictObject({
    decide: z.enum(['approve', 'deny']),
    by: z.enum(channels),
    /** Its id; by default the approval that was asked for last. */
    approval: z.string().optional(),
  }),
  /** A request to the sandbox's control API; what is done at the card reader is heard by the calls that wait there. */
  z.strictObject({ control: z.string(), body: values.default({}) }),
  z.strictObject({ reader: z.string(), body: values.default({}) }),
  /** The channels that count from then on, as another replica's or after a restart; over stdio. */
  z.strictObject({ channels: z.array(z.enum(channels)) }),
  /** Something breaks in the next call of an operation, at this point. */
  z.strictObject({ crash: z.enum(['F2', 'F5']), on: z.string() }),
] as const;

const request = {
  /** What the result is called afterwards. */
  as: captureName.optional(),
  /** Other values at some paths of the arguments or parameters, and paths that they have not. */
  but: values.default({}),
  without: z.array(z.string()).default([]),
  /** How the user reacts to the questions that come before the answer, in order. */
  user: z.union([reactionSchema, z.array(reactionSchema)]).optional(),
  /** The step whose question is answered: its request state comes back, as it was or spoiled. */
  answers: captureName.optional(),
  spoilt: z.enum(spoilt).optional(),
  /** The token with which the host asks for progress. */
  progress: z.union([z.string(), z.int()]).optional(),
  /** What happens before the answer: at once, or when a message with this text has come. */
  once: z.string().optional(),
  meanwhile: z.array(z.union([z.strictObject({ cancel: z.literal('the request') }), ...asides])).default([]),
  /** What the host declares with this request instead; null: no envelope. */
  host: values.nullable().optional(),
  headers: headers.default({}),
};

const stepSchema = z.union([
  z.strictObject({ call: z.string(), args: z.json().default({}), ...request }),
  /** A call that is made many times, with its number in the place of `{n}`: what came is counted. */
  z.strictObject({ calls: z.string(), args: values, times: z.int().min(2).max(50) }),
  z.strictObject({ send: z.string(), params: z.json().optional(), ...request }),
  z.strictObject({ notify: z.string(), params: values.default({}) }),
  /**
   * A line over stdio, or the body of a request. `{long}` stands for too many letters, `{deep}` for too many levels; over stdio, `{cut}` for the end
   * of a chunk. With `times`, as many lines come in a chunk, each with its number in the place of `{n}`.
   */
  z.strictObject({ write: z.string(), times: z.int().min(1).default(1), headers: headers.default({}) }),
  z.strictObject({ http: z.string().regex(/^[A-Z]+ \/\S*$/), headers: headers.default({}) }),
  ...asides,
]);

const sessionSchema = z.strictObject({
  about: z.string(),
  world: scenarioSchema.shape.world,
  revision: z.enum(revisions),
  transport: z.enum(['stdio', 'http']),
  /** What the host can do, as it declares it. */
  host: values.default({}),
  /** Whether the host begins as it should, before the first step. */
  greets: z.boolean().default(true),
  /** The operator's choice of tools over stdio. Over HTTP, the path chooses. */
  choice: z
    .strictObject({
      toolsets: z.array(z.string()).default(['all']),
      tools: z.array(z.string()).optional(),
      excluded: z.array(z.string()).optional(),
      isReadOnly: z.boolean().default(false),
    })
    .default({ toolsets: ['all'], isReadOnly: false }),
  path: z.string().default('/mcp'),
  publicUrl: z.url().optional(),
  prompts: z
    .array(
      z.strictObject({
        ...{ name: z.string(), title: z.string(), description: z.string(), toolset: z.string() },
        also: z.array(z.string()).optional(),
        arguments: z.record(z.string(), z.string()).default({}),
        text: z.string(),
      }),
    )
    .default([]),
  /** Whether a call at the card reader is answered when it is over; by default at once, as in progress. */
  readerWaits: z.boolean().default(false),
  /** How far each call at the card reader says to be, first, and in the end where it is answered as in progress. */
  readerTells: z.array(z.strictObject({ step: z.string(), fraction: z.number().optional() })).default([]),
  /** Where people decide, as answers tell it. */
  reach: z
    .strictObject({
      page: z.url().optional(),
      command: z
        .strictObject({
          variables: z.record(z.string(), z.string()).default({}),
          words: z.array(z.string()),
          options: z.array(z.string()).default([]),
        })
        .optional(),
    })
    .optional(),
  steps: z.array(stepSchema),
});

/** A session as its file has it. */
export interface McpSession extends z.output<typeof sessionSchema> {
  readonly name: string;
}

export type McpStep = McpSession['steps'][number];
export type RequestStep = Extract<McpStep, { call: string } | { send: string }>;
type OfHost = RequestStep | { calls: string } | { notify: string } | { write: string } | { http: string };
export type Aside = Exclude<McpStep, OfHost>;

export const loadMcpSession = (name: string, folder = mcpSessionFolder): McpSession =>
  sessionIn(sessionSchema, folder, name);

/** The method of a step's request. */
export const methodOf = (step: RequestStep): string => ('call' in step ? 'tools/call' : step.send);
