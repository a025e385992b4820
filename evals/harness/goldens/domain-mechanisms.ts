import { limits } from '../../../src/core/limits.ts';
import { cycleDate } from '../../../src/core/schedule.ts';
import { processing, recommitment } from '../../../src/domains/billing/charges.ts';
import type { SubscriptionFacts } from '../../../src/domains/billing/facts.ts';
import { guards as billingGuards } from '../../../src/domains/billing/guards.ts';
import { payment as paymentMachine } from '../../../src/domains/billing/machines.ts';
import { guards as deviceGuards } from '../../../src/domains/device/guards.ts';
import { transactionOf } from '../../../src/domains/device/transactions.ts';
import type { Facts } from '../../../src/domains/facts.ts';
import { dropped, facets, kept, misnamed, places } from '../../../src/domains/invoicing/replacement.ts';
import { sealing as passkeySealing } from '../../../src/domains/passkey/credentials.ts';
import { iframeFields } from '../../../src/domains/passkey/iframe.ts';
import { readIframeSession } from '../../../src/domains/passkey/iframe-session.ts';
import { sealing as purchaseSealing } from '../../../src/domains/purchase/credentials.ts';
import { eventsIn } from '../../../src/domains/webhooks/delivered.ts';
import { missedCycles } from '../../../tools/billing/missed-cycles.ts';
import { showPayment } from '../../../tools/billing/output.ts';
import { newReadBack } from '../../../tools/billing/subscription-read-back.ts';
import { changeLines, unchangedLines } from '../../../tools/invoicing/approval-text.ts';
import { each, type Lines, type Mechanisms, told } from './lines.ts';
import { factsOf, thingsOf } from './tool-facts.ts';

// What is worked out of things of a domain: of what a reader, an issuer or an iframe leaves out, parts of an invoice, missed payments.

const start = Date.UTC(2026, 0, 15, 9);
const day = 86_400_000;

/** A thing with each of its members missing, or with this in its place. */
const without = (whole: object, instead?: unknown): readonly (readonly [what: string, thing: object])[] =>
  Object.keys(whole).map((name) => {
    const { [name]: _, ...rest } = whole as Readonly<Record<string, unknown>>;
    return instead === undefined
      ? ([`without ${name}`, rest] as const)
      : ([`with ${JSON.stringify(instead)} as ${name}`, { ...rest, [name]: instead }] as const);
  });

const reader = {
  ...{ identifier: 'one', status: 'Approved', type: 'charge', autocapture: false, customIdentifier: 'order-1' },
  ...{ currency: 'GBP', amount: '17', tipAmount: '2', capturedAmount: '5', refundedAmount: '1' },
  ...{ expirationDate: '2026-01-20T09:00:00Z', receiptText: 'Thank you.' },
};
const asked = { reference: 'asked', type: 'credit', preauthorizes: true } as const;
type Answered = Parameters<typeof transactionOf>[0];

const card = {
  ...{ number: '4111111111111111', cryptogram: 'AAAA', expirationMonth: '12', expirationYear: '2030' },
  ...{ type: 'NETWORK_TOKEN', eci: '05', card: { suffix: '1234' } },
};
const credentials: readonly (readonly [what: string, answer: unknown])[] = [
  ['as they are', { tokenizedCard: card, processingInformation: { commerceIndicator: 'vbv' } }],
  ['without an indicator', { tokenizedCard: card }],
  ...without(card).map(([what, tokenizedCard]) => [what, { tokenizedCard }] as const),
  ...without(card, 'x y').map(([what, tokenizedCard]) => [what, { tokenizedCard }] as const),
  ['without a card', {}],
  ['nothing', undefined],
];

/** A compact JWS of these claims. Its signature is not Purser's to check. */
const unsigned = (claims: object): string =>
  ['{}', JSON.stringify(claims), ''].map((part) => Buffer.from(part).toString('base64url')).join('.');

