import { flow, isTree, labelled } from '../goldens/values.ts';
import { namesInSession } from './names.ts';
import { type Answered, type Otherwise, type Played, playSession } from './play.ts';
import type { Session } from './session.ts';

// A session as text for people: each answer whole, and what differs where something was missing or wrong.

/** Differences of an answer that are named. Own choice. */
const mostNamed = 6;
const unsaid: ReadonlySet<string> = new Set(['date', 'content-length']);

/** What comes of a session. */
export async function sessionText(session: Session): Promise<string> {
  try {
    return textOf(session, await playSession(session));
  } catch (error) {
    return `${session.about}\n\nIt can't be played: ${error instanceof Error ? error.message : String(error)}\n`;
  }
}

function textOf({ about }: Session, played: readonly Played[]): string {
  const names = namesInSession();
  const linesOf = ({ title, answer, sent, otherwise }: Played, index: number): readonly string[] => [
    `${index + 1}. ${title}: ${answer === undefined ? '' : answer.status}`.trimEnd(),
    ...(answer === undefined ? [] : linesOfAnswer(answer)),
    ...sent.flatMap(({ url, headers, body }) => labelled('sent', { url, headers, body }, names, '  ')),
    ...(answer === undefined ? [] : linesOfOthers(answer, otherwise)),
  ];

  const linesOfAnswer = ({ headers, body }: Answered): readonly string[] => {
    const { 'content-type': type, ...rest } = headers;
    const said = Object.entries({ ...(type === 'application/json' ? {} : { 'content-type': type }), ...rest }).filter(
      ([name, value]) => !unsaid.has(name) && value !== undefined,
    );
    return [
      ...(said.length === 0 ? [] : labelled('headers', Object.fromEntries(said), names, '  ')),
      ...(isTree(body)
        ? Object.entries(body).flatMap(([name, value]) => labelled(name, value, names, '  '))
        : textLines(String(body)).map((line) => `  | ${names.in(line)}`)),
    ];
  };

  /** What ends alike is on one line. */
  const linesOfOthers = (asIs: Answered, others: readonly Otherwise[]): readonly string[] => {
    const by = Map.groupBy(others, (it) => endOf(asIs, it));
    return [...by].map(([end, its]) => `  ${its.map(({ what }) => what).join(', ')}: ${end}`);
  };

  const endOf = (asIs: Answered, { status, body }: Otherwise): string => {
    if (status >= 400) return `${status} ${flow(withoutTimes(body), names)}`;
    const before = leavesIn(asIs.body);
    const after = leavesIn(body);
    const turned = [...after]
      .filter(([path, value]) => before.get(path) !== value)
      .map(([path, value]) => `${path} ${value}`);
    const gone = [...before.keys()].filter((path) => !after.has(path)).map((path) => `no ${path}`);
    const all = [...turned, ...gone];
    const more = all.length > mostNamed ? [`${all.length - mostNamed} more`] : [];
    return `${status} ${[...all.slice(0, mostNamed), ...more].join(', ')}`.trimEnd();
  };

  const leavesIn = (value: unknown, path = ''): ReadonlyMap<string, string> =>
    isTree(value)
      ? new Map(
          Object.entries(value).flatMap(([name, it]) => [...leavesIn(it, path === '' ? name : `${path}.${name}`)]),
        )
      : new Map([[path, withoutIds(flow(value, names))]]);

  return `${[about, ...played.map(linesOf).map((lines) => lines.join('\n'))].join('\n\n')}\n`;
}

/** Ids are new in each answer. */
const withoutIds = (text: string): string => text.replace(/\$([a-z]+)\d+/g, '$$$1');

const withoutTimes = (body: unknown): unknown => {
  if (!isTree(body) || Array.isArray(body)) return body;
  const { submitTimeUtc: _, id: __, ...rest } = body as Readonly<Record<string, unknown>>;
  return rest;
};

/** Lines of a text; of a page without its scripts and styles. */
const textLines = (text: string): readonly string[] =>
  text
    .replace(/<(script|style)\b[^>]*>[\s\S]*?<\/\1>/g, '<$1>')
    .replace(/(<\/(?:p|h\d|li|tr|div|section|form|label|button|title|head)>)/g, '$1\n')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
