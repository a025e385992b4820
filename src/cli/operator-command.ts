import { basename, join } from 'node:path';
import type { Reach } from '../engine/approval-links.ts';
import { isThere } from '../files/check.ts';
import { realPathOf } from '../files/read.ts';
import type { Configuration } from './config.ts';
import { configurationFile, dataFolder, nowhere } from './folders.ts';

const entry = 'purser.js';

/**
 * How a person reaches the Purser of this process from another terminal. There is no command for a ledger in memory, which no
 * other process can open, or where the command isn't installed beside this program.
 */
export function reachOf({ data, state, file, environment, tenant }: Configuration, env: NodeJS.ProcessEnv): Reach {
  const script = scriptPath();
  if (script === undefined || data === nowhere) return {};
  return {
    command: {
      // What chooses the ledger and isn't an option. Secrets and their files stay unnamed: an agent reads this.
      variables: Object.fromEntries(
        Object.entries({ PURSER_ENVIRONMENT: environment, PURSER_TENANT: tenant, PURSER_STATE: state }).filter(
          ([name]) => env[name] !== undefined,
        ),
      ),
      words: [process.execPath, script],
      options: [
        ...(data === dataFolder(env) ? [] : ['--data', data]),
        ...(file === undefined || file === configurationFile(env) ? [] : ['--config', file]),
      ],
    },
  };
}

/** The built command: the one that runs, or the one beside a program that embeds Purser. */
function scriptPath(): string | undefined {
  const [, running = ''] = process.argv;
  if (isThere(running) && basename(realPathOf(running)) === entry) return realPathOf(running);
  return ['.', '..'].map((up) => join(import.meta.dirname, up, entry)).find(isThere);
}
