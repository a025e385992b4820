import { basename, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { isThere, UnsafeFile } from '../../../src/files/check.ts';
import { filesUnder as everythingUnder, readText } from '../../../src/files/read.ts';
import { collections, frame } from '../world/collections.ts';
import { references } from './captures.ts';
import type { Catalogue } from './catalogue.ts';
import { packagedPath } from './packaged.ts';
import {
  type Fixture,
  fixtureSchema,
  isActor,
  isCall,
  isMeanwhile,
  isPoison,
  ownId,
  refusedRules,
  type Scenario,
  scenarioSchema,
  type Value,
} from './schema.ts';

/** An invalid scenario file: the file, the path in it and the reason. The command ends with code 3. */
export class BadScenario extends Error {
  override readonly name = 'BadScenario';
  readonly file: string;
  readonly path: string;
  constructor(file: string, path: string, because: string, options?: ErrorOptions) {
    super(`${file}${path === '' ? '' : `: ${path}`}: ${because}`, options);
    this.file = file;
    this.path = path;
  }
}

/** A scenario and its file. */
export interface Loaded {
  readonly scenario: Scenario;
  readonly file: string;
}

/** Loads every scenario file under the paths, in order of name. Throws BadScenario for the first invalid one. */
export async function loadScenarios(paths: readonly string[], catalogue: Catalogue): Promise<readonly Loaded[]> {
  const files = paths.flatMap((path) => filesUnder(packagedPath(path)));
  if (files.length === 0) throw new BadScenario(paths.join(', '), '', 'there is no scenario here.');
  const loaded = (await Promise.all(files.map(readScenarios))).flat();
  return checked(loaded, catalogue);
}

/** Scenarios of any origin, once their names and ids are known to be valid. Throws BadScenario for the first that isn't. */
export function checked(loaded: readonly Loaded[], catalogue: Catalogue): readonly Loaded[] {
  for (const one of loaded) checkNames(one, catalogue);
  checkTogether(loaded);
  return loaded;
}

/** Reads a fixture file. */
export function loadFixture(folder: string, name: string): Fixture {
  const file = join(packagedPath(folder), `${name}.yaml`);
  if (!isThere(file)) throw new BadScenario(file, 'world.fixture', 'there is no such fixture.');
  return loadYaml(fixtureSchema, file);
}

/** Reads a YAML or JSON file by a schema, with at most so many aliases. Throws BadScenario. */
export const loadYaml = <S extends z.ZodType>(schema: S, file: string, maxAliasCount = 0): z.output<S> =>
  parsed(schema, readYaml(file, maxAliasCount), file);

/** JSON is YAML, so one reader takes both. */
const dataEndings: readonly string[] = ['.yaml', '.yml', '.json'];
const endings: readonly string[] = [...dataEndings, '.ts', '.js', '.mjs'];

function filesUnder(path: string): readonly string[] {
  const found = everythingUnder(path);
  if (found === undefined) throw new BadScenario(path, '', 'there is no such file or folder.');
  if (found === 'file') return [path];
  return found
    .filter((file) => endings.includes(extname(file)))
    .toSorted()
    .map((file) => join(path, file));
}

async function readScenarios(file: string): Promise<readonly Loaded[]> {
  if (dataEndings.includes(extname(file))) {
    const scenario = parsed(scenarioSchema, named(readYaml(file), file), file);
    if (basename(file, extname(file)) !== scenario.id)
      throw new BadScenario(file, 'id', `the file must be named after it: ${scenario.id}${extname(file)}.`);
    return [{ scenario, file }];
  }
  return Object.values(await exportsOf(file))
    .flat()
    .map((given) => ({ scenario: parsed(scenarioSchema, given, file), file }));
}

/** What a file says, with the file's name as its id where it has none. */
const named = (given: unknown, file: string): unknown =>
  typeof given === 'object' && given !== null && !Array.isArray(given)
    ? { id: basename(file, extname(file)), ...given }
    : given;

/** A module's exports. Errors that it throws on import are errors of the file. */
async function exportsOf(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    if (error instanceof z.ZodError) throw unfit(error, file);
    throw new BadScenario(file, '', told(error), { cause: error });
  }
}

const told = (error: unknown): string => (error instanceof Error ? error.message : 'it throws.');

function textOf(file: string): string {
  try {
    return readText('scenario', file);
  } catch (error) {
    if (error instanceof UnsafeFile) throw new BadScenario(file, '', error.message, { cause: error });
    throw error;
  }
}

