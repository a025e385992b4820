import { bodyOf } from '../world/collection.ts';
import type { Evidence } from '../world/state.ts';
import type { Sent } from '../world/wire.ts';
import type { Writing } from './answers.ts';
import { since } from './said.ts';
import { filled } from './values.ts';

// Requests as a golden has them. What a request takes over from a shopper's session, which is most of some requests, is named
// and not written out.

type Tree = Readonly<Record<string, unknown>>;
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The sessions of the shoppers, by handle. */
export const sessionsIn = (evidence: Evidence | undefined): ReadonlyMap<string, Tree> =>
  new Map(
    (evidence?.observations ?? [])
      .filter(({ kind }) => kind === 'shopper')
      .map(({ handle, body }) => [String(handle), bodyOf(body)]),
  );

export function linesOfRequest(
  { method, path, body, status }: Sent,
  sessions: ReadonlyMap<string, Tree>,
  { names, said, shown }: Writing,
  at: number,
): readonly string[] {
  const { own, taken } = apart(parsed(body), sessions);
  said.add(own);
  const line = `${method} ${names.in(path)}`;
  const isEmpty = isTree(own) && Object.keys(own).length === 0 && taken === '';
  const head = `  > ${line} ${status ?? 'without an answer'}${isEmpty ? ' {}' : ''}`;
  if (own === undefined) return [head];
  const whole: Tree = { ...(isTree(own) ? own : { body: own }), ...(taken === '' ? {} : { of: taken }) };
  const earlier = shown.get(line);
  shown.set(line, { at, value: whole });
  if (earlier !== undefined && isTree(earlier.value)) {
    const more = since(earlier.value, whole);
    return [
      `${head}, as in ${earlier.at}${Object.keys(more).length === 0 ? '' : ' but for'}`,
      ...filled(Object.entries(more), names, '    '),
    ];
  }
  return [head, ...filled(Object.entries(whole), names, '    ')];
}

function parsed(body: string): unknown {
  if (body === '') return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/** The members of a body that are a shopper's, and the others. */
function apart(body: unknown, sessions: ReadonlyMap<string, Tree>): { own: unknown; taken: string } {
  if (!isTree(body)) return { own: body, taken: '' };
  const own: Record<string, unknown> = {};
  const taken = new Map<string, string[]>();
  for (const [name, value] of Object.entries(body)) {
    const [of, part] = isTree(value) || Array.isArray(value) ? partOf(name, value, sessions) : [];
    if (of === undefined || part === undefined) own[name] = value;
    else taken.set(of, [...(taken.get(of) ?? []), part]);
  }
  return { own, taken: [...taken].map(([of, parts]) => `${of} ${parts.join(' and ')}`).join('; ') };
}

/** Whose a member is, and what of it is taken over; nothing where it differs from every session. */
function partOf(
  name: string,
  value: Tree | readonly unknown[],
  sessions: ReadonlyMap<string, Tree>,
): readonly [of: string, part: string] | readonly [] {
  for (const [of, session] of sessions) {
    const theirs = session[name];
    if (theirs === undefined) continue;
    if (canonical(theirs) === canonical(value)) return [of, name];
    if (!isTree(theirs) || !isTree(value)) continue;
    const all = Object.keys(theirs);
    const some = Object.keys(value);
    if (some.length === 0 || some.some((it) => canonical(theirs[it]) !== canonical(value[it]))) continue;
    const left = all.filter((it) => !some.includes(it));
    return [of, left.length < some.length ? `${name} without ${left.join(' ')}` : `${name} with ${some.join(' ')}`];
  }
  return [];
}

/** A value with the members of objects in order, so that equal values are equal texts. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, it: unknown) =>
    isTree(it) ? Object.fromEntries(Object.entries(it).toSorted(([one], [other]) => (one < other ? -1 : 1))) : it,
  ) ?? '';
