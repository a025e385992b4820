import { bugs } from './bugs.ts';

const live = 'test/evals/live-command.test.ts › empties a server at a URL before each trial';
const command = (pattern: string) => `test/faces/cli-eval-server.test.ts › ${pattern}`;

/** Bugs in evals of another MCP server. */
// biome-ignore format: rows
export const serverMutants = bugs([
  ['trials-share-a-server', 'trials of a model play at the same time on one server, and see what the others do',
   'src/cli/commands/eval-live.ts', live,
   'isUrl(server.at) ? 1 : usualJobs', 'usualJobs'],
  ['trials-begin-with-leftovers', 'the tool that empties a server is not called before a trial of a model',
   'src/cli/commands/eval-live.ts', live,
   'options.resetTool === undefined ? undefined : { reset: options.resetTool }',
   'options.resetTool === undefined ? undefined : {}'],
  ['silent-about-what-it-left-out', 'nobody hears that the answers of a failing scenario were not changed',
   'src/cli/commands/eval-server.ts', command('changes no answers of a scenario that fails as it is'),
   "if (verdict === 'fail') tellAll(", "if (verdict !== 'fail' && verdict !== 'pass') tellAll("],
  ['accepts-the-day', "a golden with today's date is taken without a word, and fails tomorrow",
   'src/cli/evals/goldens.ts', command('says of a golden that it has the date of the day'),
   'text?.includes(today) === true', 'text === today'],
]);
