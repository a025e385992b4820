import { machine } from '../../core/machine.ts';

/** An enrolled card, for its machine. */
export interface Card {
  readonly state: string;
  /** Whether the platform has verified the cardholder, or is about to. */
  readonly verified: boolean;
}

/** Document 1, "Enrolled card"; decision D-04 about enrollments that are active at once. */
export const card = machine('card', {
  source: 'document 1',
  // biome-ignore format: a table
  rows: [
    ['none',    'enroll', 'request accepted, cardholder verification pending', 'PENDING', 'response lists PENDING_CARDHOLDER_AUTHENTICATION; customer is prompted at once to verify identity'],
    ['none',    'enroll', 'request accepted, response reports active',         'ACTIVE',  'the card can be used in purchases'],
    ['PENDING', 'verify', 'verification succeeds',                             'ACTIVE',  'card can be used in purchases'],
  ],
  // biome-ignore format: a table
  assumed: [
    ['PENDING', 'enroll', 'request accepted, cardholder verification pending', 'PENDING', 'enrolling again reads the state back: nothing is enrolled twice'],
    ['PENDING', 'enroll', 'request accepted, response reports active',         'ACTIVE',  'the customer has verified meanwhile'],
    ['ACTIVE',  'enroll', '',                                                  'ACTIVE',  'enrolling again changes nothing'],
  ],
  conditions: {
    'request accepted, cardholder verification pending': (it: Card) => !it.verified,
    'request accepted, response reports active': (it: Card) => it.verified,
    'verification succeeds': (it: Card) => it.verified,
  },
  answered: ['request accepted, cardholder verification pending', 'request accepted, response reports active'],
  breach: { enroll: 'AP-03', verify: 'AP-03' },
  actors: { verify: 'customer' },
  order: { usual: ['enroll'], givesUp: [] },
});

/** Whether a card in this state waits until its holder has verified it (AP-03). */
export const isUnverified = (state: string): boolean => card.startsOf('verify').includes(state);
/** Whether a card in this state can be used in purchases (AP-04). */
export const isUsableCard = (state: string): boolean => usableCardStates.includes(state);
const usableCardStates: readonly string[] = ['ACTIVE'];

/** A registered purchase intent, for its machine. */
export interface Instruction {
  readonly state: string;
  /** The platform asks the customer to verify this step first: it responds with 202 and pending events. */
  readonly asks: boolean;
  /** The step that waits for the customer while PENDING. */
  readonly waiting: string;
  /** The merchant's payment system has processed a payment made with credentials of this instruction. */
  readonly processed: boolean;
  /** Every mandate has ended. */
  readonly ended: boolean;
}

/**
 * Document 1, "Instruction". The document shows one move; the others follow decisions D-02 and D-03 and the responses
 * in public models of the platform's clients. The document's `issued` is our `ACTIVE` (D-02).
 */
export const instruction = machine('instruction', {
  source: 'document 1',
  // biome-ignore format: a table
  rows: [
    ['ACTIVE',  'confirm',  'merchant payment processed',           'COMPLETED', 'agent confirms checkout to the customer'],
  ],
  // biome-ignore format: a table
  assumed: [
    ['none',    'initiate', 'the customer is asked to verify',      'PENDING',   'answered 202 with pending events'],
    ['none',    'initiate', '',                                     'ACTIVE',    'answered 200'],
    ['PENDING', 'verify',   'a cancellation waits',                 'CANCELLED', ''],
    ['PENDING', 'verify',   '',                                     'ACTIVE',    ''],
    ['ACTIVE',  'update',   'the customer is asked to verify',      'PENDING',   'answered 202'],
    ['ACTIVE',  'update',   '',                                     'ACTIVE',    'its mandates are replaced'],
    ['PENDING', 'update',   'the customer is asked to verify',      'PENDING',   'answered 202'],
    ['PENDING', 'update',   '',                                     'ACTIVE',    'its mandates are replaced'],
    ['ACTIVE',  'retrieve', 'the customer is asked to verify',      'PENDING',   'answered 202, nothing is released'],
    ['ACTIVE',  'retrieve', '',                                     'ACTIVE',    'the release is remembered (D-03)'],
    ['PENDING', 'retrieve', 'the customer is asked to verify',      'PENDING',   'answered 202, nothing is released'],
    ['PENDING', 'retrieve', '',                                     'ACTIVE',    'the customer has verified meanwhile'],
    ['ACTIVE',  'cancel',   'the customer is asked to verify',      'PENDING',   'answered 202'],
    ['ACTIVE',  'cancel',   '',                                     'CANCELLED', ''],
    ['PENDING', 'cancel',   'the customer is asked to verify',      'PENDING',   'answered 202'],
    ['PENDING', 'cancel',   '',                                     'CANCELLED', 'what waited is dropped'],
    ['ACTIVE',  'expire',   'every mandate has ended',              'EXPIRED',   ''],
    ['PENDING', 'expire',   'every mandate has ended',              'EXPIRED',   ''],
    ['PENDING', 'confirm',  'merchant payment processed',           'COMPLETED', 'a payment made before the customer was asked again'],
    ['EXPIRED', 'confirm',  'merchant payment processed',           'COMPLETED', 'a payment made in time may be confirmed late'],
  ],
  conditions: {
    'merchant payment processed': (it: Instruction) => it.processed,
    'the customer is asked to verify': (it: Instruction) => it.asks,
    'a cancellation waits': (it: Instruction) => it.waiting === 'cancel',
    'every mandate has ended': (it: Instruction) => it.ended,
  },
  answered: ['the customer is asked to verify'],
  breach: { update: 'AP-06', cancel: 'AP-07', retrieve: 'AP-08', confirm: 'AP-10', initiate: 'EN-03', verify: 'AP-03' },
  final: { COMPLETED: 'AP-11' },
  actors: { verify: 'customer', expire: 'clock' },
  order: { usual: ['initiate', 'confirm', 'retrieve', 'update'], givesUp: ['cancel'] },
});

/** Whether a purchase in this state waits for the customer. */
export const isWaiting = (state: string): boolean => instruction.startsOf('verify').includes(state);

/** Whether a purchase in this state was given up. */
export const isCancelled = (state: string): boolean => cancelledStates.includes(state);
const cancelledStates: readonly string[] = ['CANCELLED'];

/** The step that waits for the customer after a call, by the state that it led to; empty if none does. */
export const waitingFor = (state: string, step: string): string => (isWaiting(state) ? step : '');
