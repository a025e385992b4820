import { isDeepStrictEqual } from 'node:util';
import type { Currency } from '../core/currencies.ts';
import { leaves, schemaAt } from '../core/fields.ts';
import { money, moneyFault, within } from '../core/money.ts';
import type { Facts } from '../domains/facts.ts';
import { authored, sentAt } from './authored.ts';
import type { Request } from './request.ts';
import { type AuthoredFields, type Ordering, operationOf, type PlatformTool } from './tool.ts';

// What an approval covers. A person approved what the model authored, field by field. A later call is covered where every field
// is the same, or is proven to allow less. Any other difference asks again, so a new field asks until an ordering is written.

export const orderings = {
  /** An amount that is not above the approved one; a currency that differs asks by itself. */
  lessMoney:
    (currencyPath: string): Ordering =>
    (now, approved, fields) => {
      const currency = fields[currencyPath] as Currency; // by the contract's shape
      const amounts = [String(now), String(approved)] as const;
      if (amounts.some((it) => moneyFault(it, currency) !== null)) return false;
      const [it, most] = [money(amounts[0], currency), money(amounts[1], currency)];
      return within(it, most);
    },
  /** A number or moment that is not above the approved one. */
  less: ((now, approved) => Number(now) <= Number(approved)) satisfies Ordering,
  /** A field that was there and is not any more. */
  withdrawn: ((now) => now === undefined) satisfies Ordering,
  /** What an approved whole is made of. */
  partOfWhole: (() => true) satisfies Ordering,
} as const;

/** Whether a person approved everything that the model authored in a request, or more. */
export function isCovered(tool: PlatformTool, facts: Facts, request: Request): boolean {
  const { approved, narrower } = tool.policy.approval?.within ?? {};
  const before = approved?.(facts);
  if (before === undefined) return false;
  const now = modelFields(tool, request);
  // What the request can't say stays as it was approved.
  const paths = new Set([...Object.keys(now), ...Object.keys(before).filter((path) => canSay(tool, path))]);
  return [...paths].every(
    (path) => isDeepStrictEqual(now[path], before[path]) || narrower?.[path]?.(now[path], before[path], now) === true,
  );
}

/**
 * Whether a person must approve a call, whatever the conversation has read: the tool says so, it goes beyond what was approved,
 * or it writes what customers read.
 */
export function needsApproval(tool: PlatformTool, facts: Facts, request: Request): boolean {
  const { approval } = tool.policy;
  if (writesToCustomers(tool, facts, request) && (tool.policy.releasedBy?.(facts) ?? []).length === 0) return true;
  if (approval === undefined) return operationOf(tool).effect === 'money';
  return approval.needed(facts) || (approval.within !== undefined && !isCovered(tool, facts, request));
}

/** Whether the model words something in this call that customers come to read. */
export const writesToCustomers = (tool: PlatformTool, facts: Facts, request: Request): boolean =>
  authored(tool, facts, request).some(({ sent }) => sent.some(({ path }) => reachesCustomers(tool, path)));

/** Whether a field, or one within it, is read by customers. */
export function reachesCustomers(tool: PlatformTool, path: string): boolean {
  const { body } = operationOf(tool);
  const schema = body && path !== '' ? schemaAt(body, path) : undefined;
  return schema !== undefined && leaves(schema).some(({ field }) => field.reach === 'customer');
}

/** Everything in a request whose author the contract says to be the model. */
export function modelFields(tool: PlatformTool, request: Request): AuthoredFields {
  const { body, query } = operationOf(tool);
  const paths = [
    ...(body === undefined ? [] : modelPaths(body)),
    ...(query === undefined ? [] : modelPaths(query).map((path) => `?${path}`)),
  ];
  const values = paths.map((path) => [path, sentAt(request, path)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

const modelPaths = (schema: Parameters<typeof leaves>[0]): readonly string[] =>
  leaves(schema).flatMap(({ path, field }) => (field.from === 'model' ? [path] : []));

const canSay = (tool: PlatformTool, path: string): boolean => {
  const { body } = operationOf(tool);
  return body !== undefined && schemaAt(body, path) !== undefined;
};
