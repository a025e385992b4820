import { machine } from '../../core/machine.ts';

/** A rate offer, as far as its machine looks at it. */
export interface Offer {
  readonly state: string;
  /** Whether the platform offers a rate for this purchase and card. */
  readonly eligible: boolean;
  /** Whether its rate has expired. */
  readonly expired: boolean;
  /** Whether the customer opts for the card's currency. */
  readonly opted: boolean;
  /** Whether the platform, asked again, no longer offers what the customer was shown; absent where it was not asked. */
  readonly withdrawn?: boolean;
}

/** Document 1, "Currency conversion" and "Limits"; the document prints no table. Expiry follows `exchangeRateExpirationTimeUtc`. */
export const offer = machine('offer', {
  source: 'document 1',
  rows: [],
  // biome-ignore format: a table
  assumed: [
    ['none',    'offer',     'the purchase is eligible for conversion', 'PENDING',        'both prices, the rate and the markup are shown to the customer'],
    ['none',    'offer',     '',                                        'INELIGIBLE',     'the order proceeds in the local currency'],
    ['PENDING', 'choose',    'the customer keeps the local currency',   'LOCAL_CURRENCY', 'the order proceeds in the local currency'],
    ['PENDING', 'choose',    'what was shown is no longer offered',     'WITHDRAWN',      'no choice is recorded'],
    ['PENDING', 'choose',    'the customer opts for conversion',        'CHOSEN',         'one authorization may carry its rate'],
    ['CHOSEN',  'choose',    'the customer keeps the local currency',   'LOCAL_CURRENCY', 'a customer can think again until the authorization'],
    ['CHOSEN',  'authorize', '',                                        'USED',           'one authorization carries its rate'],
    ['PENDING', 'expire',    'its rate has expired',                    'EXPIRED',        ''],
    ['CHOSEN',  'expire',    'its rate has expired',                    'EXPIRED',        ''],
  ],
  conditions: {
    'the purchase is eligible for conversion': (it: Offer) => it.eligible,
    'the customer opts for conversion': (it: Offer) => it.opted,
    'the customer keeps the local currency': (it: Offer) => !it.opted,
    'what was shown is no longer offered': (it: Offer) => it.withdrawn === true,
    'its rate has expired': (it: Offer) => it.expired,
  },
  answered: ['the purchase is eligible for conversion', 'what was shown is no longer offered'],
  breach: { offer: 'DC-03', choose: 'DC-04' },
  final: { INELIGIBLE: 'DC-03', EXPIRED: 'DC-05', USED: 'DC-04', LOCAL_CURRENCY: 'DC-04', WITHDRAWN: 'DC-04' },
  actors: { authorize: 'engine', expire: 'clock' },
  order: { usual: ['offer', 'choose'], givesUp: [] },
});

/** Whether an offer in this state has no rate: the purchase isn't eligible (DC-03). */
export const isIneligible = (state: string): boolean => offer.final[state] === 'DC-03';
/** Whether a payment may carry the rate of an offer in this state: the customer chose it (DC-04). */
export const isChosen = (state: string): boolean => offer.startsOf('authorize').includes(state);
/** Whether a payment carries the rate of an offer in this state already (DC-04). */
export const isUsed = (state: string): boolean => offer.endsOf('authorize').includes(state);
/** Whether the customer kept the local currency (DC-04). */
export const isKeptLocal = (state: string): boolean => localStates.includes(state);
const localStates: readonly string[] = ['LOCAL_CURRENCY'];
/** Whether the platform no longer offers what the customer was shown (DC-04). */
export const isWithdrawn = (state: string): boolean => withdrawnStates.includes(state);
const withdrawnStates: readonly string[] = ['WITHDRAWN'];

/** What the platform says of a payment that isn't declined. */
export type Found = 'authorized' | 'a part' | 'in review' | 'a risk' | 'undecided';

/** A payment's authorization, as far as its machine looks at it. */
export interface Charge {
  readonly state: string;
  /** The issuer or the platform did not authorize it. */
  readonly declined: boolean;
  /** What else the platform says of it. */
  readonly found?: Found | undefined;
  /** Whether it is in the customer's billing currency. */
  readonly converted: boolean;
  /** Whether something of it is captured: a capture that was voided counts for nothing. */
  readonly captured: boolean;
  /** Whether all of it is captured, so that nothing is left to capture. */
  readonly exhausted: boolean;
}

