import type { Run } from '../replay/run.ts';
import { operationAt } from '../world/operation-at.ts';
import type { Sent } from '../world/wire.ts';
import type { Gathered, Strange } from './gathered.ts';

// What the sandbox answers, by operation and status: each field, whether every answer has it, and its kinds of values. A story's golden has
// what Purser makes of an answer; here a change in what it leaves alone is noticed, too.

/** A field of answers. */
interface Field {
  readonly isAlways: boolean;
  readonly kinds: ReadonlySet<string>;
}

/** Fields of answers by path, by operation and status. A path ends with `[]` for elements of a list. */
type Answers = ReadonlyMap<string, Fields>;
type Fields = ReadonlyMap<string, Field>;

/** More kinds than these say nothing about a field. Own choice. */
const mostKinds = 12;
const anything = 'anything';

type Tree = Readonly<Record<string, unknown>>;
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The answers of a run, each with its line in the golden. */
const answeredIn = ({ requests }: Run): readonly (readonly [line: string, kinds: unknown])[] =>
  requests.flat().flatMap((sent) => (sent.kinds === undefined ? [] : [[lineOf(sent), sent.kinds]]));

function lineOf({ method, path, status }: Sent): string {
  const [pathname = ''] = path.split('?');
  return `${method} ${operationAt(method, pathname)?.template ?? pathname} ${status}`;
}

/** A value and every value within it, by path. The path of the whole is empty. */
function* within(value: unknown, path = ''): Generator<readonly [path: string, value: unknown]> {
  yield [path, value];
  if (Array.isArray(value)) for (const element of value) yield* within(element, `${path}[]`);
  else if (isTree(value)) for (const [name, member] of Object.entries(value)) yield* within(member, under(path, name));
}

const under = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

const kindOf = (value: unknown): string =>
  Array.isArray(value) ? (value.length === 0 ? 'empty list' : 'list') : isTree(value) ? 'object' : String(value);

/** What the answers of runs have in common. */
function answersOf(runs: readonly Run[]): Answers {
  const all = new Map<string, unknown[]>();
  for (const [line, kinds] of runs.flatMap(answeredIn)) all.set(line, [...(all.get(line) ?? []), kinds]);
  return new Map([...all].toSorted(byName).map(([line, answers]) => [line, fieldsOf(answers)]));
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : one > other ? 1 : 0;

function fieldsOf(answers: readonly unknown[]): Fields {
  const kinds = new Map<string, Set<string>>();
  const times = new Map<string, number>();
  const objects = new Map<string, number>();
  const count = (of: Map<string, number>, path: string): unknown => of.set(path, (of.get(path) ?? 0) + 1);
  for (const [path, value] of answers.flatMap((it) => [...within(it)])) {
    kinds.set(path, (kinds.get(path) ?? new Set()).add(kindOf(value)));
    count(times, path);
    if (isTree(value)) count(objects, path);
  }
  const isAlways = (path: string): boolean => isElement(path) || times.get(path) === objects.get(parentOf(path));
  kinds.delete('');
  return new Map(
    [...kinds].toSorted(byName).map(([path, seen]) => [path, { isAlways: isAlways(path), kinds: few(seen) }]),
  );
}

const few = (kinds: ReadonlySet<string>): ReadonlySet<string> =>
  kinds.size > mostKinds ? new Set([anything]) : new Set([...kinds].toSorted());

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('.')));

/** What either has, and what both have always. */
function together(one: Answers, other: Answers): Answers {
  const lines = [...new Set([...one.keys(), ...other.keys()])].toSorted();
  return new Map(lines.map((line) => [line, joined(one.get(line), other.get(line))]));
}

function joined(one: Fields = new Map(), other: Fields = new Map()): Fields {
  const sides = [one, other].filter(({ size }) => size > 0);
  const paths = [...new Set(sides.flatMap((it) => [...it.keys()]))].toSorted();
  return new Map(
    paths.map((path): [string, Field] => {
      const kinds = new Set(sides.flatMap((it) => [...(it.get(path)?.kinds ?? [])]));
      const isAlways = isElement(path) || sides.every((it) => it.get(path)?.isAlways ?? !hasParent(it, path));
      return [path, { isAlways, kinds: kinds.has(anything) ? new Set([anything]) : few(kinds) }];
    }),
  );
}

const isElement = (path: string): boolean => path.endsWith(']');

/** Whether there was anything that could have had the field. */
const hasParent = (fields: Fields, path: string): boolean => parentOf(path) === '' || fields.has(parentOf(path));

const separator = ', ';

/** Answers as text for people. */
const answersText = (answers: Answers): string =>
  `${[...answers]
    .map(([line, fields]) =>
      [
        line,
        ...[...fields].map(([path, it]) => `  ${path}${it.isAlways ? '' : '?'}: ${[...it.kinds].join(separator)}`),
      ].join('\n'),
    )
    .join('\n\n')}\n`;

/** The answers that a text says. */
const answersFrom = (text: string): Answers =>
  new Map(
    text
      .trim()
      .split('\n\n')
      .filter((part) => part !== '')
      .map((part): [string, Fields] => {
        const [line = '', ...fields] = part.split('\n');
        return [line, new Map(fields.map(fieldFrom))];
      }),
  );

function fieldFrom(line: string): [string, Field] {
  const [, path = '', optional, kinds = ''] = /^ {2}(.*?)(\?)?: (.*)$/.exec(line) ?? [];
  return [path, { isAlways: optional === undefined, kinds: new Set(kinds.split(separator)) }];
}

function strangeAnswers(answers: Answers, run: Run): readonly Strange[] {
  return answeredIn(run).flatMap(([line, kinds]) => {
    const fields = answers.get(line);
    if (fields === undefined) return [{ at: line, says: 'is answered so in no story' }];
    return [...within(kinds)].flatMap(([path, value]) => {
      const at = path === '' ? line : `${line}, ${path}`;
      const missing = isTree(value) ? missingIn(value, path, fields) : [];
      return [...strangeValue(fields.get(path), path, value), ...missing].map((says) => ({ at, says }));
    });
  });
}

function strangeValue(field: Field | undefined, path: string, value: unknown): readonly string[] {
  if (path === '') return [];
  if (field === undefined) return ['is in no answer'];
  const kind = kindOf(value);
  const isKnown = field.kinds.has(kind) || field.kinds.has(anything);
  return isKnown ? [] : [`was ${[...field.kinds].join(separator)}, is ${kind}`];
}

/** Members that every such object has, and this one has not. */
const missingIn = (value: Tree, path: string, fields: Fields): readonly string[] =>
  [...fields].flatMap(([at, { isAlways }]) => {
    const name = at.slice(path === '' ? 0 : path.length + 1);
    const isMember = under(path, name) === at && !/[.[]/.test(name);
    return isMember && isAlways && !Object.hasOwn(value, name) ? [`has no ${name}`] : [];
  });

let known: { readonly text: string; readonly answers: Answers } | undefined;

/** The answers of a golden, which is read for each story. */
function answersIn(text: string): Answers {
  if (known?.text !== text) known = { text, answers: answersFrom(text) };
  return known.answers;
}

export const platformAnswers: Gathered = {
  name: "the platform's answers",
  file: 'answers.golden',
  textOf: (runs) => answersText(answersOf(runs)),
  together: (one, other) => answersText(together(answersFrom(one), answersFrom(other))),
  strangeIn: (golden, run) => strangeAnswers(answersIn(golden), run),
};
