import { Command, CommanderError, InvalidArgumentError } from 'commander';
import type { ToolOptions } from './config.ts';
import { evalCommands } from './evals/command.ts';
import type { Common } from './main.ts';
import { tell } from './output.ts';
import { version } from './version.ts';

/** Runs what the arguments name, and answers the exit code. */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  let code = 0;
  const program = commandLine((result) => {
    code = result;
  });
  try {
    await program.parseAsync(argv);
    return code;
  } catch (error) {
    // It has told by itself what it does not understand. 2 says of an eval that a gate was not met.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : argv[2] === 'eval' ? 4 : 2;
    throw error;
  }
}

/** Every command with its options; each ends by telling its exit code. */
export function commandLine(done: (code: number) => void): Command {
  const program = new Command('purser')
    .description('Lets AI agents do business on a card-payment platform without being able to do harm.')
    .version(version)
    .exitOverride()
    .showHelpAfterError(false)
    .configureOutput({ outputError: (text) => tell(text.replace(/^error: /, '').trim()) });

  /** A command whose work answers its exit code. */
  const command = (parent: Command, usage: string, about: string, hasJson: boolean) => {
    const made = parent
      .command(usage)
      .description(about)
      .option('--data <dir>', 'folder of the ledger')
      .option('--config <file>', 'configuration file');
    return hasJson ? made.option('--json', 'print JSON') : made;
  };

  /** A command that serves tools, of which not all need be there. */
  const serving = (made: Command) =>
    made
      .option('--toolsets <names>', 'the toolsets that agents get, or all')
      .option('--tools <names>', 'of them these tools alone')
      .option('--exclude-tools <names>', 'none of these tools')
      .option('--read-only', 'only tools that change nothing')
      .option('--init-anchor', 'make an anchor for the ledger as it is now');

  serving(command(program, 'mcp', 'Serve MCP over stdio, for a host that starts this command', false)).action(
    async (options: Common & ToolOptions) => done(await (await import('./commands/mcp.ts')).mcp(options)),
  );
  serving(command(program, 'serve', 'Serve MCP over HTTP on this machine, and print how to connect', true))
    .option('--port <number>', 'port; 0 for any that is free')
    .action(async (options: Common & ToolOptions & { port?: string }) =>
      done(await (await import('./commands/serve.ts')).serve(options)),
    );
  command(program, 'sandbox', 'Serve the sandbox platform alone over HTTP', true)
    .option('--port <number>', 'port; 0 for any that is free')
    .action(async (options: Common & { port?: string }) =>
      done(await (await import('./commands/sandbox.ts')).sandbox(options)),
    );
  command(program, 'doctor', 'Check configuration, platform, clock and ledger, and say what to do', true).action(
    async (options: Common) => done(await (await import('./commands/doctor.ts')).doctor(options)),
  );

  const approvals = program.command('approvals').description('Decide what waits for a person');
  const decide = async (id: string, verdict: 'approve' | 'deny', options: Common & { yes?: true }) =>
    done(await (await import('./commands/approvals.ts')).decideApproval(id, verdict, options));
  command(approvals, 'list', 'List what waits for a decision', true)
    .option('--all', 'also what was decided, or not in time')
    .option('--limit <number>', 'how many, newest first', count, 20)
    .action(async (options: Common & { all?: true; limit: number }) =>
      done(await (await import('./commands/approvals.ts')).listWaiting(options)),
    );
  command(approvals, 'approve <id>', 'Show a call, ask, and approve exactly this one, once', true)
    .option('--yes', 'approve without a question, for scripts')
    .action((id: string, options: Common & { yes?: true }) => decide(id, 'approve', options));
  command(approvals, 'deny <id>', 'Show a call, and deny it', true)
    .option('--yes', 'as for approve; a no asks nothing')
    .action((id: string, options: Common) => decide(id, 'deny', options));

  const operations = program.command('operations').description('See what was done, and settle what is unknown');
  command(operations, 'list', 'List operations, newest first', true)
    .option('--state <state>', 'only these, for example UNKNOWN')
    .option('--limit <number>', 'how many', count, 20)
    .action(async (options: Common & { state?: string; limit: number }) =>
      done(await (await import('./commands/operations.ts')).list(options)),
    );
  command(operations, 'show <id>', 'Show one: what was sent, who approved it, and what was answered', true).action(
    async (id: string, options: Common) => done(await (await import('./commands/operations.ts')).show(id, options)),
  );
  command(operations, 'resolve <id>', 'Say what became of an UNKNOWN operation', true)
    .option('--happened', 'it took effect')
    .option('--did-not-happen', 'it did not')
    .requiredOption('--note <text>', 'how it was found out')
    .action(async (id: string, options: Common & { happened?: true; didNotHappen?: true; note: string }) =>
      done(await (await import('./commands/operations.ts')).resolve(id, options)),
    );

  const shoppers = program.command('shoppers').description('Register who is shopping');
  command(
    shoppers,
    'import <file>',
    'Register the sessions of a JSON file: one, or an array; - for stdin',
    true,
  ).action(async (file: string, options: Common) =>
    done(await (await import('./commands/register.ts')).importShoppers(file, options)),
  );
  const receipts = program.command('receipts').description("Register payments that the merchant's system processed");
  command(receipts, 'add <file>', 'Register the receipt in a JSON file; - for stdin', true).action(
    async (file: string, options: Common) =>
      done(await (await import('./commands/register.ts')).addReceipt(file, options)),
  );

  const audit = program
    .command('audit')
    .description('What was done and decided, in a chain that shows every later edit');
  command(audit, 'verify', 'Check the chain from its first row', true)
    .option('--archive <files...>', 'also check these archives, which must hold every row before the first')
    .action(async (options: Common & { archive?: readonly string[] }) =>
      done(await (await import('./commands/audit.ts')).verify(options)),
    );
  command(audit, 'archive', 'Move the oldest rows to a file', true)
    .requiredOption('--to <file>', 'the file, which is made; or one that an interrupted run has made')
    .option('--before <date>', 'rows before this date')
    .option('--keep <number>', 'all rows but the last so many', atLeastOne)
    .action(async (options: Common & { to: string; before?: string; keep?: number }) =>
      done(await (await import('./commands/archive.ts')).archive(options)),
    );
  command(audit, 'show', 'Show the last rows', true)
    .option('--limit <number>', 'how many', count, 20)
    .action(async (options: Common & { limit: number }) =>
      done(await (await import('./commands/audit.ts')).show(options)),
    );
  command(audit, 'resume', 'Let calls go on after a halt that somebody has looked into', true)
    .requiredOption('--note <text>', 'what was found')
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

/** The most rows of a page of the ledger. */
const mostRows = 1000;

function atLeastOne(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number from 1 on.');
}

function count(text: string): number {
  if (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= mostRows) return Number(text);
  throw new InvalidArgumentError(`It must be a number from 1 to ${mostRows}.`);
}
