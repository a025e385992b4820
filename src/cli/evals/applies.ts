import type { LiveCommandOptions } from '../commands/eval-live.ts';
import { refuseGiven } from './options.ts';

// Options that mean nothing without another server, or without a model: whoever gives one expects that it counts.

const forServers = [
  'serverEnv',
  'serverTimeout',
  'keepServer',
  'resetTool',
] as const satisfies readonly (keyof LiveCommandOptions)[];
const forModels = [
  ...(['model', 'baseUrl', 'api', 'keyFile', 'stream', 'temperature', 'policy', 'simulate', 'customerModel'] as const),
  ...(['judgeModel', 'trials', 'threshold', 'maxTurns', 'timeout', 'jobs', 'journal'] as const),
] satisfies readonly (keyof LiveCommandOptions)[];

/** Throws BadConfiguration for an option of another server where none is named. */
export const refuseServerOptions = (options: object): void =>
  refuseGiven(options as LiveCommandOptions, forServers, 'applies only to another MCP server: name it with --server.');

/** Throws BadConfiguration for an option of a model where the script is played. */
export const refuseModelOptions = (options: object): void =>
  refuseGiven(options as LiveCommandOptions, forModels, 'applies only to a model: add --mode live.');
