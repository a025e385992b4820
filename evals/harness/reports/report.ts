import { z } from 'zod';
import { errorCodes, outcomes } from '../../../src/engine/answer.ts';
import { type AdversaryRun, adversaryNames } from '../adversaries/adversaries.ts';
import { badAgents as badAgentNames, type Conduct } from '../adversaries/bad-agents.ts';
import type { Sample } from '../adversaries/sample.ts';
import type { Coverage } from '../coverage/coverage.ts';
import { differences } from '../graders/canonical.ts';
import { liveSchema } from '../live/report.ts';
import type { MutantResult } from '../mutation/mutate.ts';
import { assertNoSecrets } from '../redaction/clean.ts';
import { redactor } from '../redaction/redact.ts';
import type { Result } from '../replay/evaluate.ts';
import { answerOf, callsOf, type Entry, graders } from '../replay/run.ts';
import { isActor, isPoison, type Step } from '../scenario/schema.ts';
import { collections } from '../world/collections.ts';
import type { State } from '../world/state.ts';
import type { Gate } from './gates.ts';

// The report that all other formats are made from. A reader of version 1 can read every later report of version 1.

const covered = z.array(z.object({ name: z.string(), by: z.array(z.string()), beyond: z.string().optional() }));
const failure = z.object({
  ...{ grader: z.enum(graders), at: z.string(), because: z.string() },
  sides: z.object({ expected: z.string(), found: z.string() }).optional(),
});
/** The number of a step, from 1 on; absent in earlier reports, and where no script has it. */
const step = z.number().optional();
/** Milliseconds: since the first scenario began, and how long. */
const took = z.object({ began: z.number(), milliseconds: z.number() });
const entry = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['user', 'say']), step, text: z.string() }),
  z.object({ kind: z.literal('event'), step, what: z.string(), text: z.string() }),
  z.object({
    kind: z.literal('call'),
    step,
    tool: z.string(),
    args: z.record(z.string(), z.unknown()),
    outcome: z.enum(outcomes).optional(),
    rule: z.string().optional(),
    code: z.enum(errorCodes).optional(),
    took: took.optional(),
    isError: z.boolean(),
    answer: z.unknown(),
  }),
]);

export const reportSchema = z.object({
  version: z.literal(1),
  by: z.string(),
  /** When the first scenario began. */
  began: z.iso.datetime().optional(),
  mode: z.enum(['replay', 'live']),
  summary: z.object({
    scenarios: z.number(),
    passed: z.number(),
    failed: z.number(),
    judgeErrors: z.number(),
    calls: z.number(),
    bytes: z.number(),
    milliseconds: z.number(),
    /** Scenarios with a step of this kind. */
    having: z.object({ time: z.number(), fault: z.number(), poison: z.number(), actor: z.number() }),
  }),
  scenarios: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      file: z.string(),
      rules: z.array(z.string()),
      twin: z.string().optional(),
      verdict: z.enum(['pass', 'fail', 'judge error']),
      failures: z.array(failure),
      began: z.number(),
      milliseconds: z.number(),
      calls: z.number(),
      bytes: z.number(),
      transcript: z.array(entry),
      changes: z.array(z.object({ path: z.string(), before: z.unknown(), after: z.unknown() })),
    }),
  ),
  coverage: z
    .object({
      rules: z.record(
        z.string(),
        z.object({
          ...{ allowed: z.array(z.string()), refused: z.array(z.string()) },
          refuses: z.boolean().optional(),
        }),
      ),
      /** Absent in earlier reports. */
      clauses: z
        .array(
          z.object({
            ...{ name: z.string(), rule: z.string(), operation: z.string() },
            ...{ allowed: z.array(z.string()), refused: z.array(z.string()) },
          }),
        )
        .default([]),
      ...{
        transitions: covered,
        forbidden: covered,
        tools: covered,
        outcomes: covered,
        codes: covered,
        faults: covered,
      },
    })
    .optional(),
  adversaries: z
    .array(
      z.object({
        adversary: z.enum(adversaryNames as [(typeof adversaryNames)[number]]),
        scenario: z.string(),
        outcome: z.enum(['stopped', 'caught', 'harmless', 'unnoticed']),
        by: z.array(z.string()),
        broken: z.array(failure),
      }),
    )
    .optional(),
  badAgents: z
    .object({
      ...{ seed: z.number(), oneIn: z.number() },
      agents: z.array(
        z.object({
          agent: z.enum(badAgentNames as [(typeof badAgentNames)[number]]), // there are some
          played: z.number(),
          passed: z.array(z.string()),
        }),
      ),
    })
    .optional(),
  mutation: z
    .array(
      z.object({
        ...{ id: z.string(), rule: z.string(), how: z.string(), runs: z.number() },
        ...{ killedBy: z.string().optional(), because: z.string().optional() },
      }),
    )
    .optional(),
  live: liveSchema.optional(),
  gates: z.array(z.object({ name: z.string(), met: z.boolean(), says: z.string() })),
});
export type Report = z.output<typeof reportSchema>;