/** Document 1, "Currency conversion", "Endpoints" and "Limits": authorization, capture, reversal. The document prints no table. */
export const charge = machine('charge', {
  source: 'document 1',
  rows: [],
  // biome-ignore format: a table
  assumed: [
    ['none',               'authorize', 'the issuer declines',                  'NOT_AUTHORIZED',     'answered 201 with the reason'],
    ['none',               'authorize', 'it is not decided yet',                'PENDING',            'the customer authenticates first, or the processor answers later'],
    ['none',               'authorize', 'it is in review',                      'PENDING_REVIEW',     'the merchant decides at the platform'],
    ['none',               'authorize', 'the risk check declines',              'RISK_DECLINED',      'the amount is held, and is not to be taken'],
    ['none',               'authorize', 'a part of it is authorized',           'PARTIAL_AUTHORIZED', 'that part is held on the card'],
    ['none',               'authorize', '',                                     'AUTHORIZED',         'the amount is held on the card'],
    ['PENDING',            'decide',    'the issuer declines',                  'NOT_AUTHORIZED',     'nothing is held'],
    ['PENDING',            'decide',    'it is in review',                      'PENDING_REVIEW',     ''],
    ['PENDING',            'decide',    'the risk check declines',              'RISK_DECLINED',      ''],
    ['PENDING',            'decide',    'a part of it is authorized',           'PARTIAL_AUTHORIZED', ''],
    ['PENDING',            'decide',    'it is authorized',                     'AUTHORIZED',         ''],
    ['PENDING_REVIEW',     'decide',    'the issuer declines',                  'NOT_AUTHORIZED',     'nothing is held'],
    ['PENDING_REVIEW',     'decide',    'the risk check declines',              'RISK_DECLINED',      ''],
    ['PENDING_REVIEW',     'decide',    'a part of it is authorized',           'PARTIAL_AUTHORIZED', ''],
    ['PENDING_REVIEW',     'decide',    'it is authorized',                     'AUTHORIZED',         'the merchant accepts it'],
    ['RISK_DECLINED',      'decide',    'the issuer declines',                  'NOT_AUTHORIZED',     'nothing is held'],
    ['RISK_DECLINED',      'decide',    'it is in review',                      'PENDING_REVIEW',     ''],
    ['RISK_DECLINED',      'decide',    'it is authorized',                     'AUTHORIZED',         'the merchant accepts it'],
    ['AUTHORIZED',         'decide',    'the issuer declines',                  'NOT_AUTHORIZED',     'nothing is held'],
    ['AUTHORIZED',         'decide',    'it is in review',                      'PENDING_REVIEW',     ''],
    ['AUTHORIZED',         'decide',    'the risk check declines',              'RISK_DECLINED',      ''],
    ['PARTIAL_AUTHORIZED', 'decide',    'the issuer declines',                  'NOT_AUTHORIZED',     'nothing is held'],
    ['AUTHORIZED',         'capture',   '',                                     'CAPTURED',           ''],
    ['PARTIAL_AUTHORIZED', 'capture',   '',                                     'CAPTURED',           ''],
    ['CAPTURED',           'capture',   'nothing is captured',                  'CAPTURED',           'the capture before was voided'],
    ['CAPTURED',           'capture',   'a part is left in the local currency', 'CAPTURED',           'another part of the order is shipped'],
    ['AUTHORIZED',         'reverse',   '',                                     'REVERSED',           'the hold is released'],
    ['PARTIAL_AUTHORIZED', 'reverse',   '',                                     'REVERSED',           'the hold is released'],
    ['PENDING',            'reverse',   '',                                     'REVERSED',           'it is given up'],
    ['PENDING_REVIEW',     'reverse',   '',                                     'REVERSED',           'the hold is released'],
    ['RISK_DECLINED',      'reverse',   '',                                     'REVERSED',           'the hold is released'],
    ['CAPTURED',           'reverse',   'nothing is captured',                  'REVERSED',           'the capture before was voided'],
  ],
  conditions: {
    'the issuer declines': (it: Charge) => it.declined,
    'it is authorized': (it: Charge) => it.found === 'authorized',
    'a part of it is authorized': (it: Charge) => it.found === 'a part',
    'it is in review': (it: Charge) => it.found === 'in review',
    'the risk check declines': (it: Charge) => it.found === 'a risk',
    'it is not decided yet': (it: Charge) => it.found === 'undecided',
    'a part is left in the local currency': (it: Charge) => !it.converted && !it.exhausted,
    'nothing is captured': (it: Charge) => !it.captured,
  },
  // biome-ignore format: a list
  answered: [
    'the issuer declines', 'it is not decided yet', 'it is in review', 'the risk check declines', 'a part of it is authorized',
  ],
  breach: { authorize: 'EN-03', capture: 'DC-09', reverse: 'DC-09' },
  actors: { decide: 'platform' },
  order: { usual: ['authorize', 'capture', 'reverse'], givesUp: [] },
});

