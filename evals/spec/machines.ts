import type { Machine } from '../../src/core/machine.ts';
import { approval, event, operation } from '../../src/core/own-machines.ts';
import { payment, plan, subscription } from '../../src/domains/billing/machines.ts';
import { capture, charge, offer, refund } from '../../src/domains/conversion/machines.ts';
import { enrollment, transaction } from '../../src/domains/device/machines.ts';
import { transactionStatuses } from '../../src/domains/device/statuses.ts';
import { invoice } from '../../src/domains/invoicing/machines.ts';
import { authentication } from '../../src/domains/passkey/machines.ts';
import { card, instruction } from '../../src/domains/purchase/machines.ts';
import { reportSubscription } from '../../src/domains/reporting/machines.ts';
import { type Cell, type Facts, type Grid, no, valuations } from './machine-grid.ts';

/**
 * What every machine does, written by hand from the rule book and the decisions, not computed from its table. What is not
 * written here is refused.
 */
export interface Expectation {
  readonly name: string;
  readonly machine: Machine;
  readonly facts: readonly Facts[];
  readonly grid: Grid;
  /** States that nothing leaves, each with the rule that refuses there, or none. */
  readonly ends: Readonly<Record<string, string | undefined>>;
  /** The rule that refuses a trigger outside its rows. */
  readonly breach: Readonly<Record<string, string>>;
  /** Conditions of one trigger that may hold at once, in the order in which they are asked. */
  readonly ordered?: readonly string[];
  /** Who pulls which trigger, where it is not the agent. */
  readonly actors: Readonly<Record<string, string>>;
}

// A machine takes entities of its own kind; the grids hand it exactly those.
const any = (machine: unknown): Machine => machine as Machine;
const either = [false, true];
const pulledBy = (actor: string, ...triggers: readonly string[]) =>
  Object.fromEntries(triggers.map((trigger) => [trigger, actor]));

/** Nothing but an approval, or no answer yet, lets the registration follow. */
const approving = {
  'action=AUTHENTICATE': [{ 'action=STEP_UP_AUTHENTICATE': ['AUTHENTICATION_REGISTRATION', no] }, no],
} as const;

const cards: Expectation = {
  name: 'card',
  machine: any(card),
  facts: valuations({ verified: either }),
  grid: {
    none: { enroll: { verified: ['PENDING', 'ACTIVE'] } },
    PENDING: { enroll: { verified: ['PENDING', 'ACTIVE'] }, verify: { verified: [no, 'ACTIVE'] } },
    ACTIVE: { enroll: 'ACTIVE' },
  },
  ends: {},
  breach: { enroll: 'AP-03', verify: 'AP-03' },
  actors: { verify: 'customer' },
};

const authentications: Expectation = {
  name: 'authentication',
  machine: any(authentication),
  facts: valuations({ action: ['', 'AUTHENTICATE', 'STEP_UP_AUTHENTICATE', 'AUTHENTICATION_REGISTRATION'] }),
  grid: {
    none: {
      options: {
        'action=AUTHENTICATE': [
          { 'action=STEP_UP_AUTHENTICATE': ['AUTHENTICATION_REGISTRATION', 'STEP_UP_AUTHENTICATE'] },
          'AUTHENTICATE',
        ],
      },
    },
    AUTHENTICATE: { release: 'AUTHENTICATED' },
    STEP_UP_AUTHENTICATE: { send: 'STEP_UP_AUTHENTICATE', validate: approving, approve: approving },
    AUTHENTICATION_REGISTRATION: { register: 'REGISTRATION_CREATED' },
    REGISTRATION_CREATED: { register: 'REGISTRATION_CREATED', release: 'AUTHENTICATED' },
    AUTHENTICATED: {},
  },
  ends: { AUTHENTICATED: undefined },
  breach: {
    ...{ options: 'EN-03', send: 'PK-03', validate: 'PK-03' },
    ...{ approve: 'PK-08', register: 'PK-08', release: 'PK-09' },
  },
  actors: { validate: 'customer', approve: 'platform', release: 'customer' },
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
      cancel: { asks: ['CANCELLED', 'PENDING'] },
      confirm: { processed: [no, 'COMPLETED'] },
      expire: { ended: [no, 'EXPIRED'] },
    },
    EXPIRED: { confirm: { processed: [no, 'COMPLETED'] } },
    CANCELLED: {},
    COMPLETED: {},
  },
  ordered: ['the customer is asked to verify before all else', 'a cancellation waits before all else'],
  ends: { CANCELLED: undefined, COMPLETED: 'AP-11' },
  breach: {
    ...{ initiate: 'EN-03', verify: 'AP-03', update: 'AP-06' },
    ...{ cancel: 'AP-07', retrieve: 'AP-08', confirm: 'AP-10' },
  },
  actors: { verify: 'customer', expire: 'clock' },
};

