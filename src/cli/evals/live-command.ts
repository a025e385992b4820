import { type Command, Option } from 'commander';
import type { LiveCommandOptions } from '../commands/eval-live.ts';
import type { RecordOptions } from '../commands/eval-record.ts';
import type { ServerOptions } from '../commands/eval-server.ts';

const list = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** The options of `purser eval` that have a model or another server in them. */
export const liveOptions = (command: Command): Command =>
  serverOptions(command)
    .addOption(
      new Option('--mode <mode>', 'replay plays the script, live lets a model play').choices(['replay', 'live']),
    )
    .option('--model <name>', 'live: the model')
    .option('--base-url <url>', 'live: an OpenAI-compatible API, up to its version')
    .addOption(new Option('--api <api>', 'live: how it is asked; chat').choices(['chat', 'responses', 'langchain']))
    .option('--key-file <file>', 'live: a file that holds the key of the API; OPENAI_API_KEY otherwise')
    .option('--stream', 'live: have turns streamed')
    .option('--temperature <number>', 'live: sent only where it is said')
    .option('--policy <file>', 'live: what the agent is told of its part; evals/policy.md')
    .option('--simulate', 'live: a model speaks for the customer, after the goal')
    .option('--customer-model <name>', 'live: that model; the same one where nothing is said')
    .option('--judge-model <name>', 'live: judges rubrics, which are left aside otherwise')
    .option('--trials <number>', 'live: how often each scenario is played; 1')
    .option('--threshold <share>', 'live: the share of its trials that a scenario must pass; 1')
    .option('--max-turns <number>', 'live: requests of a trial; 40')
    .option('--timeout <seconds>', 'live: of one request; 120')
    .option('--jobs <number>', 'live: trials at the same time; 4')
    .option('--journal <file>', 'live: what is finished, to go on with; live.jsonl in the folder of the reports');

const serverOptions = (command: Command): Command =>
  command
    .option('--server <command or url>', 'another MCP server is on trial; {folder} is a fresh folder')
    .option('--server-env <name=value>', 'what its command finds in its environment; may be said again', list);

/** Runs another mode than the replay of scenarios about Purser; undefined where nobody asked for one. */
export async function otherMode(
  paths: readonly string[],
  options: LiveCommandOptions & ServerOptions,
): Promise<number | undefined> {
  if (options.mode === 'live') return (await import('../commands/eval-live.ts')).evaluateLive(paths, options);
  if (options.server !== undefined) return (await import('../commands/eval-server.ts')).evaluateServer(paths, options);
  return undefined;
}

/** The commands under `purser eval` that read and write conversations. */
export function moreCommands(parent: Command, done: (code: number) => void): void {
  parent
    .command('record')
    .description('Record a session as a draft of a scenario: 0 it replays green, 1 it does not, 3 no recording')
    .requiredOption('--from <source>', 'an MCP command or URL to stand before, or a file: OTLP JSON, messages')
    .requiredOption('--to <file>', 'the draft, named after its scenario: <domain>-<nnn>-<behaviour>.yaml')
    .option('--title <text>', 'what happens, as a sentence', 'A recorded session')
    .option('--foreign', 'the server is not Purser')
    .option('--replay-on <command or url>', 'where the draft of another server is tried; --from where it is a command')
    .option('--server-env <name=value>', 'what a command finds in its environment; may be said again', list)
    .option('--fixture <name>', 'the fixture of its world', 'plain')
    .option('--fixtures <dir>', 'folder of the fixtures', 'evals/fixtures')
    .option('--now <time>', 'when the story begins; the time of its first call where that is known')
    .action(async (options: RecordOptions) =>
      done(await (await import('../commands/eval-record.ts')).recordScenario(options)),
    );
  parent
    .command('export')
    .description("Print the scenarios as tasks in tau2's fields")
    .argument('[paths...]', 'scenario files or folders; evals/scenarios where none is named')
    .option('--fixtures <dir>', 'folder of the fixtures', 'evals/fixtures')
    .action(async (paths: readonly string[], options: { readonly fixtures: string }) =>
      done(await (await import('../commands/eval-export.ts')).exportTasks(paths, options)),
    );
}