/** Whether a payment in this state is held on the card, and nothing of it was captured. */
export const isHeldUncaptured = (state: string): boolean => heldStates.includes(state);
const heldStates: readonly string[] = charge
  .startsOf('capture')
  .filter((state) => !charge.endsOf('capture').includes(state));
/** Whether the issuer or the platform declined a payment in this state. */
export const isNotAuthorized = (state: string): boolean => declinedStates.includes(state);
const declinedStates: readonly string[] = ['NOT_AUTHORIZED'];
/** Whether nobody knows yet whether a payment in this state is authorized. */
export const isUndecided = (state: string): boolean => undecidedStates.includes(state);
const undecidedStates: readonly string[] = ['PENDING', 'PENDING_REVIEW'];
/** Whether the hold of a payment in this state was released. */
export const isReversed = (state: string): boolean => charge.endsOf('reverse').includes(state);

/** A capture, as far as its machine looks at it. */
export interface Capture {
  readonly state: string;
  /** Whether something of it was refunded: a refund that was voided counts for nothing. */
  readonly refunded: boolean;
  /** Whether all of it was refunded, so that nothing is left to refund. */
  readonly exhausted: boolean;
}

/** Statuses of public models of the platform's clients (decision D-53). */
export const capture = machine('capture', {
  source: 'document 1',
  rows: [],
  // biome-ignore format: a table
  assumed: [
    ['none',        'create',   '',                     'PENDING',     'it waits for the batch of the day'],
    ['PENDING',     'transmit', '',                     'TRANSMITTED', 'the processor has it'],
    ['PENDING',     'refund',   'a part is left',       'PENDING',     ''],
    ['TRANSMITTED', 'refund',   'a part is left',       'TRANSMITTED', ''],
    ['PENDING',     'void',     'nothing was refunded', 'VOIDED',      'the amount is authorized again'],
  ],
  conditions: {
    'a part is left': (it: Capture) => !it.exhausted,
    'nothing was refunded': (it: Capture) => !it.refunded,
  },
  breach: { refund: 'DC-10', void: 'DC-10' },
  actors: { create: 'engine', transmit: 'platform' },
  order: { usual: ['refund', 'void'], givesUp: [] },
});

/** A refund, as far as its machine looks at it. */
export interface Refund {
  readonly state: string;
  /** The platform or the processor declined it. */
  readonly declined: boolean;
}

/** Statuses of public models of the platform's clients (decision D-53). */
export const refund = machine('refund', {
  source: 'document 1',
  rows: [],
  // biome-ignore format: a table
  assumed: [
    ['none',    'create',   'the platform declines it', 'NOT_REFUNDED', 'nothing is paid back'],
    ['none',    'create',   '',                         'PENDING',      'it waits for the batch of the day'],
    ['PENDING', 'transmit', '',                         'TRANSMITTED',  'the processor has it'],
    ['PENDING', 'reject',   '',                         'NOT_REFUNDED', 'nothing is paid back'],
    ['PENDING', 'void',     '',                         'VOIDED',       'the amount stays with the merchant'],
  ],
  conditions: { 'the platform declines it': (it: Refund) => it.declined },
  breach: { void: 'DC-10' },
  actors: { create: 'engine', transmit: 'platform', reject: 'platform' },
  order: { usual: ['void'], givesUp: [] },
});

/** Whether a refund in this state pays nothing back, because it was declined. */
export const isNotRefunded = (state: string): boolean => unpaidStates.includes(state);
const unpaidStates: readonly string[] = ['NOT_REFUNDED'];
/** Whether a capture or a refund in this state was undone before it was settled. */
export const isVoided = (state: string): boolean =>
  capture.endsOf('void').includes(state) || refund.endsOf('void').includes(state);
