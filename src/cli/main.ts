import { LedgerUnavailable } from '../ledger/errors.ts';
import { BadConfiguration } from './bad-configuration.ts';
import type { Common } from './options.ts';
import { asksJson, NotDone, tellFailure } from './output.ts';

/**
 * Runs the command line. Returns the exit code: 0 done, 1 refused or a failed check, 2 could not start. Each command's
 * code is loaded when it is called.
 */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    const awaited = plainMcp(argv.slice(2));
    return awaited === undefined
      ? await (await import('./command-line.ts')).runCommandLine(argv)
      : await (await import('./commands/mcp.ts')).mcp(awaited);
  } catch (error) {
    return codeOf(error, asksJson(argv));
  }
}

/** Parses the plain forms of `purser mcp`, which hosts start and wait for, without loading the command-line parser. */
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

/** Reports an error without its stack. Returns the exit code. */
function codeOf(error: unknown, json: boolean): number {
  const known = [BadConfiguration, LedgerUnavailable, NotDone].some((kind) => error instanceof kind);
  const message = error instanceof Error ? error.message : 'an unknown value was thrown';
  const exit = error instanceof NotDone ? 1 : 2;
  tellFailure(known ? message : `Internal error, please report it: ${message}`, { exit, json });
  return exit;
}
