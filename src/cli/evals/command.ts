import type { Command } from 'commander';
import type { EvalOptions, MutateOptions } from '../commands/eval.ts';
import type { FuzzOptions } from '../commands/eval-fuzz.ts';
import type { ServerNamed } from '../commands/eval-server.ts';
import { deepDefaults } from './deep-defaults.ts';
import { usualFolders } from './folders.ts';
import { liveOptions, moreCommands, otherMode, serverOptions } from './live-command.ts';

const formats = 'write reports in these formats, comma-separated: json, junit, md, html, otel';

const load = () => import('../commands/eval.ts');
const list = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

async function mutated(paths: readonly string[], options: MutateOptions & ServerNamed): Promise<number> {
  if (options.server !== undefined) return (await import('../commands/eval-server.ts')).mutateAnswersOf(paths, options);
  if (options.deep === true) return (await import('../commands/eval-deep.ts')).mutateDeeply(paths, options);
  return (await load()).mutateRules(paths, options);
}

/** `purser eval` and its subcommands. Each loads its code when it is called. */
export function evalCommands(program: Command, done: (code: number) => void): void {
  program.enablePositionalOptions(); // subcommands have options of the same names
  const parent = liveOptions(program.command('eval'))
    .description(
      'Play scenarios: scripted conversations with what must come of them. Exit code: 0 all passed, 1 a scenario failed, 2 a gate was not met, 3 a scenario file is wrong, 4 it could not be judged or an option is invalid',
    )
    .enablePositionalOptions()
    .argument('[paths...]', 'scenario files, or folders of them; by default evals/scenarios')
    .option(
      '--fixtures <dir>',
      'folder of the fixtures, the people and cards of Purser scenarios',
      usualFolders.fixtures,
    )
    .option('--adversaries', 'also let bad agents play, and require that scenarios notice them')
    .option(
      '--every-adversary',
      'with --adversaries: let them act in every scenario, instead of one in eight of a hundred or more',
    )
    .option('--seed <number>', 'with --adversaries: which scenarios they act in and what they say; by default 1')
    .option('--shard <part>', 'play one part of the scenarios: 1/4 is the first of four')
    .option(
      '--lanes <number>',
      'threads that play scenarios at the same time; by default one for each processor, at most 4',
    )
    .option('--report <formats>', formats)
    .option('--out <dir>', 'folder into which reports are written', usualFolders.out)
    .option('--baseline <file>', 'a report.json of an earlier run: fail only for scenarios that passed there')
    .option(
      '--min-rules <percent>',
      'require that scenarios show this share of the rules both allowing and refusing a call',
    )
    .option(
      '--min-clauses <percent>',
      'require that scenarios show this share of the rules in each operation both allowing and refusing',
    )
    .option(
      '--coverage',
      'list the rules, transitions, tools and codes that scenarios exercise, and those that none does',
    )
    .option('--accept', 'record what happens as the new goldens beside the scenarios, and print what differs')
    .option('--json', 'print the report as JSON')
    .action(async (paths: readonly string[], options: EvalOptions) =>
      done((await otherMode(paths, options)) ?? (await (await load()).evaluateScenarios(paths, options))),
    );
  const below = (name: string, about: string): Command =>
    parent
      .command(name)
      .description(about)
      .option(
        '--fixtures <dir>',
        'folder of the fixtures, the people and cards of Purser scenarios',
        usualFolders.fixtures,
      )
      .option('--json', 'print JSON');
  serverOptions(
    below(
      'mutate',
      'Break one rule at a time, or with --server change one answer at a time, and say which scenarios notice',
    ),
  )
    .argument('[paths...]', 'scenario files or folders')
    .option('--rule <id>', 'break only this rule; can be repeated', list)
    .option('--one-in <number>', 'rules: try only one in so many of the mutants, which --seed draws')
    .option('--report <formats>', `rules: ${formats}`)
    .option('--out <dir>', `rules: folder of the reports; by default ${usualFolders.out}`)
    .option('--deep', 'plant bugs of every kind into the source instead; needs a checkout')
    .option('--sample <number>', `deep: how many bugs to plant; by default ${deepDefaults.sample}`)
    .option('--seed <number>', 'deep, --one-in: the seed that draws; by default the date')
    .option('--only <part>', 'deep: plant only into files with this part in their path; can be repeated', list)
    .option('--bugs <file>', 'deep: plant the bugs of this file, rather than a sample; can be repeated', list)
    .option('--lanes <number>', `deep: threads that each play one bug at a time; by default ${deepDefaults.lanes}`)
    .option('--most <number>', `deep: play at most so many scenarios with one bug; by default ${deepDefaults.most}`)
    .option(
      '--min-noticed <percent>',
      'deep: require that scenarios notice this share of what they reach, in every layer; server: of all',
    )
    .action(async (paths: readonly string[], options: MutateOptions & ServerNamed) =>
      done(await mutated(paths, options)),
    );
  parent
    .command('compare')
    .description('Compare the reports of two runs: 0 no scenario fails that did not, 1 one does, 4 one was not judged')
    .argument('<before>', 'report.json of the earlier run')
    .argument('<after>', 'report.json of the later run: of another build, model or prompt')
    .option('--json', 'print JSON')
    .action(async (before: string, after: string, options: { json?: true }) =>
      done(await (await import('../commands/eval-compare.ts')).compareReports(before, after, options)),
    );
  below('coverage', 'Show what the scenarios exercise and what they miss')
    .argument('[paths...]', 'scenario files or folders')
    .action(async (paths: readonly string[], options: { fixtures: string; json?: true }) =>
      done(await (await load()).showCoverage(paths, options)),
    );
  below('fuzz', 'Make random calls, with people, time and faults, and check the invariants')
    .option('--seed <number>', 'seed of the first run', '1')
    .option('--runs <number>', 'how many runs', '500')
    .option('--fixture <name>', 'the fixture of the world', 'merchant')
    .option('--out <dir>', 'folder for the scenario of each failure', usualFolders.out)
    .action(async (options: FuzzOptions) => done(await (await import('../commands/eval-fuzz.ts')).runFuzz(options)));
  parent
    .command('schema')
    .description('Print the JSON Schema of scenario files, for editors')
    .action(async () => done(await (await load()).showSchema()));
  moreCommands(parent, done);
}
