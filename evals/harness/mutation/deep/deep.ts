import { SourceMap } from 'node:module';
import { purserCatalogue } from '../../scenario/catalogue.ts';
import { loadFixture, loadScenarios } from '../../scenario/load.ts';
import { isPursersSuite } from '../../scenario/packaged.ts';
import { type Baseline, baselineOf, type Stage } from './baseline.ts';
import { type Build, type Builder, buildOf } from './bundle.ts';
import { absentFrom, type Equivalent, isListed } from './equivalents.ts';
import { inLanes, played, type Wait } from './lanes.ts';
import { inOrder, isInSession, recordsFor } from './order.ts';
import { type OwnBug, sitesOfBugs } from './own-bugs.ts';
import type { DeepResult } from './result.ts';
import { sampleOf } from './sample.ts';
import { type Module, modulesIn, type Parse, planted, type Site, sitesOf } from './sites.ts';

/** The packages that only a checkout has. */
export interface Toolkit {
  readonly build: Builder;
  readonly parse: Parse;
  readonly wait: Wait;
}

export interface DeepOptions {
  readonly paths: readonly string[];
  readonly fixtures: string;
  /** Bugs that somebody wrote, planted in place of a sample. */
  readonly bugs?: readonly OwnBug[] | undefined;
  readonly sample: number;
  readonly seed: number;
  /** Parts of the paths of files, to which the sample is confined. */
  readonly only?: readonly string[] | undefined;
  readonly lanes: number;
  /** The most scenarios that are played with one bug. */
  readonly most: number;
  /** Where builds are put. */
  readonly folder: string;
  readonly equivalents: readonly Equivalent[];
  readonly onBaseline?: (baseline: Baseline, sites: number) => void;
  readonly onResult?: (result: DeepResult, done: number, of: number) => void;
}

/** A part of a path that no file on trial has, or a listed change of a line that there is not. */
export class NothingToPlant extends Error {
  override readonly name = 'NothingToPlant';
}

/** Plants bugs into the build, one at a time, and plays the scenarios that come by until one notices. */
export async function mutateDeep(
  options: DeepOptions,
  { build, parse, wait }: Toolkit,
): Promise<readonly DeepResult[]> {
  const [whole, loaded] = await Promise.all([buildOf(build), loadScenarios(options.paths, purserCatalogue)]);
  const [gone] = absentFrom(whole.text, options.equivalents);
  if (gone !== undefined)
    throw new NothingToPlant(
      `evals/equivalents.yaml lists a change of ${gone.file} in a line that the build does not have. Correct or delete it: ${gone.was}`,
    );
  const names = [...new Set(loaded.map(({ scenario }) => scenario.world?.fixture ?? 'plain'))].filter(
    (it) => it !== 'plain',
  );
  const fixtures = Object.fromEntries(names.map((name) => [name, loadFixture(options.fixtures, name)]));
  const { folder, lanes, most } = options;
  const stage: Stage = { loaded, fixtures, folder, lanes, most, wait, isWhole: isPursersSuite(options.paths) };
  const { chosen, possible } =
    options.bugs === undefined
      ? drawn(options, whole.text, parse)
      : await written(options.bugs, whole.text, { build, parse });
  const baseline = await baselineOf(whole.text, chosen, stage);
  options.onBaseline?.(baseline, possible);
  const where = whereIn(whole);
  const results = new Map<number, DeepResult>();
  await inLanes([...chosen.entries()], folder, lanes, async ([index, site], file) => {
    const about = {
      ...where(site),
      ...{ title: site.title, file: site.file, layer: site.layer, domain: site.domain, operator: site.operator },
    };
    const equivalent = options.equivalents.find((it) => isListed(it, about));
    const end =
      equivalent === undefined
        ? await fateOf(whole.text, { site, index, file, stage, baseline })
        : { fate: 'equivalent' as const, because: equivalent.because, runs: 0 };
    const result = { ...about, ...end };
    results.set(index, result);
    options.onResult?.(result, results.size, chosen.length);
  });
  return [...results].toSorted(([one], [other]) => one - other).map(([, result]) => result);
}

interface Chosen {
  readonly chosen: readonly Site[];
  /** How many there are to choose from. */
  readonly possible: number;
}

