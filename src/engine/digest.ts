import { createHash } from 'node:crypto';
import { contract } from '../contract/index.ts';
import { rules } from '../contract/rules.ts';
import { canonicalJson } from '../ledger/canonical.ts';
import type { Json } from '../ledger/ledger.ts';

/** SHA-256, hexadecimal, over the canonical JSON of a value. */
export const digestOf = (value: Json): string => createHash('sha256').update(canonicalJson(value)).digest('hex');

/** Which rules and operations a decision was made under: another build that differs in them has another hash. */
export const rulesHash: string = digestOf({
  rules: Object.entries(rules).map(([id, { says }]) => [id, says]),
  operations: Object.entries(contract).map(([name, { call, effect, recovery }]) => [name, call, effect, recovery]),
});