const operations: Expectation = {
  name: 'operation',
  machine: any(operation),
  facts: valuations({ needsApproval: either, repeatable: either, happened: either }),
  grid: {
    none: { propose: { needsApproval: [no, 'PROPOSED'] }, send: { needsApproval: ['SENDING', no] } },
    PROPOSED: { approve: 'APPROVED', deny: 'FAILED', expire: 'EXPIRED', supersede: 'EXPIRED', withdraw: 'WITHDRAWN' },
    APPROVED: { send: 'SENDING', deny: 'FAILED', expire: 'EXPIRED', supersede: 'EXPIRED', withdraw: 'WITHDRAWN' },
    WITHDRAWN: { withdraw: 'WITHDRAWN' },
    SENDING: { succeed: 'SUCCEEDED', fail: 'FAILED', markUnknown: 'UNKNOWN' },
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
  ends: { EXPIRED: 'EN-03', FAILED: 'EN-03', WITHDRAWN: 'EN-03', RESOLVED: 'EN-03', SUCCEEDED: 'EN-03' },
  breach: {
    ...{ send: 'EN-04', propose: 'EN-04', approve: 'EN-04', deny: 'EN-04' },
    ...{ withdraw: 'EN-04', resolve: 'EN-06' },
  },
  actors: {
    ...pulledBy('person', 'approve', 'deny', 'resolve'),
    ...pulledBy('engine', 'expire', 'supersede', 'propose', 'send', 'succeed', 'fail', 'markUnknown'),
  },
};

const events: Expectation = {
  name: 'event',
  machine: any(event),
  facts: valuations({ readable: either, attemptsLeft: either }),
  grid: {
    none: { receive: { readable: ['NOT_HANDLED', 'RECEIVED'] } },
    RECEIVED: {
      apply: 'APPLIED',
      ignore: 'NOT_KNOWN',
      postpone: { attemptsLeft: ['NOT_APPLIED', 'RECEIVED'] },
    },
    APPLIED: {},
    NOT_KNOWN: {},
    NOT_APPLIED: {},
    NOT_HANDLED: {},
  },
  ends: { APPLIED: undefined, NOT_KNOWN: undefined, NOT_APPLIED: undefined, NOT_HANDLED: undefined },
  breach: {},
  actors: { ...pulledBy('engine', 'apply', 'ignore', 'postpone'), receive: 'platform' },
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
      expire: { late: [no, 'EXPIRED'] },
      supersede: 'EXPIRED',
      withdraw: 'WITHDRAWN',
    },
    APPROVED: {
      consume: { late: ['CONSUMED', no] },
      deny: 'DENIED',
      expire: { late: [no, 'EXPIRED'] },
      supersede: 'EXPIRED',
      withdraw: 'WITHDRAWN',
    },
    DENIED: {},
    EXPIRED: {},
    WITHDRAWN: {},
    CONSUMED: {},
  },
  ends: { CONSUMED: 'EN-04', DENIED: 'EN-04', EXPIRED: 'EN-04', WITHDRAWN: 'EN-04' },
  breach: { approve: 'EN-04', deny: 'EN-04', withdraw: 'EN-04', consume: 'EN-04' },
  actors: {
    ...pulledBy('person', 'approve', 'deny'),
    ...pulledBy('engine', 'request', 'consume', 'supersede', 'withdraw'),
    expire: 'clock',
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
  ends: { deleted: 'PL-10' },
  breach: { create: 'PL-02', amend: 'PL-06', activate: 'PL-09', deactivate: 'PL-09', delete: 'PL-10' },
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
  ends: { CANCELLED: 'SB-12', COMPLETED: 'SB-12', FAILED: 'SB-12' },
  breach: { create: 'SB-01', suspend: 'SB-09', reactivate: 'SB-10', cancel: 'SB-11', update: 'EN-09' },
  actors: pulledBy('platform', 'start', 'fail', 'recover', 'exhaust', 'stop', 'complete'),
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
  ends: { FAILED: 'SB-14', PAID: 'SB-14', SKIPPED: 'SB-14' },
  breach: { skip: 'SB-14', restore: 'SB-14' },
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
  ends: { CANCELED: undefined, EXPIRED: 'IN-12', PAID: undefined },
  breach: {
    ...{ create: 'IN-01', update: 'IN-06', send: 'IN-09', publish: 'IN-09' },
    ...{ cancel: 'IN-10', accept: 'IN-10', reject: 'IN-10' },
  },
  actors: { pay: 'customer', accept: 'platform', reject: 'platform', expire: 'clock' },
};

