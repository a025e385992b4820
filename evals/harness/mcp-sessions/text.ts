import { createHash } from 'node:crypto';
import type { Names } from '../goldens/names.ts';
import { filled, flow, isTree, labelled } from '../goldens/values.ts';
import { namesInSession } from '../sessions/names.ts';
import type { TestHarness } from '../world/world.ts';
import type { Head } from './connection.ts';
import type { Message } from './events.ts';
import { type Played, type Playing, playMcpSession } from './play.ts';
import type { McpSession } from './session.ts';
import type { Came } from './stage.ts';

// A session as text for people: every message whole and in order, what reached the platform, and what changed in the ledger.

/** Characters of a text that are shown. Own choice: a page of a file has more, and two lines of it tell which it is. */
const mostShown = 2_000;
/** Characters of a member that is said once. Own choice: less is read as fast as the number of a step. */
const shortest = 120;
/** Hexadecimal digits of a digest that tell one text from another. Own choice. */
const digestDigits = 12;
const unsaid: ReadonlySet<string> = new Set(['date', 'content-length', 'cache-control', 'connection', 'keep-alive']);
const saidOnEvery = /^(?:content-security-policy|cross-origin-|referrer-policy|x-)/;

/** What comes of a session. */
export async function mcpSessionText(harness: TestHarness, session: McpSession): Promise<string> {
  try {
    return textOf(session, await playMcpSession(harness, session));
  } catch (error) {
    return `${session.about}\n\n${unplayable(error instanceof Error ? error.message : String(error))}\n`;
  }
}

const unplayable = (why: string): string => `It can't be played: ${why}`;

function textOf({ about }: McpSession, { played, fault }: Playing): string {
  const names = namesBeside(namesInSession());
  const seen = new Map<string, number>();
  let step = 0;
  /** What was said before, word for word, is named by the step that has it. */
  const once = (label: string, value: unknown): unknown => {
    const key = `${label} ${JSON.stringify(value)}`;
    const first = seen.get(key) ?? step;
    seen.set(key, first);
    return first === step || key.length < shortest || label === 'requestState' ? value : `as in step ${first}`;
  };
  const linesOf = ({ title, head, came, note, sent, turns }: Played, index: number): readonly string[] => [
    `${index + 1}. ${title}: ${[head?.status, note ?? endOf(came)].filter((it) => it !== undefined).join(' ')}`.trimEnd(),
    ...(head === undefined ? [] : linesOfHead(head, names)),
    ...came.flatMap((it) => linesOfCame(it, names, once)),
    ...sent.map(({ method, path, status }) => `  sent ${method} ${names.in(path)}: ${status ?? 'no answer'}`),
    ...turns.map((turn) => `  ${names.in(turn)}`),
  ];
  const steps = played.map((it, index) => {
    step = index + 1;
    return linesOf(it, index).join('\n');
  });
  return `${[about, ...steps, ...(fault === undefined ? [] : [unplayable(fault)])].join('\n\n')}\n`;
}

/** Names of what a session has besides ids. A request state is signed with the time in it, and differs each time. */
const namesBeside = (names: Names): Names => ({
  ...names,
  in: (text) => {
    if (/^v1\.[\w-]+\.[\w-]+$/.test(text)) return '$state';
    const [, file, rest = ''] = /^(file_[a-z]+)(_chart)$/.exec(text) ?? [];
    return file === undefined ? names.in(text) : names.in(file) + rest;
  },
});

/** How a request ended, in a word. */
function endOf(came: readonly Came[]): string {
  const responses = came.flatMap((it) =>
    it.kind === 'message' && it.message.method === undefined ? [it.message] : [],
  );
  return responses.map(wordOf).join(', ') || (responses.length === 0 ? 'nothing' : '');
}

function wordOf({ result, error }: Message): string {
  if (isTree(error)) return `error ${String(error.code ?? 'without a code')}`;
  const { resultType, structuredContent } = (result ?? {}) as Message;
  if (isTree(structuredContent)) return String(structuredContent.outcome);
  return resultType === 'input_required' ? resultType : 'result';
}

