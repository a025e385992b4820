import { machine } from '../../core/machine.ts';

/** An invoice, for its machine. */
export interface Invoice {
  readonly state: string;
  /** Delivered by `email`, or `none` if the merchant shares the link. */
  readonly delivery: string;
  /** Whether it is sent or opened as soon as it is created. */
  readonly immediate: boolean;
  /** Whether any payment was taken. */
  readonly paid: boolean;
  /** Whether the balance is zero. */
  readonly settled: boolean;
  /** Whether the current payment is under review for fraud. */
  readonly reviewed: boolean;
  /** Its expiration date has come. */
  readonly expired: boolean;
}

/**
 * Document 2, "Invoice"; decision D-22 and the responses in public models of the platform's clients. The document's
 * `unpaid` means each state without payments.
 */
export const invoice = machine('invoice', {
  source: 'document 2',
  // biome-ignore format: a table
  rows: [
    ['none',    'create',  'deliveryMode none, sendImmediately false', 'DRAFT',    'viewable only by the merchant'],
    ['none',    'create',  'deliveryMode email, sendImmediately true', 'SENT',     'invoice emailed to the customer'],
    ['none',    'create',  'deliveryMode none, sendImmediately true',  'CREATED',  'merchant shares paymentLink'],
    ['DRAFT',   'send',    'deliveryMode email',                       'SENT',     'email sent'],
    ['DRAFT',   'send',    'deliveryMode none',                        'CREATED',  'no email; share paymentLink'],
    ['CREATED', 'send',    'deliveryMode email',                       'SENT',     'email sent'],
    ['SENT',    'send',    'deliveryMode email',                       'SENT',     'email resent'],
    ['PARTIAL', 'send',    'deliveryMode email',                       'PARTIAL',  'email sent'],
    ['DRAFT',   'cancel',  'no payment made',                          'CANCELED', ''],
    ['CREATED', 'cancel',  'no payment made',                          'CANCELED', ''],
    ['SENT',    'cancel',  'no payment made',                          'CANCELED', ''],
  ],
  // biome-ignore format: a table
  assumed: [
    ['none',    'create',  'deliveryMode email, sendImmediately false', 'DRAFT',   'an email draft'],
    ['DRAFT',   'update',  'no payment made',                          'DRAFT',    'what is left out is removed'],
    ['CREATED', 'update',  'no payment made',                          'CREATED',  'what is left out is removed'],
    ['SENT',    'update',  'no payment made',                          'SENT',     'what is left out is removed'],
    ['DRAFT',   'publish', '',                                         'CREATED',  'no email; share paymentLink'],
    ['CREATED', 'pay',     'the payment is under review',              'PENDING',  ''],
    ['SENT',    'pay',     'the payment is under review',              'PENDING',  ''],
    ['PARTIAL', 'pay',     'the payment is under review',              'PENDING',  ''],
    ['CREATED', 'pay',     'nothing is left to be paid',               'PAID',     ''],
    ['SENT',    'pay',     'nothing is left to be paid',               'PAID',     ''],
    ['PARTIAL', 'pay',     'nothing is left to be paid',               'PAID',     ''],
    ['CREATED', 'pay',     '',                                         'PARTIAL',  ''],
    ['SENT',    'pay',     '',                                         'PARTIAL',  ''],
    ['PARTIAL', 'pay',     '',                                         'PARTIAL',  ''],
    ['PENDING', 'accept',  'nothing is left to be paid',               'PAID',     ''],
    ['PENDING', 'accept',  '',                                         'PARTIAL',  ''],
    ['PENDING', 'reject',  'no payment made',                          'SENT',     'the payment is returned'],
    ['PENDING', 'reject',  '',                                         'PARTIAL',  'the payment is returned; earlier ones remain'],
    ['DRAFT',   'expire',  'its expiration date has come',             'EXPIRED',  ''],
    ['CREATED', 'expire',  'its expiration date has come',             'EXPIRED',  ''],
    ['SENT',    'expire',  'its expiration date has come',             'EXPIRED',  ''],
    ['PARTIAL', 'expire',  'its expiration date has come',             'EXPIRED',  'what was paid stays paid'],
  ],
  conditions: {
    'deliveryMode none, sendImmediately false': (it: Invoice) => it.delivery === 'none' && !it.immediate,
    'deliveryMode email, sendImmediately true': (it: Invoice) => it.delivery === 'email' && it.immediate,
    'deliveryMode email, sendImmediately false': (it: Invoice) => it.delivery === 'email' && !it.immediate,
    'deliveryMode none, sendImmediately true': (it: Invoice) => it.delivery === 'none' && it.immediate,
    'deliveryMode email': (it: Invoice) => it.delivery === 'email',
    'deliveryMode none': (it: Invoice) => it.delivery === 'none',
    'no payment made': (it: Invoice) => !it.paid,
    'the payment is under review': (it: Invoice) => it.reviewed,
    'nothing is left to be paid': (it: Invoice) => it.settled,
    'its expiration date has come': (it: Invoice) => it.expired,
  },
  breach: {
    create: 'IN-01',
    update: 'IN-06',
    send: 'IN-09',
    publish: 'IN-09',
    cancel: 'IN-10',
    accept: 'IN-10',
    reject: 'IN-10',
  },
  final: { EXPIRED: 'IN-12' },
  actors: { pay: 'customer', accept: 'platform', reject: 'platform', expire: 'clock' },
  order: { usual: ['create', 'send', 'publish', 'update'], givesUp: ['cancel'] },
});

/** Whether the payment link of an invoice in this state works for the merchant alone (IN-11): customers can't open it. */
export const hasOwnLink = (state: string): boolean => ownLinkStates.includes(state);
const ownLinkStates: readonly string[] = ['DRAFT'];

/** Whether an invoice in this state has a payment link. That of a draft works for the merchant only. */
export const hasLink = (state: string): boolean => linkStates.includes(state);
const linkStates: readonly string[] = ['DRAFT', 'CREATED', 'SENT', 'PARTIAL', 'PENDING', 'PAID'];
/** Whether the customer was billed for an invoice in this state by e-mail, and has a balance. */
export const isReminded = (state: string): boolean => remindedStates.includes(state);
const remindedStates: readonly string[] = ['SENT', 'PARTIAL'];
