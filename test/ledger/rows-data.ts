import type { ApprovalRow, EventRow, ObservationRow, OperationRow } from '../../src/ledger/rows.ts';

/** An operation that was just sent; `changes` says what is different about this one. */
export function operation(changes: Partial<OperationRow> & { readonly id: string }) {
  return {
    principal: 'clerk',
    name: 'confirmTransaction',
    subject: '',
    reference: '',
    args: '{}',
    argsDigest: 'digest',
    essenceDigest: 'essence',
    rulesHash: 'rules',
    state: 'SENDING',
    attempt: 1,
    startedAt: 1000,
    quietUntil: 2000,
    request: null,
    result: null,
    createdAt: 1000,
    updatedAt: 1000,
    ...changes,
  };
}

/** A request for approval of an operation. */
export function approval(changes: Partial<ApprovalRow> & { readonly id: string; readonly operationId: string }) {
  return {
    principal: 'clerk',
    digest: 'digest',
    text: 'Pay EUR 5.00',
    state: 'REQUESTED',
    approver: null,
    channel: null,
    expiresAt: 9000,
    decidedAt: null,
    createdAt: 1000,
    ...changes,
  };
}

/** What was learned of a card. */
export function observation(changes: Partial<ObservationRow> & { readonly handle: string }) {
  return { kind: 'card', owner: '', state: 'ACTIVE', body: {}, ...changes };
}

/** An event that has just arrived. */
export function event(changes: Partial<EventRow> & { readonly id: string }) {
  return {
    type: 'rbs.subscriptions.charge.failed',
    kind: 'subscription',
    thing: 'subscription_a',
    state: 'RECEIVED',
    happenedAt: 900,
    dueAt: 1000,
    attempts: 0,
    createdAt: 1000,
    updatedAt: 1000,
    ...changes,
  };
}
