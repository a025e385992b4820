import { isDeepStrictEqual } from 'node:util';
import type { Currency } from '../core/currencies.ts';
import { leaves, schemaAt } from '../core/fields.ts';
import { money, moneyFault, within } from '../core/money.ts';
import type { Facts } from '../domains/facts.ts';
import type { Caller } from '../ledger/ledger.ts';
import { authored, sentAt } from './authored.ts';
import type { Request } from './request.ts';
import { operationOf, type PlatformTool } from './tool.ts';
import type { AuthoredFields, Ordering } from './tool-policy.ts';

// The scope of an approval. A person approved what the model authored, field by field. A later call is covered if every
// field is equal, or provably allows less. Any other difference needs a new approval, as does a new field until it gets
// an ordering.

export const orderings = {
  /** An amount not above the approved one. A different currency needs a new approval by itself. */
  lessMoney:
    (currencyPath: string): Ordering =>
    (now, approved, fields) => {
      const currency = fields[currencyPath] as Currency; // by the contract's schema
      const amounts = [String(now), String(approved)] as const;
      if (amounts.some((it) => moneyFault(it, currency) !== null)) return false;
      const [it, most] = [money(amounts[0], currency), money(amounts[1], currency)];
      return within(it, most);
    },
  /** A number or time not above the approved one. */
  less: ((now, approved) => Number(now) <= Number(approved)) satisfies Ordering,
  /** A field that is no longer set. */
  withdrawn: ((now) => now === undefined) satisfies Ordering,
  /** A part of an approved whole: not above it, or none. */
  partOfWhole:
    (currencyPath: string): Ordering =>
    (now, whole, fields) =>
      now === undefined || orderings.lessMoney(currencyPath)(now, whole, fields),
} as const;

/** Whether a person approved everything that the model authored in a request, or more. */
function isCovered(tool: PlatformTool, facts: Facts, request: Request): boolean {
  const { approved, narrower } = tool.policy.approval?.within ?? {};
  const before = approved?.(facts);
  if (before === undefined) return false;
  const now = modelFields(tool, request);
  // A field that the request can't express counts as approved.
  const paths = new Set([...Object.keys(now), ...Object.keys(before).filter((path) => canSay(tool, path))]);
  return [...paths].every(
    (path) => isDeepStrictEqual(now[path], before[path]) || narrower?.[path]?.(now[path], before[path], now) === true,
  );
}

/**
 * Whether a person must approve a call even if the conversation is not tainted: the tool requires it, the call exceeds
 * what was approved, or it writes text for customers.
 */
export function needsApproval(
  tool: PlatformTool,
  facts: Facts,
  request: Request,
  { role = 'agent' }: Pick<Caller, 'role'>,
): boolean {
  const { approval } = tool.policy;
  if (writesToCustomers(tool, facts, request) && (tool.policy.releasedBy?.(facts) ?? []).length === 0) return true;
  if (approval === undefined) return operationOf(tool).effect === 'money';
  if (approval.givenBy?.includes(role)) return false;
  return approval.needed(facts) || (approval.within !== undefined && !isCovered(tool, facts, request));
}

/** Whether the model authored text in this call that customers will read. */
const writesToCustomers = (tool: PlatformTool, facts: Facts, request: Request): boolean =>
  authored(tool, facts, request).some(({ sent }) => sent.some(({ path }) => reachesCustomers(tool, path)));

/** Whether customers read a field, or one within it. */
export function reachesCustomers(tool: PlatformTool, path: string): boolean {
  const { body } = operationOf(tool);
  const schema = body && path !== '' ? schemaAt(body, path) : undefined;
  return schema !== undefined && leaves(schema).some(({ field }) => field.reach === 'customer');
}

/** Every field of a request with the provenance `model`. */
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
