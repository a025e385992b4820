import { tools } from '../../../tools/index.ts';
import type { Run } from '../replay/run.ts';
import { bodyOf } from '../world/collection.ts';

// Ids differ between builds although nothing changed that anybody sees. A golden has names in their place: the first operation
// of a story is `$op1`, whatever its id.

/** Gives ids names in the order in which they appear. */
export interface Names {
  /** A text with a name in the place of each id. */
  readonly in: (text: string) => string;
  /** Whether a value is an id that is called after this thing and this member: then it says nothing more. */
  readonly isOwn: (of: string, member: string, value: unknown) => boolean;
  /** A moment of the story's clock, relative to its beginning. */
  readonly moment: (milliseconds: number) => string;
}

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
/** What the engine and the harness call things: a kind, and letters that mean nothing. */
const handle = '\\b[a-z]+_[a-z]{12,13}\\b';
const digest = '\\b(?:[a-z]+_[0-9a-f]{32}|[0-9a-f]{64})\\b';
const hexadecimal = '\\b[0-9A-F]{30,32}\\b';
const digits = '\\b\\d{16,26}\\b';
const token = '(?<![\\w+=-])(?=[\\w-]*[a-z])(?=[\\w-]*[A-Z])(?=[\\w-]*\\d)[\\w-]{28,64}(?![\\w+/=-])';
/** Ids of the platform, which are called after the thing that has them. */
const ofPlatform = new RegExp(`^(?:${[uuid, hexadecimal, digits, token].join('|')})$`);
const own = [uuid, digest, handle, hexadecimal, digits, token];
const ids = new RegExp(own.join('|'), 'g');
/** The clock of another server is nobody's. Times as ISO 8601 and SQL write them, JavaScript, and the headers of HTTP. */
const clock = '\\d\\d:\\d\\d:\\d\\d';
const weekday = '\\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const times = [
  `\\b\\d{4}-\\d\\d-\\d\\d[T ]${clock}(?:\\.\\d+)?(?: ?(?:Z|UTC|[+-]\\d\\d:?\\d\\d))?`,
  `${weekday} [A-Z][a-z]{2} \\d\\d \\d{4} ${clock}(?: GMT[+-]\\d{4}(?: \\([^)]*\\))?)?`,
  `${weekday}, \\d\\d [A-Z][a-z]{2} \\d{4} ${clock} (?:GMT|[+-]\\d{4})`,
];
const isTime = new RegExp(`^(?:${times.join('|')})$`);
const ulid = '\\b[0-7][0-9A-HJKMNP-TV-Z]{25}\\b';
const foreignIds = new RegExp([...times, ...own, ulid].join('|'), 'g');
/** The shortest id that the pattern finds. */
const shortest = 14;

const toolNames: ReadonlySet<string> = new Set(tools.map(({ name }) => name));

/** The prefix of a name, by the form of its id. */
function kindOf(id: string): string {
  if (isTime.test(id)) return 'time';
  return /^[a-z]+(?=_)/.exec(id)?.[0] ?? (/^\d+$/.test(id) ? 'number' : 'id');
}

/** A text with what each id is of in its place, which is the same in every story. */
export const withoutIds = (text: string): string =>
  text.replace(ids, (id) => (toolNames.has(id) ? id : `$${kindOf(id)}`));

/** Names for the ids of anything else: they are counted in the order in which they appear. Times stay. */
export function namesInOrder(): Names {
  const given = new Map<string, string>();
  const nameOf = counting();
  const named = (id: string): string => {
    const name = given.get(id) ?? nameOf(id);
    given.set(id, name);
    return name;
  };
  return { in: (text) => text.replace(ids, named), isOwn: () => false, moment: String };
}

/** Counts ids by their kind. */
function counting(): (id: string) => string {
  const counts = new Map<string, number>();
  return (id) => {
    const kind = kindOf(id);
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return `$${kind}${count}`;
  };
}

/** Names for the ids of a run. What the ledger knows of a thing is called after the thing. */
export function namesOf({ after, before, scenario }: Pick<Run, 'after' | 'before' | 'scenario'>): Names {
  const given = new Map<string, string>();
  const counted = counting();
  const members = new Map<string, readonly [handle: string, member: string]>();
  for (const { handle: of, body } of [...(before?.observations ?? []), ...(after?.observations ?? [])])
    for (const [member, value] of Object.entries(bodyOf(body)))
      if (typeof value === 'string' && ofPlatform.test(value) && !members.has(value))
        members.set(value, [String(of), member]);
  const isForeign = before === undefined;
  // What the script of another server's scenario says is the same in every run.
  const script = isForeign ? JSON.stringify([scenario.steps, scenario.expect]) : '';
  const nameOf = (id: string): string => {
    if (toolNames.has(id) || script.includes(id)) return id;
    const known = given.get(id);
    if (known !== undefined) return known;
    const [of, member] = members.get(id) ?? [];
    const name = of === undefined ? counted(id) : `${inText(of)}.${member}`;
    given.set(id, name);
    return name;
  };
  const pattern = isForeign ? foreignIds : ids;
  const inText = (text: string): string => (text.length < shortest ? text : text.replace(pattern, nameOf));
  const beginning = Date.parse(scenario.world?.now ?? '2026-01-15T09:00:00Z');
  const isOwn: Names['isOwn'] = (of, member, value) => {
    const known = typeof value === 'string' ? members.get(value) : undefined;
    return known?.[0] === of && known[1] === member;
  };
  return { in: inText, isOwn, moment: (milliseconds) => (isForeign ? '$moment' : relative(milliseconds - beginning)) };
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const;

/** A stretch of time as people write it: +2h30min. */
function relative(milliseconds: number): string {
  let rest = Math.abs(milliseconds);
  const parts = units.flatMap(([unit, length]) => {
    const count = Math.floor(rest / length);
    rest -= count * length;
    return count === 0 ? [] : [`${count}${unit}`];
  });
  return `${milliseconds < 0 ? '-' : '+'}${parts.join('') || '0'}`;
}
