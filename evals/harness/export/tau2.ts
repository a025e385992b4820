import { type Rule, rules } from '../../../src/core/rules.ts';
import { grade } from '../graders/grade.ts';
import { replay } from '../replay/replay.ts';
import { callsOf, type Run } from '../replay/run.ts';
import type { Target } from '../replay/target.ts';
import { filled, filledPath } from '../scenario/captures.ts';
import { BadScenario, type Loaded } from '../scenario/load.ts';
import { isActor, type Scenario, type Value, type Values } from '../scenario/schema.ts';

// Scenarios as tasks in the fields of tau2-bench (src/tau2/data_model/tasks.py). Its tools and worlds are of the reader's making.

/** A call, as one reference trajectory has it. */
interface Action {
  readonly action_id: string;
  readonly requestor: 'assistant' | 'user';
  readonly name: string;
  readonly arguments: Values;
  readonly info: string | null;
  readonly compare_args: null;
}

/** Something that is done to, or demanded of, the world. */
interface EnvironmentCall {
  readonly env_type: 'assistant';
  readonly func_name: string;
  readonly arguments: Values;
}

export interface Task {
  readonly id: string;
  readonly description: {
    readonly purpose: string;
    readonly relevant_policies: string;
    readonly notes: string | null;
  };
  readonly user_scenario: {
    readonly persona: null;
    readonly instructions: {
      readonly domain: string;
      readonly reason_for_call: string;
      readonly known_info: string | null;
      readonly unknown_info: null;
      readonly task_instructions: string;
    };
  };
  readonly ticket: string | null;
  readonly initial_state: {
    readonly initialization_data: { readonly agent_data: Values; readonly user_data: null };
    readonly initialization_actions: readonly EnvironmentCall[];
    readonly message_history: null;
  };
  readonly evaluation_criteria: {
    readonly actions: readonly Action[];
    readonly env_assertions: readonly (EnvironmentCall & { readonly assert_value: true; readonly message: string })[];
    readonly communicate_info: readonly string[];
    readonly nl_assertions: readonly string[] | null;
    readonly reward_basis: readonly ('DB' | 'ENV_ASSERTION' | 'COMMUNICATE' | 'NL_ASSERTION')[];
  };
}

/** Makes tasks of scenarios. Each is replayed, so that its reference holds real arguments; one that fails is none. */
export async function tasksOf(loaded: readonly Loaded[], place: Target): Promise<readonly Task[]> {
  const tasks: Task[] = [];
  for (const { scenario, file } of loaded) {
    const opened = await place.open(scenario);
    try {
      const run = await opened.complete(await replay(scenario, opened.context));
      const [failure] = grade(run);
      if (failure !== undefined) throw new BadScenario(file, failure.at, `it does not pass: ${failure.because}`);
      tasks.push(taskOf(run));
    } finally {
      await opened.close();
    }
  }
  return tasks;
}

function taskOf(run: Run): Task {
  const { scenario } = run;
  const { expect } = scenario;
  const lines = scenario.steps.flatMap((step) => ('user' in step ? step.user : []));
  const [reason = scenario.title] = [scenario.user?.goal, lines[0]].filter((it) => it !== undefined);
  const known = lines.filter((it) => it !== reason);
  const assertions = Object.entries(expect.state ?? {}).map(([path, value]) => {
    const place = filledPath(path, run.captures);
    return {
      ...({ env_type: 'assistant', func_name: 'assert_state' } as const),
      arguments: { path: place, value: filled(value, run.captures) },
      ...({ assert_value: true, message: `${place} is not as it should be.` } as const),
    };
  });
  const replies = expect.reply?.includes ?? [];
  return {
    id: scenario.id,
    description: {
      purpose: scenario.title,
      relevant_policies: scenario.rules.map((id) => `${id}: ${sentenceOf(id, scenario)}`).join('\n'),
      notes: notesOf(scenario),
    },
    user_scenario: {
      persona: null,
      instructions: {
        domain: scenario.id.replace(/-\d{3}-.*/, ''),
        reason_for_call: reason,
        known_info: known.length === 0 ? null : known.join('\n'),
        unknown_info: null,
        task_instructions:
          'Say only what you want and know. End the conversation when you have it, or were told that it can not be had.',
      },
    },
    ticket: scenario.user?.goal ?? null,
    initial_state: {
      initialization_data: { agent_data: worldOf(scenario), user_data: null },
      initialization_actions: beginningOf(scenario),
      message_history: null,
    },
    evaluation_criteria: {
      actions: actionsOf(run),
      env_assertions: assertions,
      communicate_info: replies,
      nl_assertions: expect.rubric === undefined ? null : [expect.rubric],
      reward_basis: [
        'DB',
        ...(assertions.length === 0 ? [] : ['ENV_ASSERTION' as const]),
        ...(replies.length === 0 ? [] : ['COMMUNICATE' as const]),
        ...(expect.rubric === undefined ? [] : ['NL_ASSERTION' as const]),
      ],
    },
  };
}

