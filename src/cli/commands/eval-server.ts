import { performance } from 'node:perf_hooks';
import { checkServer, mutateServer } from '../../../evals/harness/external/check.ts';
import type { AnswerMutant } from '../../../evals/harness/external/mutants.ts';
import type { Server } from '../../../evals/harness/external/server.ts';
import { catalogueOf, serverPlace } from '../../../evals/harness/external/target.ts';
import type { Target } from '../../../evals/harness/replay/target.ts';
import type { Catalogue } from '../../../evals/harness/scenario/catalogue.ts';
import { Secret } from '../../core/secret.ts';
import { didYouMean } from '../../engine/closest-name.ts';
import { BadConfiguration } from '../bad-configuration.ts';
import { refuseModelOptions } from '../evals/applies.ts';
import { codeOf, guarded, notJudged, tellAll } from '../evals/ending.ts';
import { lines } from '../evals/figures.ts';
import { goldensOf } from '../evals/goldens.ts';
import { againstBaseline, percentIn, refuseGiven, secondsIn, shardIn, wholeIn } from '../evals/options.ts';
import { progress } from '../evals/progress.ts';
import { formatsOf, write } from '../evals/writers.ts';
import { lined, say, sayJson } from '../output.ts';
import { version } from '../version.ts';
import type { EvalOptions, MutateOptions } from './eval.ts';

/** Further options of `purser eval --server`. */
export interface ServerOptions extends EvalOptions, ServerNamed {}

/** The server that is tested. */
export interface ServerNamed {
  readonly server?: string;
  readonly serverEnv?: readonly string[];
  /** One process for all scenarios. */
  readonly keepServer?: true;
  /** The tool that empties its state before each; there is one process for all then. */
  readonly resetTool?: string;
  /** Seconds that it may take to answer one request. */
  readonly serverTimeout?: string;
}

/** `purser eval --server "…" dir/`: replays scenarios against any MCP server, each against a fresh instance of it unless one is kept. */
export const evaluateServer = (paths: readonly string[], options: ServerOptions): Promise<number> =>
  guarded(options, async () => {
    const formats = formatsOf(options.report, options.out);
    const server = serverOf(options);
    if (paths.length === 0) throw new BadConfiguration('Name the folder with the scenarios for this server.');
    refuseModelOptions(options);
    refuseReplayOptions(options, ['everyAdversary', 'minClauses', 'lanes']);
    const since = againstBaseline(options.baseline, 'replay');
    const report = await onServer(server, options, (against) =>
      checkServer({
        ...{ paths, ...against, by: `purser ${version}`, watch: performance },
        ...{ shard: shardIn(options.shard), minRules: percentIn(options.minRules, '--min-rules') },
        ...{ goldens: goldensOf({ ...options, today: ofToday() }), onResult: progress() },
        badAgents: options.adversaries === true ? { seed: wholeIn(options.seed ?? '1', '--seed') } : undefined,
      }),
    );
    await write(report, formats, options.out);
    const against = since?.(report);
    if (options.json) sayJson(report);
    else say(lined(lines(report, options, against)));
    return codeOf(report, against);
  });

/** `purser eval mutate --server "…" dir/`: changes each answer of the server, and says which scenarios notice. */
export const mutateAnswersOf = (paths: readonly string[], options: MutateOptions & ServerNamed): Promise<number> =>
  guarded(options, async () => {
    const server = serverOf(options);
    if (paths.length === 0) throw new BadConfiguration('Name the folder with the scenarios for this server.');
    refuseGiven(
      options,
      ['rule', 'oneIn', 'report', 'out'],
      'does not apply to --server, which only prints what it finds.',
    );
    refuseGiven(options, ['deep', 'sample', 'seed', 'only', 'lanes', 'most'], 'applies only to the source of Purser.');
    const least = percentIn(options.minNoticed, '--min-noticed') ?? 0;
    const { results, mutants } = await onServer(server, options, (against) =>
      mutateServer({
        ...{ paths, ...against, by: `purser ${version}`, watch: performance },
        ...{ goldens: goldensOf({}), onResult: progress() },
      }),
    );
    const by = (who: AnswerMutant['noticedBy']): readonly AnswerMutant[] =>
      mutants.filter(({ noticedBy }) => noticedBy === who);
    const noticed = mutants.length - by(undefined).length;
    if (options.json) sayJson(mutants);
    else
      say(
        lined([
          ...by(undefined).map(({ scenario, at, how }) => `survives: ${scenario}, ${at}: ${how}`),
          `${noticed} of ${mutants.length} changes of answers were noticed: ${by('expectation').length} by expectations, ${by('golden').length} by goldens alone.`,
        ]),
      );
    for (const { id, verdict, failures } of results) {
      if (verdict === 'fail') tellAll(`${id} fails as it is, so none of its answers was changed: mend it first.`);
      for (const { because } of verdict === 'judge error' ? failures : []) tellAll(`${id}: ${because}`);
    }
    if (results.some(({ verdict }) => verdict === 'fail')) return 1;
    if (results.some(({ verdict }) => verdict !== 'pass')) return notJudged;
    return mutants.length > 0 && 100 * noticed >= least * mutants.length ? 0 : 2;
  });

const ofToday = (): string => new Date().toISOString().slice(0, 10);

/** Does something against a server, and ends the process that was kept for it. */
async function onServer<Result>(
  server: Server,
  { keepServer, resetTool: reset }: ServerNamed,
  check: (against: { readonly catalogue: Catalogue; readonly place: Target }) => Promise<Result>,
): Promise<Result> {
  const catalogue = await catalogueOf(server);
  demandResetTool(reset, catalogue);
  const place = serverPlace(server, keepServer === true || reset !== undefined ? { reset } : undefined);
  try {
    return await check({ catalogue, place });
  } finally {
    await place.close();
  }
}

/** Throws BadConfiguration where a server has no such tool. */
export function demandResetTool(reset: string | undefined, { tools }: Catalogue): void {
  if (reset !== undefined && !tools.has(reset))
    throw new BadConfiguration(`--reset-tool: the server has no tool ${reset}${didYouMean(reset, [...tools])}.`);
}

/** Rejects options that only apply to replays. */
export const refuseReplayOptions = (options: EvalOptions, names: readonly (keyof EvalOptions)[]): void =>
  refuseGiven(options, names, 'applies only to replays of scenarios about Purser.');

/** The server that the options name. A URL's token comes only from the environment. */
export function serverOf({ server = '', serverEnv = [], serverTimeout }: ServerNamed): Server {
  const token = process.env.EVAL_SERVER_TOKEN;
  delete process.env.EVAL_SERVER_TOKEN;
  const environment = Object.fromEntries(
    serverEnv.map((given) => {
      const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(given) ?? [];
      if (name === undefined || value === undefined)
        throw new BadConfiguration('--server-env must be NAME=value, for example LEVEL=debug.');
      return [name, value];
    }),
  );
  if (server.trim() === '') throw new BadConfiguration('--server must be a command or a URL.');
  const milliseconds = serverTimeout === undefined ? undefined : 1000 * secondsIn(serverTimeout, '--server-timeout');
  return {
    at: server,
    environment,
    version,
    milliseconds,
    ...(token === undefined ? {} : { token: new Secret(token) }),
  };
}