const offers: Expectation = {
  name: 'offer',
  machine: any(offer),
  facts: valuations({ eligible: either, expired: either, opted: either, withdrawn: either }),
  grid: {
    none: { offer: { eligible: ['INELIGIBLE', 'PENDING'] } },
    PENDING: {
      choose: { opted: ['LOCAL_CURRENCY', { withdrawn: ['CHOSEN', 'WITHDRAWN'] }] },
      expire: { expired: [no, 'EXPIRED'] },
    },
    CHOSEN: { choose: { opted: ['LOCAL_CURRENCY', no] }, authorize: 'USED', expire: { expired: [no, 'EXPIRED'] } },
    LOCAL_CURRENCY: {},
    WITHDRAWN: {},
    INELIGIBLE: {},
    EXPIRED: {},
    USED: {},
  },
  ordered: [
    'the purchase is eligible for conversion before all else',
    'the customer keeps the local currency before what was shown is no longer offered',
    'what was shown is no longer offered before the customer opts for conversion',
  ],
  breach: { offer: 'DC-03', choose: 'DC-04' },
  ends: { INELIGIBLE: 'DC-03', EXPIRED: 'DC-05', USED: 'DC-04', LOCAL_CURRENCY: 'DC-04', WITHDRAWN: 'DC-04' },
  actors: { authorize: 'engine', expire: 'clock' },
};

/** The next state by what the platform says of the payment. */
const found = (states: Readonly<Record<string, string>>, otherwise: string): Cell =>
  Object.entries(states).reduceRight<Cell>((rest, [it, state]) => ({ [`found=${it}`]: [rest, state] }), otherwise);
const declinedOr = (states: Readonly<Record<string, string>>): Cell => ({
  declined: [found(states, no), 'NOT_AUTHORIZED'],
});
const part = { 'a part': 'PARTIAL_AUTHORIZED' };

const charges: Expectation = {
  name: 'charge',
  machine: any(charge),
  facts: valuations({
    ...{ declined: either, converted: either, captured: either, exhausted: either },
    found: ['', 'authorized', 'a part', 'in review', 'a risk', 'undecided'],
  }).filter(({ declined, found }) => !declined || found === ''),
  grid: {
    none: {
      authorize: {
        declined: [
          found(
            { undecided: 'PENDING', 'in review': 'PENDING_REVIEW', 'a risk': 'RISK_DECLINED', ...part },
            'AUTHORIZED',
          ),
          'NOT_AUTHORIZED',
        ],
      },
    },
    PENDING: {
      decide: declinedOr({
        'in review': 'PENDING_REVIEW',
        'a risk': 'RISK_DECLINED',
        ...part,
        authorized: 'AUTHORIZED',
      }),
      reverse: 'REVERSED',
    },
    PENDING_REVIEW: {
      decide: declinedOr({ 'a risk': 'RISK_DECLINED', ...part, authorized: 'AUTHORIZED' }),
      reverse: 'REVERSED',
    },
    RISK_DECLINED: {
      decide: declinedOr({ 'in review': 'PENDING_REVIEW', authorized: 'AUTHORIZED' }),
      reverse: 'REVERSED',
    },
    AUTHORIZED: {
      decide: declinedOr({ 'in review': 'PENDING_REVIEW', 'a risk': 'RISK_DECLINED' }),
      capture: 'CAPTURED',
      reverse: 'REVERSED',
    },
    PARTIAL_AUTHORIZED: { decide: declinedOr({}), capture: 'CAPTURED', reverse: 'REVERSED' },
    CAPTURED: {
      capture: { captured: ['CAPTURED', { converted: [{ exhausted: ['CAPTURED', no] }, no] }] },
      reverse: { captured: ['REVERSED', no] },
    },
    NOT_AUTHORIZED: {},
    REVERSED: {},
  },
  ordered: [
    ...[
      'the issuer declines',
      'it is not decided yet',
      'it is in review',
      'the risk check declines',
      'a part of it is authorized',
    ].map((it) => `${it} before all else`),
    'nothing is captured before a part is left in the local currency',
  ],
  breach: { authorize: 'EN-03', capture: 'DC-09', reverse: 'DC-09' },
  ends: { NOT_AUTHORIZED: undefined, REVERSED: undefined },
  actors: pulledBy('platform', 'decide'),
};

const captures: Expectation = {
  name: 'capture',
  machine: any(capture),
  facts: valuations({ refunded: either, exhausted: either }),
  grid: {
    none: { create: 'PENDING' },
    PENDING: {
      transmit: 'TRANSMITTED',
      refund: { exhausted: ['PENDING', no] },
      void: { refunded: ['VOIDED', no] },
    },
    TRANSMITTED: { refund: { exhausted: ['TRANSMITTED', no] } },
    VOIDED: {},
  },
  breach: { refund: 'DC-10', void: 'DC-10' },
  ends: { VOIDED: undefined },
  actors: { create: 'engine', transmit: 'platform' },
};

