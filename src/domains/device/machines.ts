import { machine } from '../../core/machine.ts';
import type { TransactionStatus } from './statuses.ts';

/** Document 3, "States and transitions", names the states; the transitions are D-29. */
export const enrollment = machine('enrollment', {
  source: 'document 3',
  rows: [],
  // biome-ignore format: a table
  assumed: [
    ['none',        'enroll', '', 'enrolled',    'nothing was known of the device'],
    ['notEnrolled', 'enroll', '', 'enrolled',    'the education screens are shown next'],
    ['enrolled',    'enroll', '', 'enrolled',    'the device is enrolled again'],
    ['notEnrolled', 'begin',  '', 'enrolling',   'the device shows the enrollment screens'],
    ['enrolled',    'begin',  '', 'enrolling',   'the device shows the enrollment screens'],
    ['enrolling',   'finish', '', 'enrolled',    ''],
    ['enrolling',   'fail',   '', 'notEnrolled', 'it was cancelled, or it failed'],
  ],
  conditions: {},
  breach: { enroll: 'DV-01' },
  actors: { begin: 'platform', finish: 'platform', fail: 'platform' },
  order: { usual: ['enroll'], givesUp: [] },
});

/** Whether a device in this state shows the enrollment screens (DV-02). */
export const isEnrolling = (state: string): boolean => enrollment.startsOf('finish').includes(state);
/** Whether a device in this state is enrolled (DV-02). */
export const isEnrolled = (state: string): boolean => enrollment.endsOf('finish').includes(state);

/** A device transaction, as far as its machine looks at it. */
export interface DeviceTransaction {
  readonly state: string;
  readonly status: TransactionStatus;
  /** Whether it was to be a pre-authorization. */
  readonly preauthorizes: boolean;
  /** Whether it pays the customer, without an original transaction. */
  readonly credits: boolean;
  /** Whether its authorization has expired. */
  readonly expired: boolean;
  /** Whether all that was taken is paid back, a refund under way included. */
  readonly whole: boolean;
}

/** The rows of a state in which nobody knows yet what became of a transaction. */
const settles = <S extends string>(state: S) =>
  // biome-ignore format: a table
  [
    [state, 'settle', 'the card is declined',              'DECLINED',   'nothing is charged'],
    [state, 'settle', 'it was aborted',                    'ABORTED',    'nothing is charged'],
    [state, 'settle', 'it failed',                         'ERROR',      'nothing is charged'],
    [state, 'settle', 'a credit is approved',              'CREDITED',   'the amount is paid to the card'],
    [state, 'settle', 'a pre-authorization is approved',   'AUTHORIZED', 'the amount is held on the card'],
    [state, 'settle', 'it is approved',                    'APPROVED',   'the amount is charged'],
  ] as const;

/**
 * Statuses as wrappers of the older SDK name them; document 3 shows neither statuses nor transitions. A pre-authorization lives on
 * after its approval: document 3, "States and transitions" and "Limits".
 */
