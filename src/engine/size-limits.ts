import { limits } from '../core/limits.ts';
import type { Refusal } from './refusal.ts';

/**
 * Refuses arguments that are too large or too deeply nested. Walks level by level, because recursion could exhaust the
 * stack.
 */
export function checkSize(given: unknown): Refusal | undefined {
  let members = 0;
  let characters = 0;
  let level: readonly unknown[] = [given];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limits.argumentLevels) return tooBig;
    const entries = level.flatMap(entriesOf);
    level = entries.map(([, value]) => value);
    members += entries.length;
    characters += entries.reduce((sum, [name, value]) => sum + name.length + lengthOf(value), 0);
    if (members > limits.argumentElements || characters > limits.argumentCharacters) return tooBig;
  }
  return undefined;
}

/** The names and values in a value. The elements of an array have no names. */
function entriesOf(value: unknown): readonly (readonly [name: string, value: unknown])[] {
  if (Array.isArray(value)) return value.map((element) => ['', element]);
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

const lengthOf = (value: unknown): number => (typeof value === 'string' ? value.length : 0);

const tooBig: Refusal = {
  code: 'INVALID_ARGUMENT',
  rule: 'EN-01',
  field: 'arguments',
  because: `Arguments may have at most ${limits.argumentElements} properties, ${limits.argumentLevels} levels and ${limits.argumentCharacters} characters.`,
  instead: [],
};
