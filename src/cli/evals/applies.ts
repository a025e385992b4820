import { refuseGiven } from './options.ts';

// Options that mean nothing without another server, or without a model: whoever gives one expects that it counts.

const forServers = ['serverEnv', 'serverTimeout', 'keepServer', 'resetTool'] as const;
const forModels = [
  ...(['model', 'baseUrl', 'api', 'keyFile', 'stream', 'temperature', 'policy', 'simulate', 'customerModel'] as const),
  ...(['judgeModel', 'trials', 'threshold', 'maxTurns', 'timeout', 'jobs', 'journal'] as const),
] as const;

/** Options as they were given, whichever command's they are. */
type Given = Readonly<Partial<Record<(typeof forServers | typeof forModels)[number], unknown>>>;

/** Throws BadConfiguration for an option of another server where none is named. */
export const refuseServerOptions = (options: object): void =>
  refuseGiven(options as Given, forServers, 'applies only to another MCP server: name it with --server.');

/** Throws BadConfiguration for an option of a model where the script is played. */
export const refuseModelOptions = (options: object): void =>
  refuseGiven(options as Given, forModels, 'applies only to a model: add --mode live.');
