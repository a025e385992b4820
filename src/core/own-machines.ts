import { machine } from './machine.ts';

/** One call of an operation that changes something, from proposal to its end. */
export interface Operation {
  readonly state: string;
  /** Whether a person must approve it before it is sent. */
  readonly needsApproval: boolean;
  /** Whether its recovery class allows sending it again after an unknown outcome. */
  readonly repeatable: boolean;
  /** What a person found out about an unknown one. */
  readonly happened: boolean;
}

/**
 * The life of an operation in the engine. SUCCEEDED, FAILED, EXPIRED and RESOLVED are its ends; UNKNOWN is listed until a
 * repeat, a read-back or a person ends it. FAILED means: it has not taken effect.
 */
export const operation = machine('operation', {
  source: 'own',
  // biome-ignore format: a table
  rows: [
    ['none',     'propose',   'a person must approve it',           'PROPOSED',  'an approval is requested'],
    ['none',     'send',      'nobody need approve it',             'SENDING',   'the intent is on disk before anything is sent'],
    ['PROPOSED', 'approve',   '',                                   'APPROVED',  ''],
    ['PROPOSED', 'deny',      '',                                   'FAILED',    'nothing was sent'],
    ['PROPOSED', 'lapse',     '',                                   'EXPIRED',   'nothing was sent; it can be asked anew'],
    ['PROPOSED', 'supersede', '',                                   'EXPIRED',   'what would be sent has changed; it is proposed anew'],
    ['APPROVED', 'send',      '',                                   'SENDING',   'its approval is used up'],
    ['APPROVED', 'deny',      '',                                   'FAILED',    'the approval was withdrawn; nothing was sent'],
    ['APPROVED', 'lapse',     '',                                   'EXPIRED',   'nothing was sent; it can be asked anew'],
    ['APPROVED', 'supersede', '',                                   'EXPIRED',   'what would be sent has changed; it is proposed anew'],
    ['SENDING',  'succeed',   '',                                   'SUCCEEDED', ''],
    ['SENDING',  'fail',      '',                                   'FAILED',    'the platform said no, or was never reached'],
    ['SENDING',  'lose',      '',                                   'UNKNOWN',   'sent, and no trustworthy answer came'],
    ['UNKNOWN',  'send',      'its class allows a repeat',          'SENDING',   'the same request once more'],
    ['UNKNOWN',  'succeed',   '',                                   'SUCCEEDED', 'its answer came after all, or was read back'],
    ['UNKNOWN',  'fail',      '',                                   'FAILED',    'its answer came after all, or nothing was found of it'],
    ['UNKNOWN',  'resolve',   'a person found that it happened',    'RESOLVED',  ''],
    ['UNKNOWN',  'resolve',   'a person found that it did not',     'FAILED',    'it can be asked anew'],
  ],
  assumed: [],
  conditions: {
    'a person must approve it': (it: Operation) => it.needsApproval,
    'nobody need approve it': (it: Operation) => !it.needsApproval,
    'its class allows a repeat': (it: Operation) => it.repeatable,
    'a person found that it happened': (it: Operation) => it.happened,
    'a person found that it did not': (it: Operation) => !it.happened,
  },
  breach: { send: 'EN-04', propose: 'EN-04', approve: 'EN-04', deny: 'EN-04', resolve: 'EN-06' },
  final: { SUCCEEDED: 'EN-03', FAILED: 'EN-03', EXPIRED: 'EN-03', RESOLVED: 'EN-03' },
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
});

/** A person's yes or no to one operation, bound to the digest of what will be sent. */
export interface Approval {
  readonly state: string;
  /** Whether its time has run out. */
  readonly late: boolean;
}

/** The life of an approval: asked, decided once, used once, within its time. */
export const approval = machine('approval', {
  source: 'own',
  // biome-ignore format: a table
  rows: [
    ['none',      'request',    '',            'REQUESTED', 'a person is asked, with a text rendered from the stored operation'],
    ['REQUESTED', 'approve',    'in time',     'APPROVED',  ''],
    ['REQUESTED', 'deny',       '',            'DENIED',    'the operation ends; it can be asked anew'],
    ['REQUESTED', 'lapse',      'out of time', 'EXPIRED',   'the operation ends; it can be asked anew'],
    ['REQUESTED', 'supersede',  '',            'EXPIRED',   'what would be sent has changed; a person is asked anew'],
    ['APPROVED',  'consume',    'in time',     'CONSUMED',  'used for exactly one sending'],
    ['APPROVED',  'deny',       '',            'DENIED',    'withdrawn before it was used'],
    ['APPROVED',  'lapse',      'out of time', 'EXPIRED',   ''],
    ['APPROVED',  'supersede',  '',            'EXPIRED',   'what would be sent has changed; a person is asked anew'],
  ],
  assumed: [],
  conditions: {
    'in time': (it: Approval) => !it.late,
    'out of time': (it: Approval) => it.late,
  },
  breach: { approve: 'EN-04', deny: 'EN-04', consume: 'EN-04' },
  final: { DENIED: 'EN-04', EXPIRED: 'EN-04', CONSUMED: 'EN-04' },
  actors: {
    approve: 'person',
    deny: 'person',
    lapse: 'clock',
    request: 'engine',
    consume: 'engine',
    supersede: 'engine',
  },
});
