import type { Paged } from '../ledger/ledger-transaction.ts';
import type { ApprovalRow, OperationRow } from '../ledger/rows.ts';
import { iso } from './render.ts';
import { toolName } from './tool.ts';

// What people and their programs read, the same over HTTP, from the command line and in a program that embeds Purser.

/** A page of a list, newest first. */
export interface ListPage<View> {
  readonly items: readonly View[];
  /** How many the list has. */
  readonly total: number;
  /** There may be more than `total`. */
  readonly atLeast?: true;
  /** The cursor of the next page; absent on the last. */
  readonly more?: string;
}

export const listPage = <Row, View>(
  { rows, total, isCapped, more }: Paged<Row>,
  view: (row: Row) => View,
): ListPage<View> => ({
  items: rows.map(view),
  total,
  ...(isCapped === undefined ? {} : { atLeast: true }),
  ...(more === undefined ? {} : { more }),
});

export type ApprovalView = ReturnType<typeof approvalView>;

/** An approval, with the clock applied: who asked for what, until when, and what was decided. */
export const approvalView = (row: ApprovalRow) => ({
  approval: row.id,
  operation: row.operationId,
  state: row.state,
  text: row.text,
  askedBy: row.principal,
  asked: iso(row.createdAt),
  expires: iso(row.expiresAt),
  ...(row.decidedAt === null ? {} : { decided: iso(row.decidedAt), approver: row.approver, channel: row.channel }),
});

/** An operation. What it doesn't have is left out, as the tools do. */
export const operationView = (row: OperationRow) => ({
  operation: row.id,
  tool: toolName(row.name),
  state: row.state,
  calledBy: row.principal,
  ...(row.reference === '' ? {} : { reference: row.reference }),
  ...(row.subject === '' ? {} : { subject: row.subject }),
  attempts: row.attempt,
  begun: iso(row.createdAt),
  changed: iso(row.updatedAt),
  ...(row.result === null ? {} : { answer: row.result }),
});

/** An operation with what a person was asked about it. */
export const operationWithApproval = (row: OperationRow, asked: ApprovalRow | undefined) => ({
  ...operationView(row),
  ...(asked === undefined ? {} : { approval: approvalView(asked) }),
});
