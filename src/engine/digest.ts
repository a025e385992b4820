import { createHash } from 'node:crypto';
import type { Json } from '../core/canonical-json.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { rules } from '../core/rules.ts';
import { contract } from '../domains/index.ts';

/** SHA-256, hexadecimal, over the canonical JSON of a value. */
export const digestOf = (value: Json): string => createHash('sha256').update(canonicalJson(value)).digest('hex');

/** Which rules and operations a decision was made under: another build that differs in them has another hash. */
export const rulesHash: string = digestOf({
  rules: Object.entries(rules).map(([id, { says }]) => [id, says]),
  operations: Object.entries(contract).map(([name, { call, effect, recovery }]) => [name, call, effect, recovery]),
});
