import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { evalCommands } from './evals/command.ts';
import type { Common, ToolOptions } from './options.ts';
import { asksJson, type Failing, tellFailure } from './output.ts';
import { version } from './version.ts';

/** Runs the command that the arguments name. Returns the exit code. */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  let code = 0;
  // `eval` exits with 4, because there 2 means that a gate was not met.
  const misused = { exit: argv[2] === 'eval' ? 4 : 2, json: asksJson(argv) };
  const program = commandLine((result) => {
    code = result;
  }, misused);
  try {
    await program.parseAsync(argv);
    return code;
  } catch (error) {
    // Commander has printed the usage error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : misused.exit;
    throw error;
  }
}

/** Every command with its options. Each calls `done` with its exit code. `misused`: how it ends where it is not understood. */
export function commandLine(done: (code: number) => void, misused: Failing = { exit: 2, json: false }): Command {
  const program = new Command('purser')
    .description('Lets AI agents use a card-payment platform safely.')
    .version(version)
    .exitOverride()
    .showHelpAfterError(false)
    .configureOutput({ outputError: (text) => tellFailure(text.replace(/^error: /, '').trim(), misused) });

  /** A command whose action returns its exit code. */
  const command = (parent: Command, usage: string, about: string, hasJson: boolean) => {
    const made = parent
      .command(usage)
      .description(about)
      .option('--data <dir>', 'folder of the ledger')
      .option('--config <file>', 'configuration file');
    return hasJson ? made.option('--json', 'print JSON') : made;
  };

  /** A command that serves tools, with options that select them. */
  const serving = (made: Command) =>
    made
      .option('--toolsets <names>', 'toolsets to offer, or all')
      .option('--tools <names>', 'only these tools of the toolsets, and those of every toolset')
      .option('--exclude-tools <names>', 'tools to leave out')
      .option('--read-only', 'only read-only tools')
      .option('--init-anchor', 'create an anchor for the current ledger')
      .option('--init-account', "take the ledger's rows for those of the configured account");

  serving(command(program, 'mcp', 'Serve MCP over stdio, for a host that starts this command', false)).action(
    async (options: Common & ToolOptions) => done(await (await import('./commands/mcp.ts')).mcp(options)),
  );
  serving(command(program, 'serve', 'Serve MCP over HTTP on this machine, and print how to connect', true))
    .option('--port <number>', 'port; 0 for any free one')
    .action(async (options: Common & ToolOptions & { port?: string }) =>
      done(await (await import('./commands/serve.ts')).serve(options)),
    );
  const sandbox = command(program, 'sandbox', 'Serve the sandbox platform alone over HTTP', true)
    .enablePositionalOptions()
    .option('--port <number>', 'port; 0 for any free one')
    .action(async (options: Common & { port?: string }) =>
      done(await (await import('./commands/sandbox.ts')).sandbox(options)),
    );
  command(sandbox, 'reader', 'Connect the simulated card reader to "purser serve", as an app does', true)
    .option(
      '--url <address>',
      'WebSocket address of "purser serve"; by default ws://127.0.0.1:PORT/reader, with the configured port',
    )
    .option('--token <file>', 'file of the token; by default reader.token in the data folder')
    .action(async (options: Common & { url?: string; token?: string }) =>
      done(await (await import('./commands/sandbox-reader.ts')).sandboxReader(options)),
    );
  command(program, 'doctor', 'Check configuration, platform, clock and ledger, and say what to do', true).action(
    async (options: Common) => done(await (await import('./commands/doctor.ts')).doctor(options)),
  );

  const approvals = program.command('approvals').description('Approve or deny waiting calls');
  const decide = async (id: string, verdict: 'approve' | 'deny', options: Common & { yes?: true }) =>
    done(await (await import('./commands/approvals.ts')).decideApproval(id, verdict, options));
  command(approvals, 'list', 'List waiting approvals', true)
    .option('--all', 'include decided and expired ones')
    .option('--limit <number>', 'maximum number, newest first', count, 20)
    .action(async (options: Common & { all?: true; limit: number }) =>
      done(await (await import('./commands/approvals.ts')).listWaiting(options)),
    );
  command(approvals, 'approve <id>', 'Show a call, ask for confirmation, and approve this call once', true)
    .option('--yes', 'approve without confirmation, for scripts')
    .action((id: string, options: Common & { yes?: true }) => decide(id, 'approve', options));
  command(approvals, 'deny <id>', 'Show a call, and deny it', true)
    .option('--yes', 'accepted as for approve; a denial needs no confirmation')
    .action((id: string, options: Common) => decide(id, 'deny', options));

  const operations = program.command('operations').description('Show operations and resolve unknown outcomes');
  command(operations, 'list', 'List operations, newest first', true)
    .option('--state <state>', 'only this state, for example UNKNOWN')
    .option('--limit <number>', 'maximum number', count, 20)
    .action(async (options: Common & { state?: string; limit: number }) =>
      done(await (await import('./commands/operations.ts')).list(options)),
    );
  command(operations, 'show <id>', 'Show one operation: its request, approval and result', true).action(
    async (id: string, options: Common) => done(await (await import('./commands/operations.ts')).show(id, options)),
  );
  command(operations, 'resolve <id>', 'Record the outcome of an UNKNOWN operation', true)
    .option('--happened', 'the operation took effect')
    .option('--did-not-happen', 'the operation had no effect')
    .requiredOption('--note <text>', 'how you know')
    .action(async (id: string, options: Common & { happened?: true; didNotHappen?: true; note: string }) =>
      done(await (await import('./commands/operations.ts')).resolve(id, options)),
    );

  const keys = program.command('keys').description('Generate secret keys of acceptance devices');
  command(keys, 'generate', 'Generate a key once a person has approved it, and write it to a new file', true)
    .requiredOption('--to <file>', 'the file to create')
    .option('--organization <id>', "merchant ID that the key is for; by default the merchant's own")
    .action(async (options: Common & { to: string; organization?: string }) =>
      done(await (await import('./commands/keys.ts')).generateKey(options)),
    );

  const shoppers = program.command('shoppers').description('Register shopper sessions');
  command(
    shoppers,
    'import <file>',
    'Register the sessions of a JSON file: one, or an array; - for stdin',
    true,
  ).action(async (file: string, options: Common) =>
    done(await (await import('./commands/register.ts')).importShoppers(file, options)),
  );
  const receipts = program.command('receipts').description("Register payments processed by the merchant's system");
  command(receipts, 'add <file>', 'Register the receipt in a JSON file; - for stdin', true).action(
    async (file: string, options: Common) =>
      done(await (await import('./commands/register.ts')).addReceipt(file, options)),
  );

  const audit = program.command('audit').description('The tamper-evident log of calls and decisions');
  command(audit, 'verify', 'Check the chain from its first row', true)
    .option('--archive <files...>', 'also check these archives, which must hold every archived row')
    .action(async (options: Common & { archive?: readonly string[] }) =>
      done(await (await import('./commands/audit.ts')).verify(options)),
    );
  command(audit, 'archive', 'Move the oldest rows to a file', true)
    .requiredOption('--to <file>', 'the file to create, or the file of an interrupted run')
    .option('--before <date>', 'rows before this date in UTC, or time with its zone')
    .option('--keep <number>', 'archive all but this many rows', atLeastOne)
    .action(async (options: Common & { to: string; before?: string; keep?: number }) =>
      done(await (await import('./commands/archive.ts')).archive(options)),
    );
  command(audit, 'show', 'Show the last rows', true)
    .option('--limit <number>', 'maximum number', count, 20)
    .action(async (options: Common & { limit: number }) =>
      done(await (await import('./commands/audit.ts')).show(options)),
    );
  command(audit, 'resume', 'Allow calls again after an integrity error was investigated', true)
    .requiredOption('--note <text>', 'what you found')
    .action(async (options: Common & { note: string }) =>
      done(await (await import('./commands/audit.ts')).resume(options)),
    );
  command(audit, 'export', 'Write every row to stdout', false)
    .option('--format <format>', 'jsonl or csv', 'jsonl')
    .action(async (options: Common & { format: string }) =>
      done(await (await import('./commands/audit.ts')).exportRows(options)),
    );
  evalCommands(program, done);
  return program;
}

/** The largest page of ledger rows. */
const mostRows = 1000;

function atLeastOne(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of at least 1.');
}

function count(text: string): number {
  if (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= mostRows) return Number(text);
  throw new InvalidArgumentError(`It must be a number from 1 to ${mostRows}.`);
}
