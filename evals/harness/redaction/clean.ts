import type { Canary } from '../world/wire.ts';
import { formsOf } from './encodings.ts';

/** What is told of a run, once more looked through for its secrets. Throws where one is left: nothing is written then. */
export function assertNoSecrets<T>(told: T, canaries: readonly Canary[]): T {
  const texts = textsIn(told).join('\n');
  for (const { what, value } of canaries)
    for (const [form, name] of formsOf(value))
      if (form.length > shortest && texts.includes(form)) throw new Error(`A ${what} (${name}) is left in a report.`);
  return told;
}

/** Shorter forms stand in many a text that is no secret. */
const shortest = 3;

const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)]);
};