/** What the iframe sends when a session begins. */
const iframe = {
  browserData: Object.fromEntries(
    iframeFields.flatMap(([, name]) =>
      name.startsWith('browserData.') ? [[name.slice(12), `its ${name.slice(12)}`]] : [],
    ),
  ),
  ...{ platformType: 'WEB', sessionContext: { secureToken: 'token' }, dfpSessionID: 'fingerprint' },
};
const { sessionContext: _, ...noSession } = iframe;
const { dfpSessionID: __, ...noFingerprint } = iframe;
const sessions: readonly (readonly [what: string, session: Readonly<Record<string, unknown>>])[] = [
  ['as it is', { handle: 'shopper_ada', iframe }],
  ['with more of the device', { iframe, deviceInformation: { model: 'Two' } }],
  ['with the same token', { iframe, sessionInformation: { secureToken: 'token' } }],
  ['with another token', { iframe, sessionInformation: { secureToken: 'other' } }],
  ['with another address', { iframe, deviceInformation: { ipAddress: '203.0.113.1' } }],
  ['with a part that is none', { iframe, deviceInformation: null }],
  ['without a token', { iframe: noSession }],
  ['without a fingerprint', { iframe: noFingerprint }],
  ['without a message', {}],
  ['nothing as a message', { iframe: null }],
  ['words as a message', { iframe: 'words' }],
];

const linesOf = (...skus: readonly string[]) =>
  skus.map((productSku, at) => ({ productSku, unitPrice: `${at + 1}.00` }));
const lists: readonly (readonly [what: string, lines: readonly object[]])[] = [
  ['one', linesOf('A')],
  ['two of a name', linesOf('A', 'A')],
  ['three of a name', linesOf('A', 'A', 'A')],
  ['four of a name, and another', linesOf('A', 'A', 'B', 'A', 'A')],
  ['one that is called like a second', linesOf('A', 'A#2', 'A')],
  ['one that is called like a second, at the end', linesOf('A', 'A', 'A#2')],
  ['two that are called like a second', linesOf('A', 'A#2', 'A#2', 'A')],
  ['one with a dot', linesOf('A.1', 'A')],
  [
    'one with all members',
    [
      {
        ...{ productSku: 'A', productName: 'Lamp', quantity: 2, unitPrice: '1.00', totalAmount: '2.00' },
        ...{
          discountAmount: '0.10',
          discountRate: '5',
          discountPercent: '5',
          taxAmount: '0.20',
          taxRate: '10',
          other: 'x',
        },
      },
    ],
  ],
];

/** An invoice with such lines and fields, and a call that changes it. */
const invoiceWith = (lines: readonly object[], args: object): Facts =>
  ({
    args,
    things: {
      invoice: {
        body: {
          terms: {
            ...{ [places.description]: 'Repair', [places.lines]: lines },
            [places.fields]: [{ definitionId: '1', value: 'blue' }],
          },
          strange: ['orderInformation.giftWrap'],
        },
      },
    },
  }) as unknown as Facts; // all that they look at

const removed: readonly (readonly [what: string, remove: readonly string[], more?: object])[] = [
  ['nothing', []],
  ['a text', ['description']],
  ['a text that is not there', ['company']],
  ['a text that is given', ['description'], { description: 'Repaired' }],
  ['a line', ['lines.A']],
  ['the second of two lines', ['lines.A#2']],
  ['the price of the second', ['lines.A#2.price']],
  ['a third line of two', ['lines.A#3']],
  ['all lines', ['lines']],
  ['all lines while some are given', ['lines'], { lines: [{ sku: 'B', price: '3.00' }] }],
  ['a field', ['fields.1']],
  ['what the platform has there', ['orderInformation.giftWrap']],
];