/** The data of a report. */
export interface Reported {
  readonly by: string;
  readonly mode: Report['mode'];
  readonly began?: Date | undefined;
  readonly results: readonly Result[];
  readonly coverage?: Coverage | undefined;
  readonly adversaries?: readonly AdversaryRun[] | undefined;
  readonly badAgents?: (Sample & { readonly agents: readonly Conduct[] }) | undefined;
  readonly mutation?: readonly MutantResult[] | undefined;
  readonly gates: readonly Gate[];
}

/** Builds the report. Everything passes the redactor. */
export function reportOf({
  by,
  mode,
  began,
  results,
  coverage,
  adversaries,
  badAgents,
  mutation,
  gates,
}: Reported): Report {
  const zero = results[0]?.began ?? 0;
  const scenarios = results.map((result) => scenarioOf(result, zero));
  const count = (verdict: Result['verdict']): number => results.filter((it) => it.verdict === verdict).length;
  const total = (of: (it: (typeof scenarios)[number]) => number): number =>
    scenarios.reduce((sum, it) => sum + of(it), 0);
  const rest = redactor()({ coverage, adversaries, badAgents, mutation, gates });
  return reportSchema.parse({
    version: 1,
    by,
    began: began?.toISOString(),
    mode,
    summary: {
      scenarios: results.length,
      passed: count('pass'),
      failed: count('fail'),
      judgeErrors: count('judge error'),
      calls: total((it) => it.calls),
      bytes: total((it) => it.bytes),
      milliseconds: thousandths(total((it) => it.milliseconds)),
      having: havingIn(results.map(({ run }) => run.scenario)),
    },
    scenarios,
    ...rest,
  });
}

/** How many scenarios have a step of a kind. */
export function havingIn(scenarios: readonly { readonly steps: readonly Step[] }[]): Report['summary']['having'] {
  const having = (is: (step: Step) => boolean): number => scenarios.filter(({ steps }) => steps.some(is)).length;
  return {
    time: having((step) => 'advance' in step),
    fault: having((step) => 'fault' in step),
    poison: having(isPoison),
    actor: having(isActor),
  };
}

/** The report of one scenario. */
export function scenarioOf({ id, file, verdict, failures, run, began, milliseconds }: Result, zero: number) {
  const { title, rules, twin } = run.scenario;
  const redact = redactor([...run.canaries, ...(run.secrets ?? [])]);
  const calls = callsOf(run);
  const bytes = calls.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const transcript = run.entries.map((it) => entryOf(it, zero));
  const told = assertNoSecrets(redact({ title, failures, transcript, changes: changesOf(run) }), run.canaries);
  const when = { began: thousandths(began - zero), milliseconds: thousandths(milliseconds) };
  return { id, file, rules, twin, verdict, ...when, calls: calls.length, bytes, ...told };
}

function entryOf(it: Entry, zero: number) {
  const step = it.step === -1 ? undefined : it.step + 1;
  if (it.kind === 'event') return { kind: it.kind, step, what: it.what, text: it.text };
  if (it.kind !== 'call') return { kind: it.kind, step, text: it.text };
  const { outcome, error } = answerOf(it);
  const { kind, tool, args, isError, answer } = it;
  const took = it.took && { began: thousandths(it.took.began - zero), milliseconds: thousandths(it.took.milliseconds) };
  return { kind, step, tool, args, outcome, rule: error?.rule, code: error?.code, took, isError, answer };
}

/** A stopwatch is no more precise, and more digits could look like a card number and be redacted. */
const thousandths = (milliseconds: number): number => Math.round(milliseconds * 1_000) / 1_000;

const changesOf = ({ before, after }: Result['run']) =>
  before === undefined || after === undefined
    ? []
    : collections.flatMap((name) =>
        differences(before.state[name as keyof State], after.state[name as keyof State], name),
      ); // its own names
