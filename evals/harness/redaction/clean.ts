import type { Canary } from '../world/wire.ts';
import { formsOf } from './encodings.ts';

/** A last check of redacted data for secrets. Throws if one is left, so that nothing is written. */
export function assertNoSecrets<T>(told: T, canaries: readonly Canary[]): T {
  const texts = textsIn(told).join('\n');
  for (const { what, value } of canaries)
    for (const [form, name] of formsOf(value))
      if (form.length > shortest && texts.includes(form)) throw new Error(`A ${what} (${name}) is left in a report.`);
  return told;
}

/** Shorter encodings are common in ordinary text. */
const shortest = 3;

const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)]);
};