/** Parses a YAML or JSON file. Throws BadScenario for duplicate keys or invalid syntax. */
function readYaml(file: string, maxAliasCount = 0): unknown {
  const lines = new LineCounter();
  const document = parseDocument(textOf(file), { lineCounter: lines, uniqueKeys: true, version: '1.2' });
  const [fault] = document.errors;
  if (fault !== undefined) {
    const { line, col } = lines.linePos(fault.pos[0]);
    throw new BadScenario(file, `line ${line}, column ${col}`, fault.message.split('\n')[0] ?? 'no YAML');
  }
  try {
    return document.toJS({ maxAliasCount });
  } catch (error) {
    throw new BadScenario(file, '', told(error), { cause: error }); // an alias, which could expand without bound
  }
}

function parsed<S extends z.ZodType>(schema: S, given: unknown, file: string): z.output<S> {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  throw unfit(read.error, file);
}

/** The error for a value that doesn't match its schema. */
function unfit({ issues }: z.ZodError, file: string): BadScenario {
  const { path, because } = deepest(issues[0], []);
  return new BadScenario(file, dotted(path), because);
}

type Issue = z.core.$ZodIssue;

/** For a value that matches no variant of a union, reports the error of the closest variant. */
function deepest(
  issue: Issue | undefined,
  before: readonly PropertyKey[],
): { path: readonly PropertyKey[]; because: string } {
  if (issue === undefined) return { path: before, because: 'is wrong.' };
  const path = [...before, ...issue.path];
  if (issue.code !== 'invalid_union') return { path, because: issue.message };
  const forms = issue.errors.map((faults) => ({ faults, strange: faults.filter(isStrange).length }));
  const best = forms.toSorted(
    (one, other) => one.strange - other.strange || one.faults.length - other.faults.length,
  )[0];
  return deepest(best?.faults[0], path);
}

/** Issues that mean another variant was intended: an unknown key, or a missing or different discriminator. */
const isStrange = (issue: Issue): boolean =>
  issue.code === 'unrecognized_keys' ||
  (issue.code === 'invalid_type' && issue.path.length === 1) ||
  issue.code === 'invalid_value';

const dotted = (path: readonly PropertyKey[]): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');

/** Rejects unknown rules, tools, faults and captures, and scenarios without expectations. */
function checkNames({ scenario, file }: Loaded, { rules, tools, others, faults }: Catalogue): void {
  const bad = (path: string, because: string) => new BadScenario(file, path, because);
  const known = rules === 'declared' ? new Set(Object.keys(scenario.declares ?? {})) : rules;
  const demandRule = (id: string, path: string) => {
    if (!known.has(id)) throw bad(path, `there is no rule ${id}.`);
  };
  const demandTool = (name: string, path: string, by = tools) => {
    if (!by.has(name)) throw bad(path, `there is no tool ${name}.`);
  };
  if (rules !== 'declared') {
    if (!ownId.test(scenario.id)) throw bad('id', 'must be <domain>-<nnn>-<behaviour>, in small letters');
    if (scenario.rules.length === 0) throw bad('rules', 'name the rules that it is about.');
  }
  checkWhose({ scenario, file }, rules === 'declared');
  checkState({ scenario, file });
  for (const { call } of Object.values(scenario.observe ?? {})) demandTool(call, 'observe');
  for (const [index, id] of scenario.rules.entries()) demandRule(id, `rules[${index}]`);
  for (const id of Object.keys(scenario.world?.rules ?? {})) demandRule(id, `world.rules.${id}`);

  const captured = new Set<string>();
  const demandCaptures = (value: Value, path: string) => {
    const stranger = references(value).find((name) => !captured.has(name));
    if (stranger !== undefined) throw bad(path, `nothing was captured as ${stranger} before.`);
  };
  for (const [index, step] of scenario.steps.entries()) {
    const at = `steps[${index}]`;
    if (isCall(step)) {
      demandTool(step.call, `${at}.call`);
      demandCaptures(step.args, `${at}.args`);
      if (step.expect?.refused !== undefined) demandRule(step.expect.refused, `${at}.expect.refused`);
      if (step.expect?.warns !== undefined) demandRule(step.expect.warns, `${at}.expect.warns`);
      for (const name of step.expect?.leads ?? []) demandTool(name, `${at}.expect.leads`);
      if (step.as !== undefined) captured.add(step.as);
      demandCaptures(step.expect?.data ?? {}, `${at}.expect.data`);
    } else if (isMeanwhile(step)) {
      demandTool(step.meanwhile, `${at}.meanwhile`);
      demandCaptures(step.args, `${at}.args`);
    } else if (isActor(step))
      demandCaptures(step as unknown as Value, at); // it came out of YAML
    else if (isPoison(step)) {
      demandCaptures(step.poison, `${at}.poison`);
      if (step.wants !== undefined) demandTool(step.wants.call, `${at}.wants.call`);
      demandCaptures(step.wants?.args ?? {}, `${at}.wants.args`);
    } else if ('fault' in step) {
      if (step.fault.on !== '*') demandTool(step.fault.on, `${at}.fault.on`, others);
      if (!faults.has(step.fault.kind)) throw bad(`${at}.fault.kind`, `there is no fault ${step.fault.kind}.`);
    }
  }
  const { state = {}, never = [], order = [], calls = [] } = scenario.expect;
  demandCaptures(state, 'expect.state');
  for (const name of [...never, ...order.flat(), ...calls]) demandTool(name, 'expect');
  if (!expectsSomething(scenario)) throw bad('expect', 'nothing is expected, so nothing could fail.');
}