const monthly: SubscriptionFacts = {
  ...{ subscriptionId: 'one', name: 'Tea', startDate: '2026-01-15T09:00:00Z', length: '1', unit: 'M' },
  ...{ currency: 'GBP', amount: '10', missedCount: '2', missedAmount: '20.00', missedAt: start + 70 * day },
};
const at = (cycle: number) => cycleDate(start, { length: 1, unit: 'M' }, cycle);
const paid = (cycle: number, more: object = {}) => ({
  ...{ cycle, status: 'PAID', type: 'STANDARD', at: at(cycle), modifiable: false },
  ...more,
});
const missed: readonly (readonly [what: string, of: SubscriptionFacts, isWhole?: boolean])[] = [
  ['two after one that was paid', { ...monthly, payments: [paid(1)] }],
  ['two after one that was paid, in part of a list', { ...monthly, payments: [paid(1)] }, false],
  ['two, in part of a list that does not reach back', { ...monthly, payments: [paid(2, { status: 'FAILED' })] }, false],
  ['two, of which none is listed', { ...monthly, payments: [] }, false],
  ['none of two', { ...monthly, missedCount: '0', missedAmount: '0' }],
  ['no number', { ...monthly, missedCount: undefined }],
  ['another number', { ...monthly, missedCount: '1', payments: [paid(1)] }],
  ['another sum', { ...monthly, missedAmount: '20.01', payments: [paid(1)] }],
  ['all three with a setup fee', { ...monthly, setupFee: '5', missedCount: '3', missedAmount: '35.00' }],
  ['two of three with a setup fee', { ...monthly, setupFee: '5', payments: [] }],
  ['one that was skipped', { ...monthly, payments: [paid(1)], skipped: [2], missedCount: '1', missedAmount: '10.00' }],
  [
    'one that the list says was skipped',
    { ...monthly, payments: [paid(1), paid(2, { status: 'SKIPPED' })], missedCount: '1', missedAmount: '10.00' },
  ],
  ['one on another day', { ...monthly, payments: [paid(1), paid(2, { at: at(2) + day })] }],
  [
    'a retry on another day',
    { ...monthly, payments: [paid(1), paid(2, { status: 'FAILED', type: 'RETRY', at: at(2) + day })] },
  ],
  [
    'the last of two payments in all',
    { ...monthly, total: '2', payments: [paid(1)], missedCount: '1', missedAmount: '10.00' },
  ],
  ['at the very moment', { ...monthly, payments: [paid(1)], missedAt: at(3) }],
  [
    'a millisecond before',
    { ...monthly, payments: [paid(1)], missedAt: at(3) - 1, missedCount: '1', missedAmount: '10.00' },
  ],
  ['never asked', { ...monthly, missedAt: undefined }],
  ['no day of its beginning', { ...monthly, startDate: 'soon' }],
  ['no period', { ...monthly, length: '0' }],
  ['an unknown unit', { ...monthly, unit: 'X' }],
  ['a price that is none', { ...monthly, amount: 'much', payments: [paid(1)] }],
];

const listed = {
  ...{ id: 'sub', planInformation: { billingPeriod: { length: '1', unit: 'M' } } },
  subscriptionInformation: { code: 'TEA-1', name: 'Tea', startDate: '2026-01-15T09:00:00Z', status: 'ACTIVE' },
  orderInformation: {
    amountDetails: { currency: 'GBP', billingAmount: '10.00' },
    billTo: { firstName: 'Ada', lastName: 'Example' },
  },
  paymentInformation: { customer: { id: 'ada' } },
};
const made = {
  subscriptionInformation: { code: 'TEA-1', name: 'Tea' },
  orderInformation: { amountDetails: { currency: 'GBP', billingAmount: '10' } },
  paymentInformation: { customer: { id: 'ada' } },
};
const { paymentInformation: ___, ...follows } = made;
/** What is listed under the code of a lost subscription, what was sent, and who pays. */
const founds: readonly (readonly [what: string, list: readonly object[] | undefined, body?: object, payer?: string])[] =
  [
    ['the same', [listed]],
    [
      'the same after another one',
      [{ ...listed, id: 'other', subscriptionInformation: { code: 'TEA-2', status: 'ACTIVE' } }, listed],
    ],
    [
      'one that failed',
      [{ ...listed, subscriptionInformation: { ...listed.subscriptionInformation, status: 'FAILED' } }],
    ],
    ['another name', [{ ...listed, subscriptionInformation: { ...listed.subscriptionInformation, name: 'Coffee' } }]],
    [
      'another price',
      [{ ...listed, orderInformation: { amountDetails: { currency: 'GBP', billingAmount: '10.01' } } }],
    ],
    ['another customer', [{ ...listed, paymentInformation: { customer: { id: 'bo' } } }]],
    ['no customer', [{ ...listed, paymentInformation: undefined }]],
    ['another code', [{ ...listed, subscriptionInformation: { ...listed.subscriptionInformation, code: 'TEA-2' } }]],
    ['none', []],
    ['nothing', undefined],
    ['the same, that follows a payment of its payer', [listed], follows, 'Ada Example'],
    ['the same, that follows a payment of another', [listed], follows, 'Bo Example'],
  ];

