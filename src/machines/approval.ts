import { machine } from './machine.ts';

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