/** Worlds, time, faults, actors and poison need Purser; declared rules, observed state and what happens meanwhile need an external server. */
function checkWhose({ scenario, file }: Loaded, isForeign: boolean): void {
  const { declares, observe, world, steps, expect } = scenario;
  const own = declares === undefined ? observe && 'observe' : 'declares';
  if (!isForeign && own !== undefined)
    throw new BadScenario(file, own, 'is only for external servers: Purser has its own rules and state.');
  const aside = steps.findIndex(isMeanwhile);
  if (!isForeign && aside !== -1)
    throw new BadScenario(
      file,
      `steps[${aside}]`,
      'is only for external servers: Purser has steps of time, faults and actors.',
    );
  if (!isForeign) return;
  if (world !== undefined) throw new BadScenario(file, 'world', 'an external server has no world.');
  if (observe === undefined && (expect.state ?? expect.changed) !== undefined)
    throw new BadScenario(file, 'expect', 'state needs `observe`, which says how to read it.');
  const index = steps.findIndex((it) => !isCall(it) && !isMeanwhile(it) && !('user' in it || 'say' in it));
  if (index !== -1)
    throw new BadScenario(
      file,
      `steps[${index}]`,
      'a scenario of an external server has only calls, lines of dialogue, and `meanwhile`.',
    );
}

/** Rejects expectations about collections that aren't observed: they could never fail. */
function checkState({ scenario: { observe, expect }, file }: Loaded): void {
  const own = observe && Object.keys(observe);
  const [watched, known]: readonly [readonly string[], readonly string[]] = [own ?? frame, own ?? collections];
  const stranger = expect.changed?.find((name) => !watched.includes(name));
  if (stranger !== undefined)
    throw new BadScenario(file, 'expect.changed', `${stranger} is not watched: say ${watched.join(', ')}.`);
  const path = Object.keys(expect.state ?? {}).find((it) => !known.includes(it.split('.')[0] ?? ''));
  if (path !== undefined)
    throw new BadScenario(file, `expect.state.${path}`, `the state has only ${known.join(', ')}.`);
}

/** A rubric alone is judged only in live mode, so offline it could never fail. */
const expectsSomething = ({ steps, expect: { rubric: _, budget: __, ...expected } }: Scenario): boolean =>
  Object.values(expected).some((it) => it !== undefined) || steps.some((it) => isCall(it) && it.expect !== undefined);

/** Rejects duplicate ids, and refusals whose twin is missing, refused by the same rule or about other rules. */
function checkTogether(loaded: readonly Loaded[]): void {
  const byId = new Map<string, Loaded>();
  for (const one of loaded) {
    const other = byId.get(one.scenario.id);
    if (other !== undefined) throw new BadScenario(one.file, 'id', `${one.scenario.id} is also in ${other.file}.`);
    byId.set(one.scenario.id, one);
  }
  for (const { scenario, file } of loaded) {
    const refused = refusedRules(scenario);
    if (refused.length > 0 && scenario.twin === undefined)
      throw new BadScenario(file, 'twin', `it is refused by ${refused.join(', ')}: name the scenario that is served.`);
    if (scenario.twin === undefined) continue;
    const twin = byId.get(scenario.twin) ?? twinBeside(file, scenario.twin);
    if (twin === undefined || twin.scenario.id === scenario.id)
      throw new BadScenario(file, 'twin', `there is no scenario ${scenario.twin} beside it.`);
    const same = refusedRules(twin.scenario).find((id) => refused.includes(id));
    if (same !== undefined) throw new BadScenario(file, 'twin', `${scenario.twin} is refused by ${same}, too.`);
    if (twin.scenario.rules.length > 0 && !twin.scenario.rules.some((id) => scenario.rules.includes(id)))
      throw new BadScenario(file, 'twin', `${scenario.twin} is about none of its rules.`);
  }
}

/** A twin outside the selected paths, in the same folder. */
function twinBeside(file: string, id: string): Loaded | undefined {
  const path = dataEndings.map((ending) => join(file, '..', `${id}${ending}`)).find(isThere);
  if (path === undefined) return undefined;
  return { scenario: parsed(scenarioSchema, named(readYaml(path), path), path), file: path };
}