const payment = {
  ...{ status: 'PENDING', paymentType: 'STANDARD', date: '2026-02-15T09:00:00Z', billingCycle: '2', currency: 'GBP' },
  ...{ billingAmount: '10', modifiable: true },
};
const extras = { setupFee: '2', surchargeAmount: '1.5', surchargeDescription: 'Postage' };

const delivered = (data: unknown, payload: object = { data }) =>
  eventsIn(JSON.stringify({ eventType: 'invoicing.customer.invoice.paid', transactionTraceId: 'told', payload }));

/** Whether a card needs the amount of its first payment, by its network and by what is given of that payment. */
const firstPayments: Mechanisms[string] = () => {
  const guard = billingGuards.find(({ id }) => id === 'SB-06');
  const given = [{}, { original_transaction: 'x' }, { original_transaction: 'x', original_amount: '1.00' }];
  return ['MASTERCARD', 'AMEX', 'DISCOVER', ' discover ', 'DINERS CLUB', undefined].map((network) => {
    const things = { card: { body: { network } } };
    return [`${network}`, given.map((args) => guard?.holds({ args, things } as unknown as Facts) ?? 'none')] as const; // all it asks for
  });
};

/** What a changed subscription comes to, and what of it is counted already, by what is known of it. What comes to the same is one line. */
const recommitted: Mechanisms[string] = () => {
  const changes = [
    {},
    { amount: '12' },
    { payments: 20 },
    { setup_fee: '3' },
    { surcharge: '2' },
    { start: '2026-04-15' },
  ];
  const { subscription, plan, ...others } = factsOf('all').things;
  if (subscription === undefined) return [];
  const bodies = [
    ['all', subscription.body] as const,
    ...without(subscription.body),
    ...without(subscription.body, '0'),
  ];
  return changes.flatMap((args) =>
    [undefined, plan].flatMap((onto) => {
      const ends = bodies.map(([what, body]) => {
        const things = { ...others, plan: onto, subscription: { ...subscription, body } };
        const facts = { ...factsOf('all', args), things } as unknown as Facts; // whole but for what is missing
        try {
          return [what, told(recommitment(facts) ?? 'nobody knows')] as const;
        } catch (error) {
          return [what, error instanceof Error ? error.name : 'throws'] as const;
        }
      });
      const asIt = ends[0]?.[1];
      const change = `${told(args)}${onto === undefined ? '' : ' and another plan'}`;
      const otherwise = Map.groupBy(
        ends.filter(([, end]) => end !== asIt),
        ([, end]) => end,
      );
      return [
        [change, asIt] as const,
        ...[...otherwise].map(([end, all]) => [`${change}, ${all.map(([what]) => what).join(', ')}`, end] as const),
      ];
    }),
  );
};

