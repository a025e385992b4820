import type { z } from 'zod';
import { canonicalJson } from '../core/canonical-json.ts';
import { bare, childOf, isAmount } from '../core/fields.ts';
import { shortest } from '../core/money.ts';
import { jsonOf } from '../core/secret-leaves.ts';
import type { Facts } from '../domains/facts.ts';
import { referenceArgument } from './field-source.ts';
import type { PlatformTool } from './tool.ts';

/**
 * Whether two calls of a tool with the same reference are the same call: 10 equals 10.00, and naming the default reference changes
 * nothing. As a conflict they would be refused with the advice to choose another reference, and the money would move twice.
 */
export const isSameCall = (tool: PlatformTool, reference: string, one: Facts['args'], other: Facts['args']): boolean =>
  meant(tool, reference, one) === meant(tool, reference, other);

function meant(tool: PlatformTool, reference: string, args: Facts['args']): string {
  const argument = referenceArgument(tool);
  const said = argument === undefined ? args : { ...args, [argument]: reference };
  return canonicalJson(jsonOf(inOneSpelling(tool.inputSchema, said)));
}

/** A value with its amounts in one spelling. */
function inOneSpelling(schema: z.ZodType | undefined, value: unknown): unknown {
  if (schema === undefined) return value;
  const it = bare(schema);
  if (typeof value === 'string') return isAmount(it) ? shortest(value) : value;
  if (Array.isArray(value)) return value.map((item) => inOneSpelling(childOf(it, '[]'), item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, inOneSpelling(childOf(it, name), member)]),
  );
}
