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
      new Option(
        '--mode <mode>',
        'replay: make the calls of the script; live: let a model decide what to call; by default replay',
      ).choices(['replay', 'live']),
    )
    .option('--model <name>', 'live: the model that plays; required')
    .option(
      '--base-url <url>',
      'live: address of an OpenAI-compatible API, such as http://127.0.0.1:11434/v1; by default OPENAI_BASE_URL',
    )
    .addOption(
      new Option('--api <api>', 'live: which API of the address to use; by default chat').choices([
        'chat',
        'responses',
        'langchain',
      ]),
    )
    .option('--key-file <file>', 'live: a file that contains only the API key; by default the variable OPENAI_API_KEY')
    .option('--stream', 'live: stream responses')
    .option('--temperature <number>', 'live: temperature of the model; by default not sent')
    .option('--policy <file>', 'live: a file with the system prompt; by default evals/policy.md')
    .option('--simulate', 'live: let a model speak for the customer, too')
    .option('--customer-model <name>', 'live: the model that speaks for the customer; by default that of --model')
    .option('--judge-model <name>', 'live: the model that judges expect.rubric; without it rubrics are skipped')
    .option('--trials <number>', 'live: how often to play each scenario; by default 1')
    .option('--threshold <share>', 'live: share of its trials that a scenario must pass, from 0 to 1; by default 1')
    .option('--max-turns <number>', 'live: most requests to the model in one trial; by default 40')
    .option('--timeout <seconds>', 'live: how long the model may take to answer one request; by default 120')
    .option('--jobs <number>', 'live: trials at the same time; by default 4, with a URL of --server 1')
    .option(
      '--journal <file>',
      'live: file of finished trials, from which an interrupted run goes on; by default live.jsonl in the folder of --out',
    );

export const serverOptions = (command: Command): Command =>
  command
    .option(
      '--server <command or url>',
      'play against another MCP server: a command that starts it, or its URL; {folder} in it is a new folder for each scenario',
    )
    .option(
      '--server-env <name=value>',
      'set an environment variable for the command of --server; can be repeated',
      list,
    )
    .option('--server-timeout <seconds>', 'how long the server may take to answer one request; by default 30')
    .option('--keep-server', 'start the server once for all scenarios, instead of once for each; its state stays')
    .option(
      '--reset-tool <tool>',
      'as --keep-server, and before each scenario call this tool of the server, which empties its state',
    );

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
