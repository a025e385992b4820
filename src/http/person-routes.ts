import { z } from 'zod';
import { limits } from '../core/limits.ts';
import { approval as approvals, operation as operations } from '../core/own-machines.ts';
import { findApproval, findOperation, listOperations } from '../engine/approval-service.ts';
import type { Engine } from '../engine/engine.ts';
import type { NotDecided } from '../engine/person.ts';
import { approvalView, listPage, operationView, operationWithApproval } from '../engine/person-views.ts';
import { issueText } from '../engine/schema-issues.ts';
import { settleUnknown } from '../engine/settle-unknown.ts';
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
export function peopleRoutes(engine: Engine, tenant: string): readonly Route[] {
  const { parts } = engine;
  const by = { tenant, approver: 'person', channel: 'http' } as const;
  const decides =
    (channel: 'http' | 'page'): Route['serve'] =>
    ({ id, body }) =>
      checked(decision, body, async ({ decision: verdict }) => {
        const decided = await engine.decide(id, verdict, { ...by, channel });
        return decided.ok ? json(200, decided.approval) : refused(decided);
      });
  const shownOperation = async (id: string): Promise<Response> => {
    const found = await findOperation(parts, tenant, id);
    return found === undefined
      ? notFound('There is no operation with this id.')
      : json(200, operationWithApproval(found.row, found.asked));
  };
  return [
    {
      call: 'GET /approvals',
      role: 'person',
      serve: ({ query }) =>
        checked(approvalsPage, query, async (page) => json(200, await engine.approvals(tenant, page))),
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
          json(200, listPage(await listOperations(parts, tenant, at, onlyIn(state)), operationView)),
        ),
    },
    {
      call: 'GET /operations/:id',
      role: 'person',
      serve: ({ id }) => shownOperation(id),
    },
    {
      call: 'POST /operations/:id',
      role: 'person',
      serve: ({ id, body }) =>
        checked(finding, body, async (found) => {
          const resolved = await settleUnknown(parts, id, found, by);
          return resolved.ok ? shownOperation(id) : refused(resolved);
        }),
    },
  ];
}

const onlyIn = (state: string | undefined) => (state === undefined ? undefined : [state]);

const refused = ({ because: message, isOff, missing, field }: NotDecided): Response =>
  isOff
    ? fault(403, { code: 'FORBIDDEN', message })
    : missing
      ? fault(404, { code: 'NOT_FOUND', message })
      : field !== undefined
        ? fault(400, { code: 'INVALID_ARGUMENT', message, field, rule: 'EN-05' })
        : fault(409, { code: 'CONFLICT', message });

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
  return fault(400, { code: 'INVALID_ARGUMENT', message, field, rule: 'EN-01' });
}