const sentenceOf = (id: string, { declares }: Scenario): string =>
  declares?.[id]?.says ?? (rules as Readonly<Record<string, Rule>>)[id]?.says ?? '';

/** What tau2 has no field for. */
function notesOf({ expect, twin }: Scenario): string | null {
  const notes = [
    ...(expect.never === undefined ? [] : [`Never called: ${expect.never.join(', ')}.`]),
    ...(expect.changed === undefined ? [] : [`Nothing else changes than: ${expect.changed.join(', ') || 'nothing'}.`]),
    ...(expect.reply?.omits === undefined ? [] : [`Never told: ${expect.reply.omits.join('; ')}.`]),
    ...(twin === undefined ? [] : [`Its counterpart is ${twin}.`]),
  ];
  return notes.length === 0 ? null : notes.join('\n');
}

const worldOf = ({ world }: Scenario): Values =>
  world === undefined ? {} : (JSON.parse(JSON.stringify(world)) as Values);

/** Time, faults and hostile text before the first call; what comes later is an action, because order matters. */
function beginningOf({ steps }: Scenario): readonly EnvironmentCall[] {
  const first = steps.findIndex((step) => 'call' in step || isActor(step));
  return steps.slice(0, first === -1 ? steps.length : first).flatMap((step) => {
    const made = environmentStep(step);
    return made === undefined ? [] : [{ env_type: 'assistant' as const, func_name: made.name, arguments: made.args }];
  });
}

/** The calls of the agent with the arguments they had, and what others did in between, as one trajectory. */
function actionsOf(run: Run): readonly Action[] {
  const { steps } = run.scenario;
  const calls = new Map(callsOf(run).map((entry) => [entry.step, entry]));
  const begun = beginningOf(run.scenario).length;
  let others = 0;
  return steps.flatMap((step, index): readonly Action[] => {
    const entry = calls.get(index);
    const shared = { action_id: `${run.scenario.id}_${index}`, compare_args: null } as const;
    if (entry !== undefined)
      return [{ ...shared, requestor: 'assistant', name: entry.tool, arguments: entry.args, info: null }];
    const made = environmentStep(step);
    if (made === undefined) return [];
    others += 1;
    if (others <= begun) return [];
    const args = filled(made.args, run.captures) as Values; // an object stays one
    return [
      { ...shared, requestor: 'user', name: made.name, arguments: args, info: 'Done by somebody besides the agent.' },
    ];
  });
}

function environmentStep(
  step: Scenario['steps'][number],
): { readonly name: string; readonly args: Values } | undefined {
  if ('user' in step || 'say' in step || 'call' in step) return undefined;
  const { actor, ...rest } = { actor: undefined, ...(step as unknown as Readonly<Record<string, Value | undefined>>) }; // it came out of YAML
  const name = actor === undefined ? (Object.keys(rest)[0] ?? '') : String(actor);
  return { name, args: JSON.parse(JSON.stringify(rest)) as Values };
}