/** A sample of the bugs that can be planted. */
function drawn({ only, sample, seed }: DeepOptions, build: string, parse: Parse): Chosen {
  const modules = modulesIn(build).filter(({ file }) => only?.some((part) => file.includes(part)) ?? true);
  const sites = modules.flatMap((module) => sitesOf(module, build, parse));
  for (const part of only ?? [])
    if (!sites.some(({ file }) => file.includes(part)))
      throw new NothingToPlant(`--only: No file on trial has ${part} in its path: name a part such as tools/billing.`);
  const moduleOf = (site: Site): Module | undefined =>
    modules.find(({ start, end }) => start <= site.start && site.end <= end);
  const chosen = sampleOf(sites, sample, seed, (site) => isValid(site, moduleOf(site), build, parse));
  return { chosen, possible: sites.length };
}

/** The bugs that somebody wrote. */
async function written(bugs: readonly OwnBug[], build: string, toolkit: Omit<Toolkit, 'wait'>): Promise<Chosen> {
  const chosen = await sitesOfBugs(bugs, modulesIn(build), build, toolkit);
  return { chosen, possible: chosen.length };
}

/** The bug that can be planted where no sum stands, which only a run tells. */
const halving = 'sum halved';

/** Whether the module can still be read with the change. */
function isValid(site: Site, module: Module | undefined, build: string, parse: Parse): boolean {
  if (module === undefined) return false;
  const text = planted(build, site).slice(module.start, module.end + site.text.length - (site.end - site.start));
  return parse('module.js', text, { sourceType: 'module' }).errors.length === 0;
}

interface Trial {
  readonly site: Site;
  readonly index: number;
  readonly file: string;
  readonly stage: Stage;
  readonly baseline: Baseline;
}

async function fateOf(
  build: string,
  { site, index, file, stage, baseline }: Trial,
): Promise<Pick<DeepResult, 'fate' | 'by' | 'because' | 'runs'>> {
  const scenarios = inOrder(site, index, stage, baseline);
  const records = recordsFor(site, index, baseline);
  if (scenarios.length === 0 && records.length === 0) return { fate: 'unreached', runs: 0 };
  let runs = 0;
  let noticed: { readonly by: string; readonly because: string } | undefined;
  let tabled: string | undefined;
  let isHalved = false;
  const task = { scenarios, fixtures: stage.fixtures, records, untilFailure: true };
  const ending = await played({ build: planted(build, site), file, task, wait: stage.wait }, (said) => {
    if (said.kind === 'listed') noticed = { by: 'the gates', because: said.because };
    if (said.kind === 'tabled') tabled = said.because;
    isHalved ||= said.kind === 'halved';
    if (said.kind !== 'played') return;
    runs += 1;
    if (said.because !== undefined) noticed = { by: said.id, because: said.because };
  });
  if (noticed !== undefined) return { fate: 'noticed', ...noticed, runs };
  if (ending.kind === 'broken') return { fate: 'broken', because: ending.because, runs };
  const by = scenarios[runs]?.scenario.id;
  if (ending.kind === 'crashed') return { fate: 'noticed', by, because: ending.because, runs };
  if (ending.kind === 'hung') return { fate: 'noticed', by, because: 'it hangs', runs };
  if (site.operator === halving && !isHalved)
    return { fate: 'equivalent', because: 'what stands there is no sum', runs };
  if (tabled !== undefined) return { fate: 'tabled', because: tabled, runs };
  return { fate: scenarios.length === 0 && !isInSession(index, baseline) ? 'unreached' : 'survived', runs };
}

/** The line of a site in the source, and the lines of the build that it changes. */
function whereIn({ text, map }: Build): (site: Site) => Pick<DeepResult, 'line' | 'was' | 'is'> {
  const sources = new SourceMap(JSON.parse(map));
  return (site) => {
    const from = text.lastIndexOf('\n', site.start - 1) + 1;
    const end = text.indexOf('\n', site.end);
    const was = text.slice(from, end === -1 ? undefined : end);
    const row = text.slice(0, from).split('\n').length - 1;
    const origin = sources.findEntry(row, site.start - from);
    const is = planted(was, { ...site, start: site.start - from, end: site.end - from });
    return { line: 'originalLine' in origin ? origin.originalLine + 1 : 0, was, is };
  };
}
