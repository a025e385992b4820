import { machine } from '../../core/machine.ts';

/** A stored payment plan, for its machine. */
export interface Plan {
  readonly state: string;
  /** Whether it was created as a draft. */
  readonly draft: boolean;
  /** Whether it ever had a subscription. */
  readonly assigned: boolean;
}

/** Document 2, "Plan"; decisions D-11 to D-13. A one-time plan lives inside its subscription and has no states. */
export const plan = machine('plan', {
  source: 'document 2',
  // biome-ignore format: a table
  rows: [
    ['DRAFT',    'activate',   'never assigned to a subscription', 'ACTIVE',   'usable for new subscriptions'],
    ['DRAFT',    'delete',     'standard plan',                    'deleted',  'removed from the system'],
    ['ACTIVE',   'deactivate', '',                                 'INACTIVE', 'existing subscriptions keep billing until completed or cancelled'],
    ['ACTIVE',   'delete',     'never assigned to a subscription', 'deleted',  'removed'],
    ['INACTIVE', 'activate',   'listed as allowed',                'ACTIVE',   ''],
    ['INACTIVE', 'delete',     'never assigned to a subscription', 'deleted',  'removed'],
  ],
  // biome-ignore format: a table
  assumed: [
    ['none',     'create',     'created as a draft',               'DRAFT',    'can be amended in every field; no subscription can use it yet'],
    ['none',     'create',     '',                                 'ACTIVE',   'usable for new subscriptions (D-11)'],
    ['DRAFT',    'amend',      '',                                 'DRAFT',    'all plan information may change'],
    ['ACTIVE',   'amend',      '',                                 'ACTIVE',   'some plan information may change (D-01)'],
  ],
  conditions: {
    'never assigned to a subscription': (it: Plan) => !it.assigned,
    // A plan that has a state is a standard one.
    'standard plan': (_: Plan) => true,
    // D-12: the document lists the move without a condition.
    'listed as allowed': (_: Plan) => true,
    'created as a draft': (it: Plan) => it.draft,
  },
  breach: { create: 'PL-02', amend: 'PL-06', activate: 'PL-09', deactivate: 'PL-09', delete: 'PL-10' },
  final: { deleted: 'PL-10' },
  order: { usual: ['create', 'activate', 'amend', 'deactivate'], givesUp: ['delete'] },
});

/** Whether a plan in this state takes new subscriptions (SB-02). */
export const isUsablePlan = (state: string): boolean => usablePlanStates.includes(state);
const usablePlanStates: readonly string[] = ['ACTIVE'];

/** A customer's subscription, for its machine. */
export interface Subscription {
  readonly state: string;
  /** The verification or the payment of the first day was declined. */
  readonly declined: boolean;
  /** A payment begins processing within ten minutes or began within the last ten. */
  readonly processing: boolean;
  /** A failed payment is waiting for a retry. */
  readonly outstanding: boolean;
  /** What an update changes: `names` (name, code), `start` (start date or setup fee), `terms` (anything else). */
  readonly changes: string;
  /** Whether its number of payments is fixed. */
  readonly ends: boolean;
}

/** Document 2, "Subscription"; decisions D-14 to D-17 and D-48. The billing engine's triggers are the platform's. */
export const subscription = machine('subscription', {
  source: 'document 2',
  // biome-ignore format: a table
  rows: [
    ['none',       'create',     'accepted',                                        'PENDING',    ''],
    ['ACTIVE',     'fail',       '',                                                'DELINQUENT', 'the system retries the payment'],
    ['DELINQUENT', 'exhaust',    '',                                                'SUSPENDED',  ''],
    ['DELINQUENT', 'stop',       '',                                                'SUSPENDED',  'all retries stop'],
    ['ACTIVE',     'suspend',    '',                                                'SUSPENDED',  ''],
    ['SUSPENDED',  'reactivate', 'after collecting a different payment method',     'ACTIVE',     ''],
    ['ACTIVE',     'cancel',     'not within 10 minutes before or after a payment begins processing', 'CANCELLED', 'cannot be reactivated'],
    ['PENDING',    'cancel',     'not within 10 minutes before or after a payment begins processing', 'CANCELLED', 'cannot be reactivated'],
    ['DELINQUENT', 'cancel',     'not within 10 minutes before or after a payment begins processing', 'CANCELLED', 'cannot be reactivated'],
    ['SUSPENDED',  'cancel',     'not within 10 minutes before or after a payment begins processing', 'CANCELLED', 'cannot be reactivated'],
    ['ACTIVE',     'complete',   'subscription has an end date',                    'COMPLETED',  'cannot be reactivated'],
  ],
  // biome-ignore format: a table
  assumed: [
    ['none',       'create',     'verification or first payment declined',          'FAILED',     'nothing is scheduled (D-16)'],
    ['PENDING',    'start',      '',                                                'ACTIVE',     'its start date is reached (D-14)'],
    ['ACTIVE',     'stop',       '',                                                'SUSPENDED',  'a first attempt, too, can be declined for good'],
    ['DELINQUENT', 'fail',       '',                                                'DELINQUENT', 'another payment fails while one is retried'],
    ['DELINQUENT', 'recover',    'nothing else is to be retried',                   'ACTIVE',     'a retry succeeds (D-15)'],
    ['PENDING',    'update',     '',                                                'PENDING',    ''],
    ['ACTIVE',     'update',     'neither start date nor setup fee changes',        'ACTIVE',     'what was paid stays as it is'],
    ['DELINQUENT', 'update',     'only names change',                               'DELINQUENT', ''],
    ['SUSPENDED',  'update',     'only names change',                               'SUSPENDED',  ''],
    ['CANCELLED',  'update',     'only names change',                               'CANCELLED',  'name and code stay open to change (D-48)'],
    ['COMPLETED',  'update',     'only names change',                               'COMPLETED',  'name and code stay open to change (D-48)'],
  ],
  conditions: {
    accepted: (it: Subscription) => !it.declined,
    'verification or first payment declined': (it: Subscription) => it.declined,
    // Purser can't know what the customer has changed; the tool's description asks for it.
    'after collecting a different payment method': (_: Subscription) => true,
    'not within 10 minutes before or after a payment begins processing': (it: Subscription) => !it.processing,
    'subscription has an end date': (it: Subscription) => it.ends,
    'nothing else is to be retried': (it: Subscription) => !it.outstanding,
    'neither start date nor setup fee changes': (it: Subscription) => it.changes !== 'start',
    'only names change': (it: Subscription) => it.changes === 'names',
  },
  answered: ['accepted', 'verification or first payment declined'],
  breach: { create: 'SB-01', suspend: 'SB-09', reactivate: 'SB-10', cancel: 'SB-11', update: 'EN-09' },
  final: { CANCELLED: 'SB-12', COMPLETED: 'SB-12', FAILED: 'SB-12' },
  actors: {
    start: 'platform',
    fail: 'platform',
    recover: 'platform',
    exhaust: 'platform',
    stop: 'platform',
    complete: 'platform',
  },
  order: { usual: ['create', 'reactivate', 'update', 'suspend'], givesUp: ['cancel'] },
});

