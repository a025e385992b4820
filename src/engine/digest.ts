import { createHash } from 'node:crypto';
import type { Json } from '../core/canonical-json.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { rules } from '../core/rules.ts';
import { contract } from '../domains/index.ts';

/** The hexadecimal SHA-256 of a value's canonical JSON. */
export const digestOf = (value: Json): string => createHash('sha256').update(canonicalJson(value)).digest('hex');

/** Identifies the rules and operations of this build, as a hash. */
export const rulesHash: string = digestOf({
  rules: Object.entries(rules).map(([id, { says }]) => [id, says]),
  operations: Object.entries(contract).map(([name, { call, effect, recovery }]) => [name, call, effect, recovery]),
});