export const transaction = machine('transaction', {
  source: 'document 3',
  rows: [],
  // biome-ignore format: a table
  assumed: [
    ['none',         'charge',    'the card is declined',            'DECLINED',     'nothing is charged'],
    ['none',         'charge',    'it was aborted',                  'ABORTED',      'nothing is charged'],
    ['none',         'charge',    'it failed',                       'ERROR',        'nothing is charged'],
    ['none',         'charge',    'it has only begun',               'INITIALIZED',  'it is looked up'],
    ['none',         'charge',    'it is being processed',           'PENDING',      'it is looked up'],
    ['none',         'charge',    'its result is inconclusive',      'INCONCLUSIVE', 'it is looked up'],
    ['none',         'charge',    'its result is unknown',           'UNKNOWN',      'it is looked up'],
    ['none',         'charge',    'it is accepted offline',          'ACCEPTED',     'the reader charges it once it is online'],
    ['none',         'charge',    'a pre-authorization is approved', 'AUTHORIZED',   'the amount is held on the card'],
    ['none',         'charge',    'it is approved',                  'APPROVED',     'the amount is charged'],
    ...settles('INITIALIZED'),
    ...settles('PENDING'),
    ...settles('INCONCLUSIVE'),
    ...settles('UNKNOWN'),
    ...settles('ACCEPTED'),
    ['AUTHORIZED',   'increment', '',                                'AUTHORIZED',   'more is held on the card'],
    ['AUTHORIZED',   'capture',   '',                                'CAPTURED',     'what is left of the hold is released'],
    ['AUTHORIZED',   'expire',    'its authorization has expired',   'EXPIRED',      'a new authorization with capture is needed'],
    ['APPROVED',     'refund',    'all of it is paid back',          'REFUNDED',     ''],
    ['APPROVED',     'refund',    '',                                'APPROVED',     'a part is paid back'],
    ['CAPTURED',     'refund',    'all of it is paid back',          'REFUNDED',     ''],
    ['CAPTURED',     'refund',    '',                                'CAPTURED',     'a part is paid back'],
    ['none',         'credit',    'the card is declined',            'DECLINED',     'nothing is paid'],
    ['none',         'credit',    'it was aborted',                  'ABORTED',      'nothing is paid'],
    ['none',         'credit',    'it failed',                       'ERROR',        'nothing is paid'],
    ['none',         'credit',    'it has only begun',               'INITIALIZED',  'it is looked up'],
    ['none',         'credit',    'it is being processed',           'PENDING',      'it is looked up'],
    ['none',         'credit',    'its result is inconclusive',      'INCONCLUSIVE', 'it is looked up'],
    ['none',         'credit',    'its result is unknown',           'UNKNOWN',      'it is looked up'],
    ['none',         'credit',    'it is accepted offline',          'ACCEPTED',     'the reader pays it once it is online'],
    ['none',         'credit',    'a credit is approved',            'CREDITED',     'the amount is paid to the card'],
  ],
  conditions: {
    'the card is declined': (it: DeviceTransaction) => it.status === 'Declined',
    'it was aborted': (it: DeviceTransaction) => it.status === 'Aborted',
    'it failed': (it: DeviceTransaction) => it.status === 'Error',
    'it has only begun': (it: DeviceTransaction) => it.status === 'Initialized',
    'it is being processed': (it: DeviceTransaction) => it.status === 'Pending',
    'its result is inconclusive': (it: DeviceTransaction) => it.status === 'Inconclusive',
    'its result is unknown': (it: DeviceTransaction) => it.status === 'Unknown',
    'it is accepted offline': (it: DeviceTransaction) => it.status === 'Accepted',
    'a credit is approved': (it: DeviceTransaction) => it.status === 'Approved' && it.credits,
    'a pre-authorization is approved': (it: DeviceTransaction) => it.status === 'Approved' && it.preauthorizes,
    'it is approved': (it: DeviceTransaction) => it.status === 'Approved',
    'its authorization has expired': (it: DeviceTransaction) => it.expired,
    'all of it is paid back': (it: DeviceTransaction) => it.whole,
  },
  answered: [
    'the card is declined',
    'it was aborted',
    'it failed',
    'it has only begun',
    'it is being processed',
    'its result is inconclusive',
    'its result is unknown',
    'it is accepted offline',
  ],
  breach: { charge: 'DV-08', increment: 'DV-03', capture: 'DV-04', refund: 'DV-05', credit: 'DV-06' },
  final: { EXPIRED: 'DV-07' },
  actors: { settle: 'platform', credit: 'person', expire: 'clock' },
  order: { usual: ['charge', 'capture', 'increment', 'refund'], givesUp: [] },
});

/** Whether a transaction in this state holds an amount on the card, which can be captured. */
export const isOnHold = (state: string): boolean => transaction.startsOf('capture').includes(state);
