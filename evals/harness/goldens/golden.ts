import { marked, variesAt } from '../external/varying.ts';
import { type Argued, answerOf, type CallEntry, type Entry, type Run, type Varied } from '../replay/run.ts';
import type { Sent } from '../world/wire.ts';
import { endOf, linesOfAnswer, linesOfText, type Writing } from './answers.ts';
import { linesOfLedger } from './ledger.ts';
import { type Names, namesOf } from './names.ts';
import { linesOfRequest, sessionsIn } from './requests.ts';
import { said } from './said.ts';
import { flow, flowing, isTree, labelled } from './values.ts';
import { linesOfPlatform } from './world.ts';

/**
 * Everything that a run did, as a text that a person can read: each call with its answer and the requests that it sent, then what
 * differs at the platform and in the ledger. The same run gives the same text.
 */
export function goldenOf(run: Run): string {
  const names = namesOf(run);
  const writing: Writing = { names, said: said(), shown: new Map() };
  const sessions = sessionsIn(run.after);
  const story = run.entries.flatMap((entry, index) => [
    ...linesOfEntry(entry, writing, variesAt(run.scenario, entry.step)),
    ...(run.requests[index] ?? []).flatMap((sent) => [
      ...linesOfRequest(sent, sessions, writing, entry.step + 1),
      ...(entry.kind === 'call' && entry.varied !== undefined ? linesOfAnswered(sent, names) : []),
    ]),
  ]);
  const parts = [
    story,
    part('Sent again', linesOfAgain(run, names)),
    part('The platform', linesOfPlatform(run, writing)),
    part('The ledger', linesOfLedger(run, writing)),
    part('The server', linesOfServer(run, names)),
  ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

const part = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [title, ...lines];

function linesOfEntry(entry: Entry, writing: Writing, varies: readonly string[]): readonly string[] {
  const { names } = writing;
  const at = entry.step + 1;
  if (entry.kind === 'event') {
    if (entry.answer === undefined)
      return [`${at}. ${names.in(entry.text)}`, ...linesOfVaried(entry.varied ?? [], names)];
    const [who = ''] = entry.text.split(':');
    const read = entry.page === undefined ? [] : ['  reads', ...linesOfText(entry.page.join('\n'), names)];
    return [`${at}. ${who}: ${endOf(entry.answer)}`, ...read, ...linesOfAnswer(entry.answer, writing, at)];
  }
  if (entry.kind !== 'call') return [];
  const answer = answerOf(entry);
  if (answer.outcome !== undefined)
    return [
      `${at}. ${entry.tool}: ${endOf(answer)}`,
      ...linesOfAnswer(answer, writing, at),
      ...linesOfArgued(entry.argued ?? [], names),
      ...linesOfRepeated(entry, names),
      ...(entry.answered ?? []).flatMap(({ line, others }) =>
        linesOfOthers(`were ${names.in(line)} answered`, others, names),
      ),
      ...linesOfVaried(entry.varied ?? [], names),
    ];
  return [
    `${at}. ${entry.tool}: ${entry.isError ? `error${entry.refusedBy === undefined ? '' : ` ${entry.refusedBy}`}` : 'answered'}`,
    ...labelled('answer', marked(entry.answer, varies), names, '  '),
  ];
}

/**
 * What Purser says to a call where one argument is missing or another one: those together that end alike but otherwise than the call as it
 * is, and what else would be shown, asked or sent.
 */
const linesOfArgued = (argued: readonly Argued[], names: Names): readonly string[] =>
  linesOfOthers('were it called', argued, names);

function linesOfOthers(title: string, [asItIs, ...others]: readonly Argued[], names: Names): readonly string[] {
  if (asItIs === undefined || others.length === 0) return [];
  const usual = verdictOf(asItIs);
  const shown = new Map(others.map((it) => [it, differing(it.shows, asItIs.shows)]));
  const whatOf = shortNames(others);
  const pathIn = shortPaths(
    [asItIs, ...others].flatMap(({ shows }) => shows.flatMap((it) => path.exec(it)?.[2] ?? [])),
  );
  const shortLine = (line: string): string =>
    line.replace(path, (_, no: string, of: string, end: string) => `${no}${pathIn(of)}${end}`);
  return [
    `  ${title}, ${usual} but`,
    ...(asItIs.sent.length === 0 ? [] : labelled('after', asItIs.sent, names, '    ')),
    ...asItIs.shows.filter((line) => line.startsWith('counts: ')).map((line) => `    ${line}`),
    ...[...Map.groupBy(others, verdictOf)].flatMap(([verdict, alike]) =>
      verdict === usual ? [] : labelled(verdict, alike.map(whatOf), names, '    '),
    ),
    ...[...Map.groupBy(others, (it) => JSON.stringify(shown.get(it)))].flatMap(([, alike]) => {
      const [first] = alike;
      const lines = (first && shown.get(first)) ?? [];
      return lines.length === 0
        ? []
        : flowing(
            `${alike.map(whatOf).join(', ')}:`,
            lines.map((line) => names.in(shortLine(line))),
            '    ',
          );
    }),
  ];
}

/** Where a line begins with the path of a value, which may be one that is missing. */
const path = /^(no |)([\w[\]-]+(?:\.[\w[\]-]+)*)(: |$)/;

/** How a call with a reference ends once it was made, and each other one with it: those that ended otherwise before. */
function linesOfRepeated({ argued = [], repeated = [] }: CallEntry, names: Names): readonly string[] {
  const before = new Map(argued.map((it) => [it.what, verdictOf(it)]));
  const others = repeated.filter((it) => verdictOf(it) !== before.get(it.what));
  const whatOf = shortNames(repeated);
  const lines = [...Map.groupBy(others, verdictOf)].flatMap(([verdict, alike]) =>
    labelled(verdict, alike.map(whatOf), names, '    '),
  );
  return lines.length === 0 ? [] : ['  were it called again', ...lines];
}

/** What one call shows that another does not, and the other way round. A refusal shows nothing. */
function differing(shows: readonly string[], others: readonly string[]): readonly string[] {
  if (shows.length === 0) return [];
  const more = without(shows, others);
  const changed = new Set(more.map(nameIn));
  const gone = without(others, shows).map(nameIn);
  /** An element of a list that is gone goes with all that it had. */
  const whole = (name: string): string => {
    const [element = name] = /^.*?\.\d+(?=\.)/.exec(name) ?? [];
    return shows.some((line) => line.startsWith(`${element}.`)) ? name : element;
  };
  return [...more, ...new Set(gone.filter((name) => !changed.has(name)).map((name) => `no ${whole(name)}`))];
}

const nameIn = (line: string): string => line.slice(0, line.indexOf(':'));

const without = (lines: readonly string[], others: readonly string[]): readonly string[] =>
  lines.filter((it) => !others.includes(it));

/** How a call ends. The argument that was varied is `it`. */
const verdictOf = ({ what, verdict: { error, ...rest } }: Argued): string =>
  endOf({ ...rest, ...(error && { error: { ...error, ...(error.field === variedIn(what) && { field: 'it' }) } }) });

/** What was varied in each of several, with as much of a field's path as tells it from the others. */
function shortNames(all: readonly { readonly what: string }[]): (it: { readonly what: string }) => string {
  const short = shortPaths(all.map(({ what }) => variedIn(what)));
  return ({ what }) => what.replace(variedIn(what), short);
}

/** Each of several paths by as much of its end as tells it from the others. */
function shortPaths(all: readonly string[]): (path: string) => string {
  const endings = Map.groupBy([...new Set(all)].flatMap(endingsOf), (ending) => ending);
  return (path) => endingsOf(path).find((it) => endings.get(it)?.length === 1) ?? path;
}

/** Every ending of a path, the shortest first. */
const endingsOf = (path: string): readonly string[] =>
  path.split('.').map((_, index, names) => names.slice(names.length - 1 - index).join('.'));

/** The field that was varied. */
const variedIn = (what: string): string => {
  const [first = '', second = ''] = what.split(' ');
  return first === 'without' ? second : first;
};

/**
 * What the platform says to a call's requests, or Purser to a registration, where one field is missing or wrong: those together that are
 * answered alike. What is simply taken is left out.
 */
const linesOfVaried = (varied: readonly Varied[], names: Names): readonly string[] =>
  [
    ...Map.groupBy(
      varied.filter(({ status, says }) => status >= 300 || says.length > 0),
      ({ line }) => line,
    ),
  ].flatMap(([line, all]) => [
    `  were it ${names.in(line)}`,
    ...[...Map.groupBy(all, toldOf)].flatMap(([answer, alike]) =>
      labelled(answer, alike.map(shortNames(all)), names, '    '),
    ),
  ]);

/** What the platform says to each change of the story when it is sent again. */
const linesOfAgain = ({ again = [] }: Run, names: Names): readonly string[] =>
  again.map(({ line, status, says }) => `> ${names.in(line)} ${names.in([status, ...says].join(' '))}`);

/** How a varied request is answered. The field that was varied is `it`. */
const toldOf = ({ what, status, says }: Varied): string => {
  const varied = variedIn(what).replaceAll('[]', '[0]');
  return [status, ...says.map((it) => (it === varied ? 'it' : it))].join(' ');
};

/** Lines of an answer that a golden has. Own choice: more than any but a list of hundreds of fields, or a file. */
const mostLines = 120;

/** What the platform answered to a request: a body by its members, a file by its lines. */
function linesOfAnswered({ answer = '', status }: Sent, names: Names): readonly string[] {
  if (answer === '' || (status ?? 0) >= 400) return [];
  const lines = /^[{[]/.test(answer)
    ? labelled('answers', JSON.parse(answer, withShortLinks), names, '    ')
    : ['    answers', ...answer.split('\n').map((line) => `    | ${names.in(line.trimEnd())}`)];
  return lines.length <= mostLines
    ? lines
    : [...lines.slice(0, mostLines), `    ${lines.length - mostLines} lines more`];
}

/** Writes a link of an answer as a request: its method and address. */
function withShortLinks(_: string, value: unknown): unknown {
  const isLink = isTree(value) && Object.keys(value).toSorted().join() === 'href,method';
  return isLink ? `${String(value.method)} ${String(value.href)}` : value;
}

/** What differs in the observed state of an external server. */
const linesOfServer = ({ observed }: Run, names: Names): readonly string[] =>
  observed === undefined
    ? []
    : Object.entries(observed.after).flatMap(([name, after]) => {
        const was = flow(observed.before[name], names);
        return was === flow(after, names) ? [] : labelled(`~ ${name}`, after, names, '');
      });
