import type { JsonObject } from '../core/canonical-json.ts';
import { limits } from '../core/limits.ts';
import { platformTime } from '../core/platform-time.ts';
import type { ApprovalRow, OperationRow } from '../ledger/rows.ts';
import { masked } from '../screening/mask.ts';
import type { Answer, AnswerError } from './answer.ts';
import { placesOf } from './approval-links.ts';
import { type Refusal, retryOf } from './refusal.ts';
import type { EngineSettings } from './settings.ts';
import type { PlatformTool } from './tool.ts';

/** An answer without the environment's name. */
export type Body = Omit<Answer, 'environment'>;

/** A refusal: nothing was sent. It names the reason, the rule and the next actions. */
export const refused = (it: Refusal): Body => ({
  outcome: 'refused',
  said: it.because,
  ...(it.operation === undefined ? {} : { operation: it.operation }),
  next: it.instead,
  error: {
    code: it.code,
    retry: retryOf(it),
    ...(it.wait === undefined ? {} : { wait: it.wait }),
    ...(it.field === undefined ? {} : { field: it.field }),
    ...(it.fields === undefined ? {} : { fields: it.fields }),
    rule: it.rule,
    ...((it.quotes ?? []).length === 0
      ? {}
      : { untrusted: untrusted((it.quotes ?? []).join(', '), limits.textCharacters) }),
  },
});

/** The caller cancelled the call before anything was sent. */
export const cancelled = (tool: string): Body => ({
  outcome: 'refused',
  said: 'The call was cancelled before anything was sent. You can make the same call again.',
  next: [tool],
  error: { code: 'CALL_CANCELLED', retry: 'same_call' },
});

/** Nothing was sent: the platform, or the card reader, could not be reached. */
export const unreachable = ({ name, definition }: Pick<PlatformTool, 'name' | 'definition'>): Body => ({
  outcome: 'refused',
  said:
    definition.transport === 'reader'
      ? 'No card reader took the call, so nothing was sent: its app is busy, or not connected to this Purser. Have the app opened, and make the same call again. Where several replicas run, it may be connected to another one: tell the operator.'
      : 'The platform could not be reached; nothing was sent. Try again later.',
  next: [name],
  error: { code: 'UNREACHABLE', retry: 'same_call' },
});

/** A person must approve first. `before` says what happened to an earlier approval, if there was one. */
export const needsApproval = (
  row: OperationRow,
  approval: ApprovalRow,
  { channels, reach = {} }: Pick<EngineSettings, 'channels' | 'reach'>,
  { rule = 'EN-04', before = '' }: { readonly rule?: string; readonly before?: string } = {},
): Body => {
  const { page, command } = placesOf(approval.id, reach, channels);
  const where = [
    page === undefined ? '' : `on the page ${page}`,
    command === undefined ? '' : `by the command: ${command}`,
  ]
    .filter((text) => text !== '')
    .join(' or ');
  return {
    outcome: 'needs_approval',
    said: `${before}A person must approve this first${where === '' ? '' : `, ${where}`}. Then make the same call again.`,
    operation: row.id,
    next: ['list_approvals'],
    approval: { id: approval.id, text: approval.text, expires: iso(approval.expiresAt) },
    error: { code: 'APPROVAL_REQUIRED', retry: 'same_call', rule },
  };
};

/** Sent, and the outcome is unknown. */
export const unknown = (id: string, wait: number, error: Partial<AnswerError> = {}): Body => ({
  outcome: 'unknown',
  said: 'It was sent, but its outcome is unknown. Do not start another one: check get_operation later.',
  operation: id,
  next: ['get_operation'],
  error: { code: 'OUTCOME_UNKNOWN', retry: 'never', wait, rule: 'EN-06', ...error },
});

/** The rule by which nothing else is sent after a lost call, where it isn't EN-06. */
export const lostBy = ({ reconcile: { lostRule } }: Pick<PlatformTool, 'reconcile'>): Partial<AnswerError> =>
  lostRule === undefined ? {} : { rule: lostRule };

/** Sent, and the outcome is unknown; it can't be sent again because a secret is gone. */
export const secretGone = (id: string): Body => ({
  ...unknown(id, limits.quietSeconds),
  said: 'It was sent, but its outcome is unknown. Purser cannot send it again because its secret is gone. An operator must investigate.',
});

/** Sent, but the ledger could not record the outcome. */
export const unrecorded = (id: string): Body => ({
  ...unknown(id, limits.quietSeconds),
  said: 'It was sent, but the ledger could not record its outcome. Do not start another one; an operator must check the ledger.',
});

/** The same call is in progress. */
export const inFlight = (row: OperationRow, now: number): Body => ({
  ...unknown(row.id, quietSecondsLeft(row, now)),
  said: 'The same call is already in progress. This operation will have its result.',
  error: {
    code: 'IN_FLIGHT',
    retry: 'after',
    wait: quietSecondsLeft(row, now),
    rule: 'EN-07',
  },
});

/** Replays the first result. `looker` is the tool that shows the current state, if there is one. */
export const replay = (row: OperationRow, looker: string | undefined): Body => ({
  // The ledger stores answers made by this module.
  ...(row.result as unknown as Body),
  operation: row.id,
  replayed: true,
  // The next actions of the first result may no longer be legal.
  next: [...new Set(['get_operation', ...(looker === undefined ? [] : [looker])])],
});

/** An answer in stored form. */
export const answerOf = (body: Body): JsonObject => JSON.parse(JSON.stringify(body)) as JsonObject; // JSON by its schema

export const iso = (at: number): string => new Date(at).toISOString();

/** Seconds until the quiet period of an operation in progress is over. */
export const quietSecondsLeft = ({ quietUntil }: Pick<OperationRow, 'quietUntil'>, now: number): number =>
  Math.max(1, Math.ceil(((quietUntil ?? now) - now) / 1000));

/**
 * Untrusted text made safe for a model: one short line without invisible characters or card data. `most` raises the
 * length if a person must see all of it.
 */
export const untrusted = (text: string, most: number = limits.untrustedCharacters): string =>
  shortened(masked(text), most);

/** A text that is safe already, and not too long. */
export function shortened(text: string, most: number = limits.untrustedCharacters): string {
  // Cut between code points: half a character is invalid in JSON.
  const characters = [...text];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : characters.join('');
}

/** A time from the platform or an app as answers show it: ISO 8601 in UTC. */
export function momentText(text: string): string {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/.test(text)) return text;
  const at = platformTime(text);
  return Number.isNaN(at) ? 'unknown' : iso(at);
}

/** The month in which a card expires, printed as `MM/YYYY`, as answers show it: `YYYY-MM`. */
export function monthText(printed: unknown): string {
  const [, month, year] = /^(\d\d)\/(\d{4})$/.exec(String(printed)) ?? [];
  return year === undefined ? 'unknown' : `${year}-${month}`;
}

/** The number in a text of the platform; undefined if it isn't one. */
export const countOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
