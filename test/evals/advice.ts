import type { Result } from '../../evals/harness/replay/evaluate.ts';
import type { Answer, retries } from '../../src/engine/answer.ts';
import { tools } from '../../tools/index.ts';

// `error.retry` must agree with the rest of an answer.

const inputs = new Map(tools.map((tool) => [tool.name, tool.inputSchema.shape]));

/** What must hold of an answer with each value, for the call of a tool. */
const holds: {
  readonly [R in keyof typeof retries]: (
    tool: string,
    next: readonly string[],
    error: NonNullable<Answer['error']>,
  ) => boolean;
} = {
  never: (tool, next, { wait, code }) => !next.includes(tool) && (wait === undefined || code === 'OUTCOME_UNKNOWN'),
  same_call: (_, __, { wait }) => wait === undefined,
  changed_call: (tool, next, { field, wait }) =>
    wait === undefined && (field === undefined ? next.length > 0 : isArgument(tool, field)),
  after: (_, __, { wait = 0 }) => Number.isInteger(wait) && wait >= 1,
};

const isArgument = (tool: string, field: string): boolean =>
  field === 'arguments' || Object.hasOwn(inputs.get(tool) ?? {}, field.split(/[.[]/)[0] ?? '');

/** Every refusal of scenarios. */
export const refusalsIn = (results: readonly Result[]) =>
  results
    .flatMap(({ id, run }) =>
      run.entries.flatMap((entry) =>
        entry.kind === 'call' ? [{ id, tool: entry.tool, ...(entry.answer as Answer) }] : [],
      ),
    )
    .flatMap(({ id, tool, next, error }) => (error === undefined ? [] : [{ id, tool, next, error }]));

/** Whether `retry` agrees with time, field and ways out. */
export const isConsistent = ({ tool, next, error }: ReturnType<typeof refusalsIn>[number]): boolean =>
  holds[error.retry](tool, next, error);
