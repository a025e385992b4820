import { basename, join } from 'node:path';
import type { Reach } from '../engine/approval-links.ts';
import { isThere } from '../files/check.ts';
import { realPathOf } from '../files/read.ts';
import type { Configuration } from './configuration.ts';
import { configurationFile, dataFolder, nowhere } from './folders.ts';

const entry = 'purser.js';

/**
 * The command with which a person reaches this Purser from another terminal. Undefined for a ledger in memory, which no
 * other process can open, and if the command isn't installed beside this program.
 */
export function reachOf({ data, state, file, environment, tenant }: Configuration, env: NodeJS.ProcessEnv): Reach {
  const script = scriptPath();
  if (script === undefined || data === nowhere) return {};
  return {
    command: {
      // Variables that choose the ledger and have no option. Secrets and their files are left out: an agent reads this.
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

/** The path of the built command: this process's own, or the one beside a program that embeds Purser. */
function scriptPath(): string | undefined {
  const [, running = ''] = process.argv;
  if (isThere(running) && basename(realPathOf(running)) === entry) return realPathOf(running);
  return ['.', '..'].map((up) => join(import.meta.dirname, up, entry)).find(isThere);
}
