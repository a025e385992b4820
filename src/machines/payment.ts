import { machine } from './machine.ts';

/** One payment of a subscription, as far as its machine looks at it. */
export interface Payment {
  readonly state: string;
  /** It is no retry, and its processing begins in more than two hours. */
  readonly modifiable: boolean;
}

/** Document 2, "Subscription payment"; the ends of a payment are named by public models of the platform's clients. */
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
