import { machine } from './machine.ts';

/** One call that changes something, from proposal to its final state. */
export interface Operation {
  readonly state: string;
  /** Whether a person must approve it before it is sent. */
  readonly needsApproval: boolean;
  /** Whether its recovery class allows sending it again after an unknown outcome. */
  readonly repeatable: boolean;
  /** What a person found out about an unknown outcome. */
  readonly happened: boolean;
}

/**
 * The states of an operation in the engine. SUCCEEDED, FAILED, EXPIRED, WITHDRAWN and RESOLVED are final; UNKNOWN stays until a
 * repeat, a read-back or a person resolves it. FAILED means that it had no effect.
 */
export const operation = machine('operation', {
  source: 'own',
  // biome-ignore format: a table
  rows: [
    ['none',      'propose',     'a person must approve it',        'PROPOSED',  'an approval is requested'],
    ['none',      'send',        'it needs no approval',            'SENDING',   'the intent is on disk before anything is sent'],
    ['PROPOSED',  'approve',     '',                                'APPROVED',  ''],
    ['PROPOSED',  'deny',        '',                                'FAILED',    'nothing was sent'],
    ['PROPOSED',  'expire',      '',                                'EXPIRED',   'nothing was sent; the same call asks again'],
    ['PROPOSED',  'supersede',   '',                                'EXPIRED',   'the request has changed; a new operation is proposed'],
    ['PROPOSED',  'withdraw',    '',                                'WITHDRAWN', 'nothing was sent; the same call asks again'],
    ['APPROVED',  'send',        '',                                'SENDING',   'its approval is used up'],
    ['APPROVED',  'deny',        '',                                'FAILED',    'the approval was taken back; nothing was sent'],
    ['APPROVED',  'expire',      '',                                'EXPIRED',   'nothing was sent; the same call asks again'],
    ['APPROVED',  'supersede',   '',                                'EXPIRED',   'the request has changed; a new operation is proposed'],
    ['APPROVED',  'withdraw',    '',                                'WITHDRAWN', 'nothing was sent; the same call asks again'],
    ['WITHDRAWN', 'withdraw',    '',                                'WITHDRAWN', 'it was withdrawn before'],
    ['SENDING',   'succeed',     '',                                'SUCCEEDED', ''],
    ['SENDING',   'fail',        '',                                'FAILED',    'the platform declined, or was never reached'],
    ['SENDING',   'markUnknown', '',                                'UNKNOWN',   'sent, but no trustworthy response arrived'],
    ['UNKNOWN',   'send',        'its class allows a repeat',       'SENDING',   'the same request is sent again'],
    ['UNKNOWN',   'succeed',     '',                                'SUCCEEDED', 'its response arrived late, or was read back'],
    ['UNKNOWN',   'fail',        '',                                'FAILED',    'its response arrived late, or the read-back found no effect'],
    ['UNKNOWN',   'resolve',     'a person found that it happened', 'RESOLVED',  ''],
    ['UNKNOWN',   'resolve',     'a person found that it did not',  'FAILED',    'the same call asks again'],
  ],
  assumed: [],
  conditions: {
    'a person must approve it': (it: Operation) => it.needsApproval,
    'it needs no approval': (it: Operation) => !it.needsApproval,
    'its class allows a repeat': (it: Operation) => it.repeatable,
    'a person found that it happened': (it: Operation) => it.happened,
    'a person found that it did not': (it: Operation) => !it.happened,
  },
  breach: {
    ...{ send: 'EN-04', propose: 'EN-04', approve: 'EN-04', deny: 'EN-04' },
    ...{ withdraw: 'EN-04', resolve: 'EN-06' },
  },
  final: { SUCCEEDED: 'EN-03', FAILED: 'EN-03', EXPIRED: 'EN-03', WITHDRAWN: 'EN-03', RESOLVED: 'EN-03' },
  actors: {
    approve: 'person',
    deny: 'person',
    resolve: 'person',
    expire: 'engine',
    supersede: 'engine',
    propose: 'engine',
    send: 'engine',
    succeed: 'engine',
    fail: 'engine',
    markUnknown: 'engine',
  },
});

