import { approval, operation } from '../../src/core/own-machines.ts';
import { payment, plan, subscription } from '../../src/domains/billing/machines.ts';
import { invoice } from '../../src/domains/invoicing/machines.ts';
import { card, instruction } from '../../src/domains/purchase/machines.ts';
import { type Any, type Facts, type Grid, no, valuations } from './machine-grid.ts';

/**
 * What every machine does, written by hand from the rule book and the decisions, not computed from its table. What is not
 * written here is refused.
 */
export interface Expectation {
  readonly name: string;
  readonly machine: Any;
  readonly facts: readonly Facts[];
  readonly grid: Grid;
  /** States that nothing leaves. */
  readonly ends: readonly string[];
  /** Conditions of one trigger that may hold at once, in the order in which they are asked. */
  readonly ordered?: readonly string[];
  /** Who pulls which trigger, where it is not the agent. */
  readonly actors: Readonly<Record<string, string>>;
}

// A machine takes entities of its own kind; the grids hand it exactly those.
const any = (machine: unknown): Any => machine as Any;
const either = [false, true];

const cards: Expectation = {
  name: 'card',
  machine: any(card),
  facts: valuations({ verified: either }),
  grid: {
    none: { enroll: { verified: ['PENDING', 'ACTIVE'] } },
    PENDING: { enroll: { verified: ['PENDING', 'ACTIVE'] }, verify: { verified: [no, 'ACTIVE'] } },
    ACTIVE: { enroll: 'ACTIVE' },
  },
  ends: [],
  actors: { verify: 'customer' },
};

const instructions: Expectation = {
  name: 'instruction',
  machine: any(instruction),
  facts: valuations({ asks: either, waiting: ['', 'update', 'cancel'], processed: either, ended: either }),
  grid: {
    none: { initiate: { asks: ['ACTIVE', 'PENDING'] } },
    ACTIVE: {
      update: { asks: ['ACTIVE', 'PENDING'] },
      retrieve: { asks: ['ACTIVE', 'PENDING'] },
      cancel: { asks: ['CANCELLED', 'PENDING'] },
      confirm: { processed: [no, 'COMPLETED'] },
      expire: { ended: [no, 'EXPIRED'] },
    },
    PENDING: {
      verify: { 'waiting=cancel': ['ACTIVE', 'CANCELLED'] },
      update: { asks: ['ACTIVE', 'PENDING'] },
      retrieve: { asks: ['ACTIVE', 'PENDING'] },
      cancel: 'CANCELLED',
      confirm: { processed: [no, 'COMPLETED'] },
      expire: { ended: [no, 'EXPIRED'] },
    },
    EXPIRED: { confirm: { processed: [no, 'COMPLETED'] } },
    CANCELLED: {},
    COMPLETED: {},
  },
  ordered: ['the customer is asked to verify before all else', 'a cancellation waits before all else'],
  ends: ['CANCELLED', 'COMPLETED'],
  actors: { verify: 'customer', expire: 'clock' },
};

const operations: Expectation = {
  name: 'operation',
  machine: any(operation),
  facts: valuations({ needsApproval: either, repeatable: either, happened: either }),
  grid: {
    none: { propose: { needsApproval: [no, 'PROPOSED'] }, send: { needsApproval: ['SENDING', no] } },
    PROPOSED: { approve: 'APPROVED', deny: 'FAILED', lapse: 'EXPIRED', supersede: 'EXPIRED' },
    APPROVED: { send: 'SENDING', deny: 'FAILED', lapse: 'EXPIRED', supersede: 'EXPIRED' },
    SENDING: { succeed: 'SUCCEEDED', fail: 'FAILED', lose: 'UNKNOWN' },
    UNKNOWN: {
      send: { repeatable: [no, 'SENDING'] },
      succeed: 'SUCCEEDED',
      fail: 'FAILED',
      resolve: { happened: ['FAILED', 'RESOLVED'] },
    },
    SUCCEEDED: {},
    FAILED: {},
    EXPIRED: {},
    RESOLVED: {},
  },
  ends: ['EXPIRED', 'FAILED', 'RESOLVED', 'SUCCEEDED'],
  actors: {
    approve: 'person',
    deny: 'person',
    resolve: 'person',
    lapse: 'engine',
    supersede: 'engine',
    propose: 'engine',
    send: 'engine',
    succeed: 'engine',
    fail: 'engine',
    lose: 'engine',
  },
};

const approvals: Expectation = {
  name: 'approval',
  machine: any(approval),
  facts: valuations({ late: either }),
  grid: {
    none: { request: 'REQUESTED' },
    REQUESTED: {
      approve: { late: ['APPROVED', no] },
      deny: 'DENIED',
      lapse: { late: [no, 'EXPIRED'] },
      supersede: 'EXPIRED',
    },
    APPROVED: {
      consume: { late: ['CONSUMED', no] },
      deny: 'DENIED',
      lapse: { late: [no, 'EXPIRED'] },
      supersede: 'EXPIRED',
    },
    DENIED: {},
    EXPIRED: {},
    CONSUMED: {},
  },
  ends: ['CONSUMED', 'DENIED', 'EXPIRED'],
  actors: {
    approve: 'person',
    deny: 'person',
    lapse: 'clock',
    request: 'engine',
    consume: 'engine',
    supersede: 'engine',
  },
};

