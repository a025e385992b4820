import { type Body, bodyOf } from '../world/collection.ts';
import type { Evidence } from '../world/state.ts';

// What the ledger's rows of operations say, as graders read them.

export type Operation = Evidence['operations'][number];

interface Args {
  readonly limit?: { readonly amount: string; readonly currency: string };
  readonly until?: string;
  readonly apply_to?: string;
  readonly card?: string;
  readonly instruction?: string;
  readonly merchant?: string;
  readonly amount?: string;
  readonly currency?: string;
}
export const argsOf = (row: Operation): Args => bodyOf(row.args) as Args;

const requestOf = (row: Operation): Body => bodyOf(row.request);
export const correlationOf = (row: Operation): string =>
  String((requestOf(row).new as { correlationId?: string } | undefined)?.correlationId ?? '');

/** Whether two operations are about one purchase. The one that began it has no subject, but an answer that names it. */
export const isAbout = (it: Operation, row: Operation): boolean =>
  row.subject !== '' && (it.subject === row.subject || String(it.result ?? '').includes(String(row.subject)));
