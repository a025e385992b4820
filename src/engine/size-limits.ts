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
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
    members += level.length;
    characters += level.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
    if (members > limits.argumentElements || characters > limits.argumentCharacters) return tooBig;
  }
  return undefined;
}

const tooBig: Refusal = {
  code: 'INVALID_ARGUMENT',
  rule: 'EN-01',
  field: 'arguments',
  because: `Arguments may have at most ${limits.argumentElements} properties, ${limits.argumentLevels} levels and ${limits.argumentCharacters} characters.`,
  instead: [],
};
