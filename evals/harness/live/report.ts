import { z } from 'zod';

// The part of a report about live mode.

const tokens = z.object({ input: z.number(), cached: z.number(), output: z.number(), reasoning: z.number() });
const interval = z.tuple([z.number(), z.number()]);
/** By k from 1 on: pass^k, and pass@k. */
const curves = { hat: z.array(z.number()), at: z.array(z.number()) };

export const liveSchema = z.object({
  model: z.string(),
  api: z.string(),
  stream: z.boolean(),
  customer: z.string().optional(),
  judge: z.string().optional(),
  trials: z.number(),
  threshold: z.number(),
  /** Trials that came to a verdict, and how many of them passed. */
  counted: z.number(),
  passed: z.number(),
  harmed: z.number(),
  /** Wilson's interval of the share that passed, at 95 %, as if trials of one scenario were independent. */
  interval,
  ...curves,
  judgeErrors: z.number(),
  /** Trials that say nothing about the agent, and why. */
  infrastructure: z.array(z.object({ scenario: z.string(), trial: z.number(), because: z.string() })),
  /** Trials that were not begun, because no other would have fared better. */
  notBegun: z.number(),
  /** Trials that were not played now: the journal of a run that was interrupted had them. */
  fromJournal: z.number().optional(),
  /** Scenarios whose rubric wasn't judged. */
  unjudged: z.array(z.string()),
  turns: z.number(),
  refusals: z.number(),
  malformed: z.number(),
  tokens: z.object({ agent: tokens, customer: tokens, judge: tokens }),
  scenarios: z.array(
    z.object({
      ...{ id: z.string(), counted: z.number(), passed: z.number(), harmed: z.number(), judgeErrors: z.number() },
      ...{ infrastructure: z.number(), interval, ...curves, tokens },
    }),
  ),
});
export type Live = z.output<typeof liveSchema>;
