import type { JsonObject } from '../core/canonical-json.ts';
import { limits } from '../core/limits.ts';
import type { ApprovalRow, OperationRow } from '../ledger/rows.ts';
import { masked } from '../screening/mask.ts';
import type { Answer, AnswerError } from './answer.ts';
import { placesOf } from './approval-links.ts';
import { type Refusal, retryOf } from './refusal.ts';
import type { EngineSettings } from './settings.ts';

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
    rule: it.rule,
    ...((it.quotes ?? []).length === 0
      ? {}
      : { untrusted: untrusted((it.quotes ?? []).join(', '), limits.textCharacters) }),
  },
});

/** A person denied the approval. */
export const denial = (operation: string): Body => ({
  outcome: 'refused',
  said: 'A person said no to this, and nothing was sent. It can be asked anew by the same call, if the customer wants that.',
  operation,
  next: ['list_approvals'],
  error: { code: 'APPROVAL_DENIED', retry: 'same_call', rule: 'EN-04' },
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
  said: 'It was sent and its outcome is not known. Do not start another one: ask get_operation later.',
  operation: id,
  next: ['get_operation'],
  error: { code: 'OUTCOME_UNKNOWN', retry: 'never', wait, rule: 'EN-06', ...error },
});

/** Sent, but the ledger could not record the outcome. */
export const unrecorded = (id: string): Body => ({
  ...unknown(id, limits.quietSeconds),
  said: 'It was sent, and the ledger could not record how it ended. Do not start another one; an operator must look at the ledger.',
});

/** The same call is in progress. */
export const inFlight = (row: OperationRow, now: number): Body => ({
  ...unknown(row.id, secondsUntil(row.quietUntil ?? now, now)),
  said: 'This very call is under way. Its result will be under this operation.',
  error: {
    code: 'IN_FLIGHT',
    retry: 'after',
    wait: secondsUntil(row.quietUntil ?? now, now),
    rule: 'EN-07',
  },
});

/** Replays the first result. `looker` is the tool that shows the current state, if there is one. */
export const replay = (row: OperationRow, looker: string | undefined): Body => ({
  // The ledger stores the answer as this module made it.
  ...(row.result as unknown as Body),
  operation: row.id,
  replayed: true,
  // The next actions of that time may no longer be legal.
  next: ['get_operation', ...(looker === undefined ? [] : [looker])],
});

/** An answer as the ledger stores it. */
export const answerOf = (body: Body): JsonObject => JSON.parse(JSON.stringify(body)) as JsonObject; // JSON by its schema

export const iso = (at: number): string => new Date(at).toISOString();

const secondsUntil = (then: number, now: number): number => Math.max(1, Math.ceil((then - now) / 1000));

/**
 * Untrusted text, made safe to show to a model: one short line without invisible characters or card data. `most` raises the
 * length where a person must see all of it.
 */
export function untrusted(text: string, most: number = limits.untrustedCharacters): string {
  // Cut between code points, because half a character is invalid in JSON.
  const characters = [...masked(text)];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : characters.join('');
}

/** A time from the platform or an app, as answers show it: ISO 8601 in UTC. */
export function momentText(text: string): string {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/.test(text)) return text;
  const at = Date.parse(text);
  return Number.isNaN(at) ? 'unknown' : iso(at);
}

/** The month in which a card expires, which is printed `MM/YYYY`, as answers show it: `YYYY-MM`. */
export function monthText(printed: unknown): string {
  const [, month, year] = /^(\d\d)\/(\d{4})$/.exec(String(printed)) ?? [];
  return year === undefined ? 'unknown' : `${year}-${month}`;
}

/** A count that the platform sends as text; undefined if it isn't one. */
export const countOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