export const domainMechanisms: Mechanisms = {
  'what a changed subscription comes to, and what of it was counted': recommitted,
  'an amount of a first payment, by network': firstPayments,
  'a transaction, by what the reader leaves out': (): Lines =>
    [['as it is', reader] as const, ...without(reader), ['sold', { ...reader, autocapture: true }] as const].flatMap(
      ([what, answer]) => {
        const it = answer as Answered; // of its shape, but for what is missing
        if (!['identifier', 'status', 'currency', 'amount'].every((name) => name in it)) return [];
        return [[what, transactionOf(it, asked, start)] as const];
      },
    ),
  'a refund at the reader, by what is left': () => {
    const rules = deviceGuards.filter(({ id, on }) => id === 'DV-05' && on.includes('refundDeviceTransaction'));
    return ['0', '0.01', '0.02', '5.00'].flatMap((left) =>
      [undefined, '0.01', '0.02', '5.00', '5.01'].map((amount): readonly [string, unknown] => {
        const { devicePayment } = thingsOf('all');
        if (devicePayment === undefined) throw new Error('There is a body for each kind.');
        const refunded = (20 - Number(left)).toFixed(2);
        const body = { ...devicePayment.body, currency: 'GBP', captured: '20.00', refunded };
        const facts = { ...factsOf('all', { amount }), things: { devicePayment: { ...devicePayment, body } } };
        return [`${left}, of which ${amount ?? 'all'}`, rules.map((it) => (it.holds(facts) ? 'may' : it.sees(facts)))];
      }),
    );
  },
  'a transaction whose sums nobody says': () => {
    const { capturedAmount: _, refundedAmount: __, expirationDate: ___, ...bare } = reader;
    const known = { captured: '3', refunded: '2' };
    return (['Approved', 'Declined', 'Accepted'] as const).flatMap((status) =>
      [true, false].map((autocapture): readonly [string, unknown] => [
        `${status}, ${autocapture ? 'captured at once' : 'held'}`,
        [{}, known].map((more) =>
          transactionOf({ ...bare, status, autocapture } as Answered, { ...asked, ...more }, start),
        ),
      ]),
    );
  },
  'what is kept of payment credentials': () =>
    each(credentials, async ([what, answer]) => [what, await passkeySealing.open(answer)]),
  'what is kept of credentials that cannot be read': () =>
    each([undefined, {}, { signedPayload: 'words' }, { signedPayload: 'a.b.c' }], async (answer) => [
      JSON.stringify(answer) ?? 'nothing',
      await purchaseSealing.open(answer),
    ]),
  'what is kept of credentials that a mandate released': () =>
    each([['as they are', card] as const, ...without(card), ...without(card, 'x y')], async ([what, claims]) => {
      const opened = await purchaseSealing.open({ signedPayload: unsigned(claims) });
      return [what, opened && 'shown' in opened ? opened.shown : opened];
    }),
  'a session of the iframe': () => sessions.map(([what, session]) => [what, readIframeSession(session)]),
  'names of the lines of an invoice': () =>
    lists.map(([what, lines]) => [
      what,
      [...facets({ [places.lines]: lines })].map(([name, it]) => `${name} ${it}`).join(', '),
    ]),
  'what a change of an invoice keeps': () =>
    removed.map(([what, remove, more]) => {
      const facts = invoiceWith(linesOf('A', 'A', 'A#2'), { remove, ...more });
      const told = [changeLines(facts), unchangedLines(facts)];
      return [`without ${what}`, { kept: kept(facts), misnamed: misnamed(facts), dropped: dropped(facts), told }];
    }),
  'payments that were missed': () =>
    missed.map(([what, it, isWhole = true]) => [
      what,
      missedCycles(it, isWhole)?.map(({ cycle, date, amount }) => `${cycle}: ${amount} on ${date}`) ?? 'not known',
    ]),
  'a payment that begins now, by its state': () =>
    [...paymentMachine.states, 'ANOTHER'].map((status) => [
      status,
      [-601, -600, 0, 600, 601].map((seconds) => {
        const payment = { ...paid(1), status, at: start + seconds * 1_000 } as ReturnType<typeof paid>;
        return processing([payment], start) === undefined ? 'no' : 'yes';
      }),
    ]),
  'a lost subscription, by what is found under its code': () =>
    founds.map(([what, subscriptions, body = made, payer = '']) => {
      const sent = { body, noted: { payer } } as unknown as Parameters<typeof newReadBack.finds>[1];
      return [what, newReadBack.finds(subscriptions && { subscriptions }, sent)];
    }),
  'one payment of a subscription': () => [
    ['as it is', showPayment(payment)],
    ...Object.entries(extras).map(
      ([name, value]) => [`with ${name}`, showPayment({ ...payment, [name]: value })] as const,
    ),
    ['with all of it', showPayment({ ...payment, ...extras })],
    ['of a price that is none', showPayment({ ...payment, ...extras, billingAmount: '0', setupFee: '0' })],
  ],
  'what a delivery is about': () =>
    [
      ...[1, limits.textCharacters, limits.textCharacters + 1].map((length): readonly [string, unknown] => [
        `an id of ${length} letter${length === 1 ? '' : 's'}`,
        { id: 'x'.repeat(length) },
      ]),
      ...(['', 7, null, undefined] as const).map((id): readonly [string, unknown] => [
        `${JSON.stringify(id)} as its id`,
        { id },
      ]),
      ...(['words', null, []] as const).map((data): readonly [string, unknown] => [
        `${JSON.stringify(data)} as its data`,
        data,
      ]),
    ].map(([what, data]) => {
      const about = delivered(data)?.map((event) => event.about?.platformId ?? 'nothing');
      return [what, about?.map((id) => id.replace(/x{9,}/, (run) => `${run.length} letters`))] as const;
    }),
};