function linesOfHead({ headers }: Head, names: Names): readonly string[] {
  const said = Object.entries(Object.fromEntries(headers)).filter(
    ([name, value]) => !unsaid.has(name) && !saidOnEvery.test(name) && value !== 'application/json',
  );
  return said.length === 0 ? [] : labelled('headers', Object.fromEntries(said), names, '  ');
}

type Once = (label: string, value: unknown) => unknown;

function linesOfCame(came: Came, names: Names, once: Once): readonly string[] {
  if (came.kind === 'failure') return labelled('the operator sees', came.says, names, '  ');
  if (came.kind === 'answered') return labelled('the host answers', came.answer ?? 'nothing', names, '  ');
  const { method, id, params, result, error, jsonrpc: _, ...rest } = came.message;
  if (method !== undefined) {
    const what = id === undefined ? 'tells' : 'asks';
    return [`  ${what} ${String(method)}`, ...membersOf(eachOnce(params, once), names)];
  }
  return [
    ...(typeof id === 'number' || id === undefined ? [] : [`  to ${flow(id, names)}`]),
    ...(result === undefined ? [] : membersOf(eachOnce(readable(result), once), names)),
    ...(error === undefined ? [] : labelled('error', error, names, '    ')),
    ...membersOf(rest, names),
  ];
}

const eachOnce = (value: unknown, once: Once): unknown =>
  isTree(value) && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, once(name, member)]))
    : value;

/** Members one after the other; a text of several lines has lines of its own. */
function membersOf(value: unknown, names: Names, indent = '    '): readonly string[] {
  if (!isTree(value)) return value === undefined ? [] : labelled('value', value, names, indent);
  const groups: (readonly [name: string, member: unknown])[][] = [];
  for (const member of Object.entries(value)) {
    const last = groups.at(-1);
    if (last?.[0] === undefined || hasLines(last[0][1]) || hasLines(member[1])) groups.push([member]);
    else last.push(member);
  }
  return groups.flatMap((group) => {
    const [[name, member] = ['', undefined]] = group;
    return hasLines(member) ? linesOfText(name, member, names, indent) : filled(shortened(group, names), names, indent);
  });
}

const hasLines = (value: unknown): boolean =>
  typeof value === 'string' ? value.includes('\n') : isTree(value) && Object.values(value).some(hasLines);

const linesOfText = (name: string, value: unknown, names: Names, indent: string): readonly string[] => [
  `${indent}${names.in(name)}:`,
  ...(typeof value === 'string'
    ? shortLines(value, names).map((line) => `${indent}  | ${line}`.trimEnd())
    : membersOf(value, names, `${indent}  `)),
];

/** A long text by its first and last lines. */
function shortLines(text: string, names: Names): readonly string[] {
  const lines = text.split('\n').map((line) => names.in(line));
  if (text.length <= mostShown) return lines;
  const digest = createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, digestDigits);
  const between = `… ${lines.length} lines, ${text.length} characters, SHA-256 begins with ${digest} …`;
  return [...lines.slice(0, 2), between, ...lines.slice(-2)].map((line) => line.slice(0, mostShown));
}

/** Members whose long texts are shortened. */
const shortened = (members: readonly (readonly [string, unknown])[], names: Names) =>
  members.map(([name, value]) => [name, short(value, names)] as const);

function short(value: unknown, names: Names): unknown {
  if (typeof value === 'string') return value.length > mostShown ? shortLines(value, names) : value;
  if (Array.isArray(value)) return value.map((it) => short(it, names));
  if (!isTree(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, short(it, names)]));
}

/** A result whose text is not said again where it is what is structured. */
function readable(result: unknown): unknown {
  if (!isTree(result)) return result;
  const { content, structuredContent, ...rest } = result;
  if (structuredContent === undefined || !Array.isArray(content)) return result;
  const [first, ...others] = content as readonly unknown[];
  const same = isTree(first) && first.text === JSON.stringify(structuredContent) && Object.keys(first).length === 2;
  return { content: [same ? 'what is structured, as text' : first, ...others], structuredContent, ...rest };
}
