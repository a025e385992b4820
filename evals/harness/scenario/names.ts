import { collections, frame } from '../world/collections.ts';
import { references } from './captures.ts';
import type { Catalogue } from './catalogue.ts';
import type { Fault, Path } from './faults.ts';
import {
  isActor,
  isCall,
  isMeanwhile,
  isPoison,
  ownId,
  refusedRules,
  type Scenario,
  type Step,
  type Value,
} from './schema.ts';
import { unknownName } from './schema-faults.ts';

// What a scenario names must exist: rules, tools, faults, captures, collections, twins.

/** A scenario and its file. */
export interface Loaded {
  readonly scenario: Scenario;
  readonly file: string;
}

/** Notes what is wrong at a path. */
type Note = (path: Path, because: string) => void;

/** Unknown rules, tools, faults, captures and collections of a scenario, and expectations that could never fail. */
export function nameFaults({ scenario, file }: Loaded, catalogue: Catalogue): readonly Fault[] {
  const faults: Fault[] = [];
  const bad: Note = (path, because) => void faults.push({ file, path, because });
  const isForeign = catalogue.rules === 'declared';
  if (!isForeign) {
    if (!ownId.test(scenario.id)) bad(['id'], 'must be <domain>-<nnn>-<behaviour>, in small letters.');
    if (scenario.rules.length === 0) bad(['rules'], 'name the rules that it is about.');
  }
  const known = catalogue.rules === 'declared' ? new Set(Object.keys(scenario.declares ?? {})) : catalogue.rules;
  checkWhose(scenario, isForeign, bad);
  checkState(scenario, isForeign, bad);
  checkNames(scenario, { ...catalogue, rules: known, isForeign }, bad);
  if (!expectsSomething(scenario)) bad(['expect'], 'nothing is expected, so nothing could fail.');
  return faults;
}

type Known = Omit<Catalogue, 'rules'> & { readonly rules: ReadonlySet<string>; readonly isForeign: boolean };

function checkNames(scenario: Scenario, { rules, isForeign, tools, others, faults }: Known, bad: Note): void {
  const demandRule = (id: string, path: Path): void => {
    if (rules.has(id)) return;
    bad(
      path,
      `${unknownName('rule', id, [...rules])}${isForeign ? ' This file says its rules under `declares`.' : ''}`,
    );
  };
  const demandTool = (name: string, path: Path, by = tools): void => {
    if (!by.has(name)) bad(path, unknownName('tool', name, [...by]));
  };
  for (const [name, { call }] of Object.entries(scenario.observe ?? {})) demandTool(call, ['observe', name, 'call']);
  for (const [index, id] of scenario.rules.entries()) demandRule(id, ['rules', index]);
  for (const id of Object.keys(scenario.world?.rules ?? {})) demandRule(id, ['world', 'rules', id]);

  const captured = new Set<string>();
  const demandCaptures = (value: Value, path: Path): void => {
    const strangers = new Set(references(value).filter((name) => !captured.has(name)));
    for (const name of strangers) bad(path, `nothing was captured as ${name} before.`);
  };
  const checkStep = (step: Step, at: Path): void => {
    if (isCall(step)) {
      const { call, args, as: name, expect } = step;
      demandTool(call, [...at, 'call']);
      demandCaptures(args, [...at, 'args']);
      if (expect?.refused !== undefined) demandRule(expect.refused, [...at, 'expect', 'refused']);
      if (expect?.warns !== undefined) demandRule(expect.warns, [...at, 'expect', 'warns']);
      for (const [index, tool] of (expect?.leads ?? []).entries()) demandTool(tool, [...at, 'expect', 'leads', index]);
      if (name !== undefined) captured.add(name);
      demandCaptures(expect?.data ?? {}, [...at, 'expect', 'data']);
    } else if (isMeanwhile(step)) {
      demandTool(step.meanwhile, [...at, 'meanwhile']);
      demandCaptures(step.args, [...at, 'args']);
    } else if (isActor(step))
      demandCaptures(step as unknown as Value, at); // it came out of YAML
    else if (isPoison(step)) {
      demandCaptures(step.poison, [...at, 'poison']);
      if (step.wants !== undefined) demandTool(step.wants.call, [...at, 'wants', 'call']);
      demandCaptures(step.wants?.args ?? {}, [...at, 'wants', 'args']);
    } else if ('fault' in step) {
      const { on, kind } = step.fault;
      if (on !== '*') demandTool(on, [...at, 'fault', 'on'], others);
      if (!faults.has(kind)) bad([...at, 'fault', 'kind'], unknownName('fault', kind, [...faults]));
    }
  };
  for (const [index, step] of scenario.steps.entries()) checkStep(step, ['steps', index]);

  const { state = {}, never = [], order = [], calls = [] } = scenario.expect;
  demandCaptures(state, ['expect', 'state']);
  for (const [index, name] of never.entries()) demandTool(name, ['expect', 'never', index]);
  for (const [index, list] of order.entries())
    for (const [at, name] of list.entries()) demandTool(name, ['expect', 'order', index, at]);
  for (const [index, name] of calls.entries()) demandTool(name, ['expect', 'calls', index]);
}