/** Whether an operation in this state took effect. Any other that has ended had none. */
export const isEffective = (state: string): boolean => effectiveStates.includes(state);
const effectiveStates: readonly string[] = ['SUCCEEDED', 'RESOLVED'];

/** An event that the platform has delivered. */
export interface DeliveredEvent {
  readonly state: string;
  /** Whether its type says what it is about, and Purser can read such a thing. */
  readonly readable: boolean;
  /** Whether it may be tried once more. */
  readonly attemptsLeft: boolean;
}

/** The life of a delivered event: it is stored, and what it is about is read from the platform. */
export const event = machine('event', {
  source: 'own',
  // biome-ignore format: a table
  rows: [
    ['none',     'receive',  'what it is about can be read', 'RECEIVED',    'it is on disk before the platform hears that it arrived'],
    ['none',     'receive',  'nothing can be read for it',   'NOT_HANDLED', 'it is listed'],
    ['RECEIVED', 'apply',    '',                             'APPLIED',     'the thing was read from the platform'],
    ['RECEIVED', 'ignore',   '',                             'NOT_KNOWN',   'Purser has no such thing, so nothing was read'],
    ['RECEIVED', 'postpone', 'attempts are left',            'RECEIVED',    'it is tried again, later each time'],
    ['RECEIVED', 'postpone', 'no attempt is left',           'NOT_APPLIED', 'it is listed'],
  ],
  assumed: [],
  conditions: {
    'what it is about can be read': (it: DeliveredEvent) => it.readable,
    'nothing can be read for it': (it: DeliveredEvent) => !it.readable,
    'attempts are left': (it: DeliveredEvent) => it.attemptsLeft,
    'no attempt is left': (it: DeliveredEvent) => !it.attemptsLeft,
  },
  breach: {},
  actors: { receive: 'platform', apply: 'engine', ignore: 'engine', postpone: 'engine' },
});

/** A person's decision about one operation, bound to the digest of the request. */
export interface Approval {
  readonly state: string;
  /** Whether it has expired. */
  readonly late: boolean;
}

/** The states of an approval: requested, decided once, used once, before it expires. */
export const approval = machine('approval', {
  source: 'own',
  // biome-ignore format: a table
  rows: [
    ['none',      'request',   '',            'REQUESTED', 'a person is asked, with a text rendered from the stored request'],
    ['REQUESTED', 'approve',   'in time',     'APPROVED',  ''],
    ['REQUESTED', 'deny',      '',            'DENIED',    'the operation ends; the same call asks again'],
    ['REQUESTED', 'expire',    'out of time', 'EXPIRED',   'the operation ends; the same call asks again'],
    ['REQUESTED', 'supersede', '',            'EXPIRED',   'the request has changed; a person is asked again'],
    ['REQUESTED', 'withdraw',  '',            'WITHDRAWN', 'the operation ends; nobody can approve it any more'],
    ['APPROVED',  'consume',   'in time',     'CONSUMED',  'used for exactly one request'],
    ['APPROVED',  'deny',      '',            'DENIED',    'taken back before it was used'],
    ['APPROVED',  'expire',    'out of time', 'EXPIRED',   ''],
    ['APPROVED',  'supersede', '',            'EXPIRED',   'the request has changed; a person is asked again'],
    ['APPROVED',  'withdraw',  '',            'WITHDRAWN', 'the operation ends; the approval is not used'],
  ],
  assumed: [],
  conditions: {
    'in time': (it: Approval) => !it.late,
    'out of time': (it: Approval) => it.late,
  },
  breach: { approve: 'EN-04', deny: 'EN-04', withdraw: 'EN-04', consume: 'EN-04' },
  final: { DENIED: 'EN-04', EXPIRED: 'EN-04', WITHDRAWN: 'EN-04', CONSUMED: 'EN-04' },
  actors: {
    approve: 'person',
    deny: 'person',
    expire: 'clock',
    request: 'engine',
    consume: 'engine',
    supersede: 'engine',
    withdraw: 'engine',
  },
});
