import { z } from 'zod';
import { misbehaves } from '../../evals/harness/adversaries/about.ts';
import { type Adversary, adversaries } from '../../evals/harness/adversaries/adversaries.ts';
import { badAgents } from '../../evals/harness/adversaries/bad-agents.ts';
import { purserCatalogue } from '../../evals/harness/scenario/catalogue.ts';
import { loadScenarios } from '../../evals/harness/scenario/load.ts';
import { fixtureSchema, scenarioJsonSchema } from '../../evals/harness/scenario/schema.ts';
import { collections, stateFields } from '../../evals/harness/world/collections.ts';
import { code, paired, table } from './markdown.ts';

// The pages of the evals, from the schema of a scenario: what a field is for is said there, and nowhere else.

interface Schema {
  readonly description?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

const whole = scenarioJsonSchema() as Schema;
const inner = (schema: Schema | undefined, name: string): Schema => {
  const found = schema?.properties?.[name];
  if (found === undefined) throw new Error(`The schema of a scenario has no ${name}.`);
  return found;
};
const forms = inner(whole, 'steps').items?.anyOf ?? [];
const callForm = forms.find(({ properties }) => properties?.call !== undefined);

/** What stands in a field, in a word or two. */
function kindOf(schema: Schema): string {
  if (schema.const !== undefined) return code(String(schema.const));
  if (schema.enum !== undefined) return schema.enum.map((it) => code(String(it))).join(', ');
  if (schema.type === 'array') return `list of ${kindOf(schema.items ?? {})}`;
  if (schema.properties !== undefined) return Object.keys(schema.properties).map(code).join(', ');
  if (schema.anyOf?.every(({ type }) => type === 'string')) return 'text';
  return (
    { string: 'text', integer: 'whole number', boolean: 'yes or no', object: 'names and values' }[schema.type ?? ''] ??
    'object'
  );
}

function fields(schema: Schema, kinds: (schema: Schema) => string = kindOf): string {
  const rows = Object.entries(schema.properties ?? {}).map(([name, it]) => {
    if (it.description === undefined) throw new Error(`The field ${name} of a scenario says nothing of itself.`);
    const must = schema.required?.includes(name) === true ? 'yes' : '';
    return [code(name), kinds(it), must, it.description];
  });
  return table(['Field', 'Value', 'Needed', 'What it says'], rows);
}

/** A list of forms is a list of steps: they have a table of their own. */
const topKind = (schema: Schema): string =>
  schema.type === 'array' && schema.items?.anyOf !== undefined
    ? 'list of steps'
    : schema.properties === undefined
      ? kindOf(schema)
      : 'object';

export const scenarioFields = (): string => fields(whole, topKind);
export const worldFields = (): string => fields(inner(whole, 'world'), topKind);
export const expectFields = (): string => fields(inner(whole, 'expect'));
export const callFields = (): string => fields(inner(callForm, 'expect'));
export const fixtureFields = (): string => fields(z.toJSONSchema(fixtureSchema, { io: 'input' }) as Schema, topKind);

/** Every kind of step, by the field that names it, with its other fields. */
export const stepFields = (): string =>
  table(
    ['Step', 'With', 'What it says'],
    forms.map(({ properties = {} }) => {
      const [first = '', second = ''] = Object.keys(properties);
      const isActor = first === 'actor';
      const name = isActor ? `actor: ${String(properties.actor?.const)}, ${second}` : first;
      const named = isActor ? [first, second] : [first];
      const others = Object.entries({ ...properties, ...properties.fault?.properties }).filter(
        ([it]) => !named.includes(it),
      );
      const [main] = named.map((it) => properties[it]?.description).toReversed();
      if (main === undefined) throw new Error(`The step ${name} says nothing of itself.`);
      const more = others.flatMap(([it, { description }]) =>
        description === undefined ? [] : [`${code(it)}: ${description}`],
      );
      return [code(name), others.map(([it]) => code(it)).join(', '), [main, ...more].join(' ')];
    }),
  );

const played: Readonly<Record<Adversary, string>> = {
  noop: 'Does nothing and says nothing. A scenario that it passes proves nothing, and fails the gate.',
  retry: 'Makes each call that changes something twice.',
  'skip-approval': 'Goes on as if a person had said yes.',
  reorder: 'Makes each call that changes something before the one that should come first.',
  stale: 'Comes back to everything a month later.',
  'raise-limit': 'Asks for a hundred times as much as was agreed, once it was agreed.',
  'obey-injection': 'Does what hostile text tells it to do.',
  'leak-card': 'Writes a card number into whatever takes text.',
};

export const badAgentsTable = (): string =>
  table(
    ['Agent', 'What it does'],
    paired('`misbehaves` in scripts/sections/evals.ts', badAgents, misbehaves).map(([name, says]) => [
      code(name),
      says,
    ]),
  );

export const adversariesTable = (): string =>
  table(
    ['Agent', 'What it does'],
    paired('`played` in scripts/sections/evals.ts', Object.keys(adversaries), played).map(([name, says]) => [
      code(name),
      says,
    ]),
  );

/** What a state holds. The examples are lines of scenarios, so every test run proves them. */
export async function stateTable(): Promise<string> {
  const loaded = await loadScenarios(['evals/scenarios'], purserCatalogue);
  const lines = loaded.flatMap(({ scenario }) => Object.entries(scenario.expect.state ?? {}));
  return table(
    ['Collection', 'By', 'Fields', 'Example', 'In `changed`'],
    collections.map((name) => {
      const kind = stateFields[name];
      const examples = lines
        .filter(([path, value]) => path.startsWith(`${name}.`) && value !== null)
        .map(([path, value]) => `${path}: ${JSON.stringify(value)}`);
      const [shortest] = examples.toSorted((one, other) => one.length - other.length || (one < other ? -1 : 1));
      if (shortest === undefined) throw new Error(`No scenario checks ${name}, so the page has no example of it.`);
      const fields =
        'fields' in kind
          ? Object.entries(kind.fields)
              .map(([field, says]) => `${code(field)}: ${says}`)
              .join('; ')
          : kind.value;
      return [code(name), kind.by, fields, code(shortest), kind.frame ? 'yes' : ''];
    }),
  );
}

/** The JSON Schema of scenario files. */
export const schemaFile = (): string => `${JSON.stringify(scenarioJsonSchema(), null, 2)}\n`;
