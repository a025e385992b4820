import { machine } from './machine.ts';

/** An enrolled card, as far as its machine looks at it. */
export interface Card {
  readonly state: string;
  /** Whether the platform counts the cardholder as verified: it said so, or it is about to. */
  readonly verified: boolean;
}

/** Document 1, "Enrolled card"; decision D-04 for what makes an enrollment active at once. */
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
  breach: { enroll: 'AP-03', verify: 'AP-03' },
  actors: { verify: 'customer' },
  order: { usual: ['enroll'], givesUp: [] },
});
