import { isCall, type Scenario } from '../scenario/schema.ts';

// What a server answers otherwise in each run: a password, a due date, a duration. A scenario names it by its path.

/** Stands for such a value in goldens and in observed state. */
const mark = '$varies';

/** In a path: every member. */
const any = '*';

/** What varies in the answer to the call of a step. */
export function variesAt({ steps }: Scenario, index: number): readonly string[] {
  const step = steps[index];
  return (step !== undefined && isCall(step) && step.expect?.varies) || [];
}

const stepsOf = (path: string): readonly string[] => (path === '' ? [] : path.split('.'));

/** A value with a mark in the place of what varies. What is not there gets none. */
export const marked = (value: unknown, paths: readonly string[]): unknown =>
  paths.reduce<unknown>((it, path) => markedAt(it, stepsOf(path)), value);

function markedAt(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return value === undefined || value === null ? value : mark;
  const inside = (member: unknown, name: string): unknown =>
    step === any || step === name ? markedAt(member, rest) : member;
  if (Array.isArray(value)) return value.map((it, at) => inside(it, String(at)));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, inside(it, name)]));
}

/** Whether a path leads to something that varies, or into it. */
export const isVarying = (place: readonly string[], paths: readonly string[]): boolean =>
  paths.some((path) => stepsOf(path).every((step, at) => at < place.length && (step === any || step === place[at])));

/** Paths that name one thing, which must be there. */
export const demandedOf = (paths: readonly string[]): readonly string[] =>
  paths.filter((path) => !stepsOf(path).includes(any));
