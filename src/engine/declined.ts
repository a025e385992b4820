import type { Provenance } from '../core/fields.ts';
import { limits } from '../core/limits.ts';
import type { DeclineCode, Declined } from '../core/outcome.ts';
import type { Kind } from '../domains/facts.ts';
import { isReason, kindTable } from '../domains/index.ts';
import { type FieldSource, fieldSourceOf } from './field-source.ts';
import { nextNamed } from './next.ts';
import { type Body, untrusted } from './render.ts';
import { operationOf, type PlatformTool } from './tool.ts';

/**
 * The answer to a call that the platform declined: the tool's argument at fault, who sets it if not the agent, and the
 * next actions.
 */
export function declined(error: Declined, tool: PlatformTool): Body {
  const { code } = error;
  const given = declineRetries[code] ?? 'never';
  const { retryAfterSeconds, reason, untrustedMessage: message } = error;
  const source = error.field === undefined ? undefined : fieldSourceOf(tool, error.field);
  const field = source?.argument ?? (source === undefined ? undefined : error.field);
  const retry = given === 'never' && source?.argument !== undefined ? 'changed_call' : given;
  // The platform may ask to wait without saying how long.
  const wait = retryAfterSeconds ?? (retry === 'after' ? limits.retrySeconds : undefined);
  // The platform's message may contain anything, so Purser's own sentence only repeats documented words.
  const theirs = [
    isReason(reason) || code in declineSaid ? undefined : reason,
    field === undefined ? error.field : undefined,
    message,
  ].filter((text) => text !== undefined);
  const said =
    declineSaid[code] ?? `The platform declined${isReason(reason) ? `: ${reason}` : ''}. Nothing was changed.`;
  return {
    outcome: 'declined',
    said: source?.by === undefined ? said : `${said} ${notTheAgents[source.by]}`,
    next: leadsOut[code](tool, source),
    error: {
      code: code === 'CANCELLED' ? 'CALL_CANCELLED' : code,
      retry,
      ...(wait === undefined ? {} : { wait }),
      ...(field === undefined ? {} : { field }),
      ...(theirs.length === 0 ? {} : { untrusted: untrusted(theirs.join(': ')) }),
    },
  };
}

const declineRetries: Readonly<Partial<Record<DeclineCode, 'after' | 'same_call'>>> = {
  RATE_LIMITED: 'after',
  CANCELLED: 'same_call',
};

const declineSaid: Readonly<Partial<Record<DeclineCode, string>>> = {
  UNAUTHORIZED: "The platform rejected Purser's credentials. An operator must check them: purser doctor.",
  NOT_FOUND: 'The platform has no such thing. Nothing was changed.',
  CANCELLED: 'The call was cancelled before it took effect. Nothing was changed.',
  RATE_LIMITED: 'The platform accepts no more calls at the moment. Nothing was changed.',
};

/** Who sets a field that no argument of the tool sets. */
export const notTheAgents: Readonly<Record<Provenance, string>> = {
  model: "The agent can't set this field: the tool has no argument for it.",
  shopper: "The agent can't set this field: it comes from the shopper session of the merchant's app.",
  device: "The agent can't set this field: it comes from the shopper's device, through the merchant's app.",
  caller: "The agent can't set this field: the merchant's app or the customer enters it.",
  server: "The agent can't set this field: Purser fills it from its configuration and the facts of the call.",
  platform: "The agent can't set this field: the platform does.",
};

/** The next actions after each decline; none if an operator must act. */
const leadsOut: Readonly<
  Record<DeclineCode, (tool: PlatformTool, source: FieldSource | undefined) => readonly string[]>
> = {
  UNAUTHORIZED: () => [],
  RATE_LIMITED: ({ name }) => [name],
  CANCELLED: ({ name }) => [name],
  NOT_FOUND: (tool, source) => {
    const finding = found(tool);
    return finding.length > 0 || source?.argument === undefined ? finding : [tool.name];
  },
  DECLINED: (tool, source) => {
    const named = source?.argument;
    const wrong = named === undefined ? undefined : tool.input.args[named];
    // A wrong handle is searched for; any other argument is changed.
    const mended = wrong?.kind === undefined ? [] : kindTable[wrong.kind].foundBy;
    const next = [...looked(tool), ...mended, ...(named === undefined ? [] : [tool.name])];
    return next.length > 0 ? [...new Set(next)] : found(tool);
  },
};

/** The tools that show the current state of the things in a call. */
const looked = (tool: PlatformTool): readonly string[] =>
  kindsOf(tool)
    .map((kind) => kindTable[kind].shownBy)
    .filter((name) => name !== tool.name);

/** The tools that find the thing a call is about, or would have created. */
function found(tool: PlatformTool): readonly string[] {
  const kinds = kindsOf(tool);
  const about = kinds.length > 0 || tool.observe.moves === undefined ? kinds : [tool.observe.moves.kind];
  const finding = [...new Set(about.flatMap((kind) => kindTable[kind].foundBy))].filter((name) => name !== tool.name);
  return finding.length > 0 || operationOf(tool).effect === 'read' ? finding : nextNamed(tool, '');
}

/** The kinds of things in a call. */
const kindsOf = (tool: PlatformTool): readonly Kind[] =>
  Object.values(tool.input.args).flatMap(({ kind }) => kind ?? []);