/** Worlds, time, faults, actors and poison need Purser; declared rules, observed state and what happens meanwhile need an external server. */
function checkWhose({ declares, observe, world, steps, expect }: Scenario, isForeign: boolean, bad: Note): void {
  if (!isForeign) {
    const own = 'is only for external servers, which are named with --server: Purser has its own rules and state.';
    if (declares !== undefined) bad(['declares'], own);
    if (observe !== undefined) bad(['observe'], own);
    for (const [index, step] of steps.entries())
      if (isMeanwhile(step))
        bad(['steps', index], 'is only for external servers: Purser has steps of time, faults and actors.');
      else if (isCall(step) && step.expect?.varies !== undefined)
        bad(
          ['steps', index, 'expect', 'varies'],
          'is only for external servers: a world of Purser is always the same.',
        );
    return;
  }
  if (world !== undefined) bad(['world'], 'an external server has no world.');
  if (observe === undefined && expect.state !== undefined)
    bad(['expect', 'state'], 'state needs `observe`, which says how to read it.');
  if (observe === undefined && expect.changed !== undefined)
    bad(['expect', 'changed'], 'state needs `observe`, which says how to read it.');
  for (const [index, step] of steps.entries())
    if (!isCall(step) && !isMeanwhile(step) && !('user' in step || 'say' in step))
      bad(['steps', index], 'a scenario of an external server has only calls, lines of dialogue, and `meanwhile`.');
}

/** Expectations about collections that aren't observed could never fail. */
function checkState({ observe, expect }: Scenario, isForeign: boolean, bad: Note): void {
  if (observe === undefined && isForeign) return; // said already
  const own = observe && Object.keys(observe);
  const [watched, known]: readonly [readonly string[], readonly string[]] = [own ?? frame, own ?? collections];
  for (const [index, name] of (expect.changed ?? []).entries())
    if (!watched.includes(name))
      bad(['expect', 'changed', index], `${name} is not watched: say ${watched.join(', ')}.`);
  for (const path of Object.keys(expect.state ?? {}))
    if (!known.includes(path.split('.')[0] ?? ''))
      bad(['expect', 'state', path], `the state has only ${known.join(', ')}.`);
}

/** A rubric alone is judged only in live mode, so offline it could never fail. */
const expectsSomething = ({ steps, expect: { rubric: _, budget: __, ...expected } }: Scenario): boolean =>
  Object.values(expected).some((it) => it !== undefined) || steps.some((it) => isCall(it) && it.expect !== undefined);

/** Duplicate ids, and refusals whose twin is missing, refused by the same rule or about other rules. */
export function togetherFaults(
  loaded: readonly Loaded[],
  twinBeside: (file: string, id: string) => Loaded | undefined,
): readonly Fault[] {
  const faults: Fault[] = [];
  const byId = new Map<string, Loaded>();
  for (const one of loaded) {
    const other = byId.get(one.scenario.id);
    if (other !== undefined)
      faults.push({ file: one.file, path: ['id'], because: `${one.scenario.id} is also in ${other.file}.` });
    byId.set(one.scenario.id, one);
  }
  for (const { scenario, file } of loaded) {
    const because = twinFault(scenario, (id) => byId.get(id) ?? twinBeside(file, id));
    if (because !== undefined) faults.push({ file, path: ['twin'], because });
  }
  return faults;
}

function twinFault(scenario: Scenario, find: (id: string) => Loaded | undefined): string | undefined {
  const refused = refusedRules(scenario);
  if (scenario.twin === undefined)
    return refused.length > 0 ? `it is refused by ${refused.join(', ')}: name the scenario that is served.` : undefined;
  const twin = find(scenario.twin)?.scenario;
  if (twin === undefined || twin.id === scenario.id) return `there is no scenario ${scenario.twin} beside it.`;
  const same = refusedRules(twin).find((id) => refused.includes(id));
  if (same !== undefined) return `${scenario.twin} is refused by ${same}, too.`;
  const isAbout = twin.rules.length === 0 || twin.rules.some((id) => scenario.rules.includes(id));
  return isAbout ? undefined : `${scenario.twin} is about none of its rules.`;
}
