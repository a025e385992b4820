import type { z } from 'zod';
import { bare, leaves, schemaAt } from '../core/fields.ts';
import { closestName } from './closest-name.ts';
import { argumentAt } from './field-source.ts';
import { knownPath, propertyNames } from './name-suggestions.ts';
import type { Refusal } from './refusal.ts';
import { type Issue, issueText } from './schema-issues.ts';
import { operationOf, type PlatformTool, type Tool } from './tool.ts';
import { unknownArgument } from './unknown-argument.ts';

/** The first fault of a tool's arguments, without the value. */
export function argumentFault(error: z.ZodError, tool: Tool): Refusal {
  const { name, inputSchema } = tool;
  // A misspelled argument is reported first, because the missing one is usually the same.
  const issue = error.issues.find(({ code }) => code === 'unrecognized_keys') ?? error.issues[0];
  const known = knownPath(inputSchema, issue?.path ?? []);
  const has = propertyNames(inputSchema, issue?.path ?? []);
  const meant = issue?.code === 'unrecognized_keys' ? meantBy(issue.keys, has) : undefined;
  return {
    code: 'INVALID_ARGUMENT',
    rule: (tool.kind === 'platform' ? tool.input.args[String(issue?.path[0])]?.rule : undefined) ?? 'EN-01',
    field: pathOf(meant === undefined ? known : [...known, meant]) || 'arguments',
    because:
      issue === undefined
        ? `The arguments of ${name} are invalid.`
        : argumentSentence(issue, pathOf(known), name, { has, meant }),
    instead: [],
  };
}

const meantBy = (keys: readonly string[], known: readonly string[]): string | undefined =>
  keys.map((key) => closestName(key, known)).find((name) => name !== undefined);

/** The fault of a request filled from session and facts: the field, the rule, and who can correct it. */
export function requestFault(error: z.ZodError, body: z.ZodType, tool: PlatformTool): Refusal {
  const issue = error.issues[0];
  const path = issue === undefined ? '' : pathOf(issue.path);
  const at = schemaAt(body, path.replace(/\[\d+\]/g, '[]'));
  // If a whole object is missing, its first field shows who can add it.
  const known = at === undefined ? undefined : leaves(bare(at))[0]?.field;
  const argument = argumentAt(tool, path);
  // Whoever gave a wrong value needs no hint to give it.
  const isOwn = known?.from === 'model' && !missing(issue);
  return {
    code: 'RULE',
    rule: ruleOf(issue) ?? known?.rule ?? operationOf(tool).shape,
    field: argument ?? path,
    because:
      `${argument ?? path} ${missing(issue) ? 'is missing' : issueText(issue)}. ${isOwn ? '' : mends[known?.from ?? 'server']}`.trim(),
    // Only the merchant's app or an operator can give what isn't the model's.
    ...(known?.from === 'model' ? {} : { retry: 'never' }),
    instead: known?.from === 'model' ? [] : ['find_shopper'],
  };
}

/** The rule named by a fault that concerns several fields. */
const ruleOf = (issue: Issue | undefined): string | undefined =>
  issue?.code === 'custom' && typeof issue.params?.rule === 'string' ? issue.params.rule : undefined;

const mends = {
  model: 'Give it as an argument.',
  shopper: "The merchant's app must add it to the shopper session; the agent can't.",
  device: "The merchant's app must add it to the shopper session from the shopper's device; the agent can't.",
  caller: "The merchant's app or the customer enters it; the agent can't.",
  server: "Purser fills it from configuration or the shopper session; the agent can't.",
  platform: '',
} as const;

const missing = (issue: Issue | undefined): boolean =>
  issue?.code === 'invalid_type' && issue.message.includes('received undefined');

function argumentSentence(
  issue: Issue,
  field: string,
  tool: string,
  its: { readonly has: readonly string[]; readonly meant: string | undefined },
): string {
  if (issue.code !== 'unrecognized_keys')
    return `${field || 'The arguments'} ${missing(issue) ? 'is missing' : issueText(issue)}.`;
  return unknownArgument(issue.keys, { of: field === '' ? tool : `${field} of ${tool}`, ...its });
}

const pathOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, step) =>
      typeof step === 'number' ? `${text}[${step}]` : text === '' ? String(step) : `${text}.${String(step)}`,
    '',
  );

/** A refusal from before the schema was checked, with its field cut to the names that the tool declares. */
export function toldFor(refusal: Refusal, { inputSchema }: Pick<Tool, 'inputSchema'>): Refusal {
  if (refusal.field === undefined) return refusal;
  const field = pathOf(knownPath(inputSchema, refusal.field.split('.')));
  return { ...refusal, field: field || 'arguments' };
}
