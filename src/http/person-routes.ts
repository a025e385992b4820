import { z } from 'zod';
import { limits } from '../core/limits.ts';
import { approval as approvals, operation as operations } from '../core/own-machines.ts';
import { findApproval, listApprovals, listOperations, recordDecision } from '../engine/approval-service.ts';
import type { EngineParts } from '../engine/parts.ts';
import type { DecisionResult } from '../engine/person.ts';
import { iso } from '../engine/render.ts';
import { issueText } from '../engine/schema-issues.ts';
import { settleUnknown } from '../engine/settle-unknown.ts';
import { toolName } from '../engine/tool.ts';
import type { Paged } from '../ledger/ledger-transaction.ts';
import type { ApprovalRow, OperationRow } from '../ledger/rows.ts';
import { fault, json, notFound } from '../listener/reply.ts';
import type { Route } from './routes.ts';

const decision = z.strictObject({ decision: z.enum(['approve', 'deny']) });
const finding = z.strictObject({ happened: z.boolean(), note: z.string().min(1).max(limits.textCharacters) });
const pageOf = ({ existing }: { readonly existing: readonly string[] }) =>
  z.strictObject({
    // A misspelled state would have an empty list, and nobody would see what waits.
    state: z.enum(existing).optional(),
    limit: z.coerce.number().int().min(1).max(limits.pageRowsMost).default(limits.pageRows),
    cursor: z.string().max(200).optional(),
  });
const approvalsPage = pageOf(approvals);
const operationsPage = pageOf(operations);

/** The routes for people who decide and resolve. They refuse an agent's token. */
export function peopleRoutes(parts: EngineParts, tenant: string): readonly Route[] {
  const by = { tenant, approver: 'person', channel: 'http' } as const;
  const decides =
    (channel: 'http' | 'page'): Route['serve'] =>
    ({ id, body }) =>
      checked(decision, body, async ({ decision: verdict }) =>
        decided(await recordDecision(parts, id, verdict, { ...by, channel })),
      );
  return [
    {
      call: 'GET /approvals',
      role: 'person',
      serve: ({ query }) =>
        checked(approvalsPage, query, async ({ state, ...at }) =>
          listed(await listApprovals(parts, tenant, at, state), approvalView),
        ),
    },
    {
      call: 'GET /approvals/:id',
      role: 'person',
      serve: async ({ id }) => {
        const found = await findApproval(parts, tenant, id);
        return found === undefined ? notFound('There is no approval with this id.') : json(200, approvalView(found));
      },
    },
    {
      call: 'POST /approvals/:id',
      role: 'person',
      serve: decides('http'),
    },
    {
      call: 'POST /approve/:id',
      role: 'person',
      serve: decides('page'),
    },
    {
      call: 'GET /operations',
      role: 'person',
      serve: ({ query }) =>
        checked(operationsPage, query, async ({ state, ...at }) =>
          listed(await listOperations(parts, tenant, at, onlyIn(state)), operationView),
        ),
    },
    {
      call: 'POST /operations/:id',
      role: 'person',
      serve: ({ id, body }) =>
        checked(finding, body, async (found) => decided(await settleUnknown(parts, id, found, by))),
    },
  ];
}

const onlyIn = (state: string | undefined) => (state === undefined ? undefined : [state]);

const approvalView = (row: ApprovalRow) => ({
  approval: row.id,
  operation: row.operationId,
  state: row.state,
  text: row.text,
  askedBy: row.principal,
  asked: iso(row.createdAt),
  expires: iso(row.expiresAt),
  ...(row.decidedAt === null ? {} : { decided: iso(row.decidedAt), approver: row.approver, channel: row.channel }),
});

const operationView = (row: OperationRow) => ({
  operation: row.id,
  tool: toolName(row.name),
  state: row.state,
  calledBy: row.principal,
  reference: row.reference,
  subject: row.subject,
  attempts: row.attempt,
  begun: iso(row.createdAt),
  changed: iso(row.updatedAt),
  answer: row.result,
});

const listed = <Row>({ rows, total, isCapped, more }: Paged<Row>, view: (row: Row) => unknown): Response =>
  json(200, {
    items: rows.map(view),
    total,
    ...(isCapped === undefined ? {} : { atLeast: true }),
    ...(more === undefined ? {} : { more }),
  });

const decided = (it: DecisionResult): Response =>
  it.ok
    ? json(200, { operation: it.operation, state: it.state, text: it.text })
    : it.isOff
      ? fault(403, { code: 'FORBIDDEN', message: it.because })
      : it.missing === true
        ? fault(404, { code: 'NOT_FOUND', message: it.because })
        : it.field !== undefined
          ? fault(400, { code: 'INVALID', message: it.because, field: it.field, rule: 'EN-05' })
          : fault(409, { code: 'CONFLICT', message: it.because });

/** Validates the input before `serve`. A fault names the field, never its value. */
async function checked<S extends z.ZodType>(
  shape: S,
  given: unknown,
  serve: (value: z.output<S>) => Promise<Response>,
): Promise<Response> {
  const read = shape.safeParse(given);
  if (read.success) return serve(read.data);
  const [issue] = read.error.issues;
  const stranger = issue?.code === 'unrecognized_keys';
  const field = stranger ? 'request' : (issue?.path.join('.') ?? '') || 'request';
  const message = stranger ? 'It has an unknown property, perhaps a misspelled one.' : `It ${issueText(issue)}.`;
  return fault(400, { code: 'INVALID', message, field, rule: 'EN-01' });
}