/** Whether a subscription in this state has its start still before it (D-14). */
export const isBeforeStart = (state: string): boolean => subscription.startsOf('start').includes(state);
/** Whether payments of a subscription in this state are processed. */
export const isBilledState = (state: string): boolean => billedStates.includes(state);
const billedStates: readonly string[] = ['PENDING', 'ACTIVE', 'DELINQUENT'];
/** Whether payments that fall due in this state are missed, and collected by a reactivation alone. */
export const missesPayments = (state: string): boolean => subscription.startsOf('reactivate').includes(state);
/** Whether a subscription that was suspended can be in this state once it is reactivated. */
export const isReactivated = (state: string): boolean => reactivatedStates.includes(state);
const reactivatedStates: readonly string[] = ['ACTIVE', 'DELINQUENT', 'COMPLETED'];
/** Whether public models let a subscription in this state be suspended, too (D-17). */
export const isSuspendableAsPublished = (state: string): boolean => publishedStates.includes(state);
const publishedStates: readonly string[] = ['PENDING', 'DELINQUENT'];
/** Whether a subscription in this state has begun, and each of its payments is made. */
export const isRunning = (state: string): boolean => subscription.startsOf('suspend').includes(state);

/** A payment of a subscription, for its machine. */
export interface Payment {
  readonly state: string;
  /** It is not a retry, and processing begins in more than two hours. */
  readonly modifiable: boolean;
}

/** Document 2, "Subscription payment"; the final states come from public models of the platform's clients. */
export const payment = machine('payment', {
  source: 'document 2',
  // biome-ignore format: a table
  rows: [
    ['SCHEDULED',         'skip',     'until two hours before its scheduled processing time', 'SCHEDULED_SKIPPED', ''],
    ['SCHEDULED_SKIPPED', 'restore',  'until two hours before its scheduled processing time', 'SCHEDULED',         ''],
  ],
  // biome-ignore format: a table
  assumed: [
    ['none',              'schedule', '',                                                     'SCHEDULED',         'a billing cycle to come, or a retry'],
    ['SCHEDULED',         'pay',      '',                                                     'PAID',              ''],
    ['SCHEDULED',         'fail',     '',                                                     'FAILED',            'a retry is a payment of its own'],
    ['SCHEDULED_SKIPPED', 'pass',     '',                                                     'SKIPPED',           'nothing is charged for its cycle'],
  ],
  conditions: {
    'until two hours before its scheduled processing time': (it: Payment) => it.modifiable,
  },
  breach: { skip: 'SB-14', restore: 'SB-14' },
  final: { PAID: 'SB-14', FAILED: 'SB-14', SKIPPED: 'SB-14' },
  actors: { schedule: 'platform', pay: 'platform', fail: 'platform', pass: 'platform' },
});

/** Whether a payment in this state is to come, and not skipped. */
export const isScheduled = (state: string): boolean => payment.startsOf('skip').includes(state);
/** Whether a payment in this state is to come, and skipped. */
export const isSkippedAhead = (state: string): boolean => payment.startsOf('restore').includes(state);
/** Whether a payment in this state was taken. */
export const isPaid = (state: string): boolean => payment.endsOf('pay').includes(state);
/** Whether a payment in this state is over and leaves nothing owed for its cycle. */
export const owesNothing = (state: string): boolean => isPaid(state) || payment.endsOf('pass').includes(state);
/** Whether a payment in this state is processed at its time, or was (SB-11). */
export const isProcessed = (state: string): boolean =>
  isScheduled(state) || isPaid(state) || payment.endsOf('fail').includes(state);