const refunds: Expectation = {
  name: 'refund',
  machine: any(refund),
  facts: valuations({ declined: either }),
  grid: {
    none: { create: { declined: ['PENDING', 'NOT_REFUNDED'] } },
    PENDING: { transmit: 'TRANSMITTED', reject: 'NOT_REFUNDED', void: 'VOIDED' },
    TRANSMITTED: {},
    VOIDED: {},
    NOT_REFUNDED: {},
  },
  ordered: ['the platform declines it before all else'],
  breach: { void: 'DC-10' },
  ends: { TRANSMITTED: undefined, VOIDED: undefined, NOT_REFUNDED: undefined },
  actors: { create: 'engine', ...pulledBy('platform', 'transmit', 'reject') },
};

/** D-29. */
const enrollments: Expectation = {
  name: 'enrollment',
  machine: any(enrollment),
  facts: [{}],
  grid: {
    none: { enroll: 'enrolled' },
    notEnrolled: { enroll: 'enrolled', begin: 'enrolling' },
    enrolling: { finish: 'enrolled', fail: 'notEnrolled' },
    enrolled: { enroll: 'enrolled', begin: 'enrolling' },
  },
  breach: { enroll: 'DV-01' },
  ends: {},
  actors: { begin: 'platform', finish: 'platform', fail: 'platform' },
};

/** What becomes of a transaction by the status that the reader tells; `approved` says what an approval makes of it. */
const byStatus = (approved: Cell, unfinished: boolean): Cell => {
  const open = (status: string, state: string, otherwise: Cell): Cell => ({
    [`status=${status}`]: [otherwise, unfinished ? state : no],
  });
  const accepted = open('Accepted', 'ACCEPTED', { 'status=Approved': [no, approved] });
  const unknown = open('Inconclusive', 'INCONCLUSIVE', open('Unknown', 'UNKNOWN', accepted));
  const pending = open('Initialized', 'INITIALIZED', open('Pending', 'PENDING', unknown));
  return {
    'status=Declined': [{ 'status=Aborted': [{ 'status=Error': [pending, 'ERROR'] }, 'ABORTED'] }, 'DECLINED'],
  };
};

const charged: Cell = { preauthorizes: ['APPROVED', 'AUTHORIZED'] };
const settled = { settle: byStatus({ credits: [charged, 'CREDITED'] }, false) };

/** The nine statuses of the older SDK's wrappers, and the life of a pre-authorization: document 3, "States and transitions". */
const transactions: Expectation = {
  name: 'transaction',
  machine: any(transaction),
  facts: valuations({
    ...{ status: transactionStatuses, preauthorizes: either, credits: either, expired: either, whole: either },
  }),
  grid: {
    none: { charge: byStatus(charged, true), credit: byStatus({ credits: [no, 'CREDITED'] }, true) },
    ...{ INITIALIZED: settled, PENDING: settled, INCONCLUSIVE: settled, UNKNOWN: settled, ACCEPTED: settled },
    AUTHORIZED: { increment: 'AUTHORIZED', capture: 'CAPTURED', expire: { expired: [no, 'EXPIRED'] } },
    APPROVED: { refund: { whole: ['APPROVED', 'REFUNDED'] } },
    CAPTURED: { refund: { whole: ['CAPTURED', 'REFUNDED'] } },
    ...{ DECLINED: {}, ABORTED: {}, ERROR: {}, CREDITED: {}, REFUNDED: {}, EXPIRED: {} },
  },
  ordered: [
    'a credit is approved before it is approved',
    'a credit is approved before a pre-authorization is approved before it is approved',
    'a pre-authorization is approved before it is approved',
    'all of it is paid back before all else',
  ],
  breach: { charge: 'DV-08', increment: 'DV-03', capture: 'DV-04', refund: 'DV-05', credit: 'DV-06' },
  ends: {
    ...{ DECLINED: undefined, ABORTED: undefined, ERROR: undefined, CREDITED: undefined, REFUNDED: undefined },
    EXPIRED: 'DV-07',
  },
  actors: { settle: 'platform', credit: 'person', expire: 'clock' },
};

const reportSubscriptions: Expectation = {
  name: 'report subscription',
  machine: any(reportSubscription),
  facts: valuations({}),
  grid: {
    none: { save: 'ACTIVE' },
    ACTIVE: { save: 'ACTIVE', delete: 'DELETED' },
    DELETED: { save: 'ACTIVE' },
  },
  ends: {},
  breach: { save: 'RP-01', delete: 'RP-01' },
  actors: {},
};

export const expectations: readonly Expectation[] = [
  ...[cards, authentications, instructions, operations, approvals, events],
  ...[plans, subscriptions, payments],
  invoices,
  ...[offers, charges, captures, refunds],
  ...[enrollments, transactions],
  reportSubscriptions,
];
