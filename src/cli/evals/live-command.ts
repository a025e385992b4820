import { type Command, Option } from 'commander';
import type { LiveCommandOptions } from '../commands/eval-live.ts';
import type { RecordOptions } from '../commands/eval-record.ts';
import type { ServerOptions } from '../commands/eval-server.ts';
import { usualFolders } from './folders.ts';

const list = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** The options of `purser eval` for models and external servers. */
export const liveOptions = (command: Command): Command =>
  serverOptions(command)
    .addOption(
      new Option('--mode <mode>', 'replay plays the script, live lets a model play').choices(['replay', 'live']),
    )
    .option('--model <name>', 'live: the model')
    .option('--base-url <url>', 'live: an OpenAI-compatible API, with its version')
    .addOption(new Option('--api <api>', 'live: the API; by default chat').choices(['chat', 'responses', 'langchain']))
    .option('--key-file <file>', 'live: a file with the API key; by default OPENAI_API_KEY')
    .option('--stream', 'live: stream responses')
    .option('--temperature <number>', 'live: sent only if set')
    .option('--policy <file>', 'live: a file with the system prompt; by default evals/policy.md')
    .option('--simulate', 'live: a model simulates the customer')
    .option('--customer-model <name>', 'live: the simulating model; by default the played one')
    .option('--judge-model <name>', 'live: the model that judges rubrics; without it they are skipped')
    .option('--trials <number>', 'live: trials of each scenario; by default 1')
    .option('--threshold <share>', 'live: share of trials that a scenario must pass; by default 1')
    .option('--max-turns <number>', 'live: requests per trial; by default 40')
    .option('--timeout <seconds>', 'live: timeout of a request; by default 120')
    .option('--jobs <number>', 'live: concurrent trials; by default 4')
    .option(
      '--journal <file>',
      'live: file of finished trials, to resume from; by default live.jsonl in the report folder',
    );

export const serverOptions = (command: Command): Command =>
  command
    .option('--server <command or url>', 'test an external MCP server; {folder} is a fresh folder')
    .option('--server-env <name=value>', 'an environment variable of its command; can be repeated', list)
    .option('--server-timeout <seconds>', 'how long the server may take to answer one request; by default 30')
    .option('--keep-server', 'one process of it for all scenarios')
    .option('--reset-tool <tool>', 'the same; this tool of it empties its state before each scenario');

/** Runs live mode or an external server; undefined for the replay of scenarios about Purser. */
export async function otherMode(
  paths: readonly string[],
  options: LiveCommandOptions & ServerOptions,
): Promise<number | undefined> {
  if (options.mode === 'live') return (await import('../commands/eval-live.ts')).evaluateLive(paths, options);
  if (options.server !== undefined) return (await import('../commands/eval-server.ts')).evaluateServer(paths, options);
  return undefined;
}

/** The subcommands of `purser eval` that read conversations. */
export function moreCommands(parent: Command, done: (code: number) => void): void {
  parent
    .command('record')
    .description('Record a session as a draft of a scenario: 0 it replays green, 1 it does not, 3 no recording')
    .requiredOption('--from <source>', 'an MCP command or URL to proxy, or a file: OTLP JSON, messages')
    .requiredOption('--to <file>', 'the draft, named after its scenario: <domain>-<nnn>-<behaviour>.yaml')
    .option('--title <text>', 'what happens, as a sentence', 'A recorded session')
    .option('--foreign', 'the server is not Purser')
    .option(
      '--replay-on <command or url>',
      'where the draft of another server is replayed; by default --from, if it is a command',
    )
    .option('--server-env <name=value>', 'an environment variable of a command; can be repeated', list)
    .option('--fixture <name>', 'the fixture of the world', 'plain')
    .option('--fixtures <dir>', 'folder of the fixtures', usualFolders.fixtures)
    .option('--now <time>', 'start of the scenario; by default the time of its first call')
    .action(async (options: RecordOptions) =>
      done(await (await import('../commands/eval-record.ts')).recordScenario(options)),
    );
}
