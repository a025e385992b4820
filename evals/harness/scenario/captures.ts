import type { Value } from './schema.ts';

// `$capture.path`, the one thing that a scenario file computes.

/** What calls came back with, by the name they were captured under. */
export type Captures = ReadonlyMap<string, unknown>;

/** A reference without a value: the story can't continue. */
export class NoCapture extends Error {
  override readonly name = 'NoCapture';
}

const whole = /^\$([a-z][A-Za-z0-9]*)((?:\.\w+)*)$/;
const anywhere = /\$([a-z][A-Za-z0-9]*)((?:\.\w+)*)/g;

/** Resolves references in a value. Text that is a reference becomes the referenced value, of any type. */
export function filled(value: Value, captures: Captures): Value {
  if (typeof value === 'string') {
    const [, name, path] = whole.exec(value) ?? [];
    return name === undefined ? value : (found(value, name, path ?? '', captures) as Value);
  }
  if (Array.isArray(value)) return value.map((item) => filled(item, captures));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filled(member, captures)]));
}

export const filledText = (text: string, captures: Captures): string => String(filled(text, captures));

/** A dotted path with references in it; each ends where its value is a text or a number, and the rest goes on from there. */
export const filledPath = (path: string, captures: Captures): string =>
  path.replace(anywhere, (reference, name: string, dotted: string) => {
    const steps = dotted.split('.').slice(1);
    for (let length = 0; length <= steps.length; length++) {
      const value = look(captures.get(name), steps.slice(0, length));
      if (typeof value === 'string' || typeof value === 'number')
        return [String(value), ...steps.slice(length)].join('.');
    }
    throw new NoCapture(`${reference} names nothing.`);
  });

/** The names of captures that a value or path refers to. */
export function references(value: Value): readonly string[] {
  if (typeof value === 'string') return [...value.matchAll(anywhere)].map(([, name = '']) => name);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [...references(name), ...references(member as Value)]);
}

function found(text: string, name: string, path: string, captures: Captures): unknown {
  if (!captures.has(name)) throw new NoCapture(`${text}: no call was captured as ${name}.`);
  const value = look(captures.get(name), path.split('.').slice(1));
  if (value === undefined) throw new NoCapture(`${text} names nothing in what ${name} came back with.`);
  return value;
}

/** A member of an answer: one of its data where there is one of this name, of the answer itself otherwise. */
export function look(answer: unknown, steps: readonly string[]): unknown {
  const data = member(answer, 'data');
  return walk(data, steps) ?? walk(answer, steps);
}

const walk = (value: unknown, steps: readonly string[]): unknown => steps.reduce<unknown>(member, value);

export const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