const plans: Expectation = {
  name: 'plan',
  machine: any(plan),
  facts: valuations({ draft: either, assigned: either }),
  grid: {
    none: { create: { draft: ['ACTIVE', 'DRAFT'] } },
    DRAFT: { amend: 'DRAFT', activate: { assigned: ['ACTIVE', no] }, delete: 'deleted' },
    ACTIVE: { amend: 'ACTIVE', deactivate: 'INACTIVE', delete: { assigned: ['deleted', no] } },
    INACTIVE: { activate: 'ACTIVE', delete: { assigned: ['deleted', no] } },
    deleted: {},
  },
  ordered: ['created as a draft before all else'],
  ends: ['deleted'],
  actors: {},
};

const subscriptions: Expectation = {
  name: 'subscription',
  machine: any(subscription),
  facts: valuations({
    ...{ declined: either, processing: either, outstanding: either, ends: either },
    changes: ['names', 'terms', 'start'],
  }),
  grid: {
    none: { create: { declined: ['PENDING', 'FAILED'] } },
    PENDING: { start: 'ACTIVE', update: 'PENDING', cancel: { processing: ['CANCELLED', no] } },
    ACTIVE: {
      fail: 'DELINQUENT',
      stop: 'SUSPENDED',
      suspend: 'SUSPENDED',
      complete: { ends: [no, 'COMPLETED'] },
      update: { 'changes=start': ['ACTIVE', no] },
      cancel: { processing: ['CANCELLED', no] },
    },
    DELINQUENT: {
      fail: 'DELINQUENT',
      recover: { outstanding: ['ACTIVE', no] },
      exhaust: 'SUSPENDED',
      stop: 'SUSPENDED',
      update: { 'changes=names': [no, 'DELINQUENT'] },
      cancel: { processing: ['CANCELLED', no] },
    },
    SUSPENDED: {
      reactivate: 'ACTIVE',
      update: { 'changes=names': [no, 'SUSPENDED'] },
      cancel: { processing: ['CANCELLED', no] },
    },
    CANCELLED: { update: { 'changes=names': [no, 'CANCELLED'] } },
    COMPLETED: { update: { 'changes=names': [no, 'COMPLETED'] } },
    FAILED: {},
  },
  ends: ['CANCELLED', 'COMPLETED', 'FAILED'],
  actors: {
    start: 'platform',
    fail: 'platform',
    recover: 'platform',
    exhaust: 'platform',
    stop: 'platform',
    complete: 'platform',
  },
};

const payments: Expectation = {
  name: 'payment',
  machine: any(payment),
  facts: valuations({ modifiable: either }),
  grid: {
    none: { schedule: 'SCHEDULED' },
    SCHEDULED: { skip: { modifiable: [no, 'SCHEDULED_SKIPPED'] }, pay: 'PAID', fail: 'FAILED' },
    SCHEDULED_SKIPPED: { restore: { modifiable: [no, 'SCHEDULED'] }, pass: 'SKIPPED' },
    PAID: {},
    FAILED: {},
    SKIPPED: {},
  },
  ends: ['FAILED', 'PAID', 'SKIPPED'],
  actors: { schedule: 'platform', pay: 'platform', fail: 'platform', pass: 'platform' },
};

const unpaid = {
  cancel: { paid: ['CANCELED', no] },
  expire: { expired: [no, 'EXPIRED'] },
} as const;
const paying = { pay: { reviewed: [{ settled: ['PARTIAL', 'PAID'] }, 'PENDING'] } } as const;

const invoices: Expectation = {
  name: 'invoice',
  machine: any(invoice),
  facts: valuations({
    delivery: ['email', 'none'],
    immediate: either,
    paid: either,
    settled: either,
    reviewed: either,
    expired: either,
  }),
  grid: {
    none: { create: { immediate: ['DRAFT', { 'delivery=email': ['CREATED', 'SENT'] }] } },
    DRAFT: {
      ...unpaid,
      update: { paid: ['DRAFT', no] },
      send: { 'delivery=email': ['CREATED', 'SENT'] },
      publish: 'CREATED',
    },
    CREATED: { ...unpaid, ...paying, update: { paid: ['CREATED', no] }, send: { 'delivery=email': [no, 'SENT'] } },
    SENT: { ...unpaid, ...paying, update: { paid: ['SENT', no] }, send: { 'delivery=email': [no, 'SENT'] } },
    PARTIAL: { ...paying, expire: unpaid.expire, send: { 'delivery=email': [no, 'PARTIAL'] } },
    PENDING: { accept: { settled: ['PARTIAL', 'PAID'] }, reject: { paid: ['SENT', 'PARTIAL'] } },
    PAID: {},
    CANCELED: {},
    EXPIRED: {},
  },
  ordered: [
    'the payment is under review before all else',
    'nothing is left to be paid before all else',
    'the payment is under review before nothing is left to be paid before all else',
    'no payment made before all else',
  ],
  ends: ['CANCELED', 'EXPIRED', 'PAID'],
  actors: { pay: 'customer', accept: 'platform', reject: 'platform', expire: 'clock' },
};

export const expectations: readonly Expectation[] = [
  ...[cards, instructions, operations, approvals],
  ...[plans, subscriptions, payments],
  invoices,
];
