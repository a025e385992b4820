import { expect, it } from 'vitest';
import { evaluate } from '../../evals/harness/replay/evaluate.ts';
import type { Answer } from '../../src/engine/answer.ts';
import { retries } from '../../src/engine/answer.ts';
import { tools } from '../../tools/index.ts';
import { everyScenario, stageOfFile, watch } from '../evals/support.ts';

// `error.retry` must agree with the rest of an answer: every refusal that the scenarios meet is looked at.

const stage = stageOfFile();
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

it('agrees with time, field and ways out in every refusal of every scenario', async () => {
  const results = await evaluate(await everyScenario(), stage(), { watch });
  const refusals = results
    .flatMap(({ id, run }) =>
      run.entries.flatMap((entry) =>
        entry.kind === 'call' ? [{ id, tool: entry.tool, ...(entry.answer as Answer) }] : [],
      ),
    )
    .flatMap(({ id, tool, next, error }) => (error === undefined ? [] : [{ id, tool, next, error }]));
  expect(new Set(refusals.map(({ error }) => error.retry))).toEqual(new Set(Object.keys(retries)));
  expect(refusals.length).toBeGreaterThan(200);
  const wrong = refusals.filter(({ tool, next, error }) => !holds[error.retry](tool, next, error));
  expect(wrong).toEqual([]);
});
