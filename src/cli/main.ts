import { LedgerUnavailable } from '../ledger/errors.ts';
import { BadConfiguration } from './config.ts';
import { NotDone, tell } from './output.ts';

/** What every command may be told. */
export interface Common {
  /** The data folder, in place of the configured one. */
  readonly data?: string;
  /** The configuration file, in place of the usual one. */
  readonly config?: string;
  readonly json?: boolean;
}

/**
 * Runs the command line and answers the exit code: 0 done, 1 refused or found wrong, 2 could not start. Each command is
 * loaded when it is called, so that none pays for another.
 */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    const awaited = plainMcp(argv.slice(2));
    return awaited === undefined
      ? await (await import('./command-line.ts')).runCommandLine(argv)
      : await (await import('./commands/mcp.ts')).mcp(awaited);
  } catch (error) {
    return codeOf(error);
  }
}

/** The one command that somebody waits for at every start, in the forms that hosts are told: nothing there to parse. */
function plainMcp([command, ...words]: readonly string[]): Common | undefined {
  if (command !== 'mcp' || words.length % 2 !== 0) return undefined;
  const given: { data?: string; config?: string } = {};
  for (let at = 0; at < words.length; at += 2) {
    const option = plainOptions.get(words[at] ?? '');
    if (option === undefined) return undefined;
    given[option] = words[at + 1] ?? '';
  }
  return given;
}

const plainOptions = new Map<string, 'data' | 'config'>([
  ['--data', 'data'],
  ['--config', 'config'],
]);

/** What went wrong, in one line without values of ours or a stack; and the code for it. */
function codeOf(error: unknown): number {
  const known = [BadConfiguration, LedgerUnavailable, NotDone].some((kind) => error instanceof kind);
  const message = error instanceof Error ? error.message : 'something unknown was thrown';
  tell(known ? message : `This should not have happened, please report it: ${message}`);
  return error instanceof NotDone ? 1 : 2;
}
