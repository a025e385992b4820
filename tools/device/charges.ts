import { z } from 'zod';
import { amount } from '../../src/core/fields.ts';
import { limits } from '../../src/core/limits.ts';
import { money, spokenSum } from '../../src/core/money.ts';
import { once } from '../../src/core/once.ts';
import { chargedBy } from '../../src/domains/device/guards.ts';
import { effectOf, type TransactionStatus, transactionStatuses } from '../../src/domains/device/statuses.ts';
import { mostCharged, type Tip } from '../../src/domains/device/tips.ts';
import { entityOf, stateOf, transactionOf } from '../../src/domains/device/transactions.ts';
import type { Facts } from '../../src/domains/facts.ts';
import { quoted } from '../../src/engine/approval-text.ts';
import { handleFor } from '../../src/engine/handles.ts';
import type { Finding, SentRequest } from '../../src/engine/sent-request.ts';
import { ownWords } from '../../src/engine/shown.ts';
import { platformTools, readBack } from '../../src/engine/tool.ts';
import { labelled, optional, reference, sum } from '../../src/engine/tool-arguments.ts';
import { always } from '../../src/engine/tool-policy.ts';
import { freshDevice } from './enrollment.ts';
import { freshReference } from './lookups.ts';
import { asked, deviceArg, readerLock, type TransactionAnswer, type TransactionType, theDevice } from './parts.ts';
import { receiptOf, showTransaction, transactionOutput } from './presentation.ts';

// The tools for which a customer taps a card: a charge, and a refund without an original.

/** The new transaction of a call, as its machine reads it: before an answer, as approved. */
const newEntity =
  (type: TransactionType) =>
  (_: unknown, now: number, answer: { readonly body: TransactionAnswer } | undefined, args: Facts['args']) =>
    answer === undefined
      ? {
          ...{ state: 'none', status: 'Approved' as TransactionStatus, preauthorizes: args.pre_authorize === true },
          ...{ credits: type === 'credit', expired: false, whole: false },
        }
      : entityOf(transactionOf(answer.body, asked(type, args, ''), now), 'none', now);

/** What is known of a new transaction. `approved`: the most that a person allowed. */
const made = (type: TransactionType, facts: Facts, answer: TransactionAnswer, approved: string, began: number) => {
  const { args, reference: ours, now } = facts;
  const body = transactionOf(answer, asked(type, args, ours), began);
  return [
    {
      kind: 'devicePayment' as const,
      handle: handleFor('devicePayment', body.identifier),
      state: stateOf(body, now),
      body: { ...body, reference: ours, cardReader: theDevice(facts), approved },
    },
  ];
};

/** The path of what in an answer isn't what was asked for (EN-08): then it is no proof of what was charged or paid. */
const contradictsAsked =
  (type: TransactionType) =>
  (facts: Facts, { body }: { readonly body: TransactionAnswer }, { noted }: SentRequest): string | undefined => {
    const charged = chargedBy(facts.args);
    const { preauthorizes } = asked(type, facts.args, '');
    // A transaction that was there before the call is not the call's own.
    if (body.identifier === noted?.before) return 'identifier';
    if ((body.customIdentifier ?? facts.reference) !== facts.reference) return 'customIdentifier';
    if ((body.type ?? type) !== type) return 'type';
    if (effectOf(body.status) === 'none') return undefined;
    if ((body.autocapture ?? !preauthorizes) === preauthorizes) return 'autocapture';
    if (body.currency !== charged.currency) return 'currency';
    const minorOf = (amount: string): bigint => money(amount, body.currency).minor;
    const is = minorOf(body.amount);
    // A customer may type any tip; then no more is captured than was approved (DV-10).
    const isBetween =
      is >= minorOf(charged.amount) && (is <= minorOf(mostCharged(charged)) || charged.tip?.input !== undefined);
    return isBetween ? undefined : 'amount';
  };

/** The newest transaction with this reference before the call: another one is the call's own. */
const notes = ({ things }: Facts) => ({ before: things.devicePayment?.body.identifier ?? '' });

/** Whether a lost call happened, by the newest transaction with its reference (D-91). */
function foundNew(found: TransactionAnswer | undefined, { noted }: SentRequest): Finding<TransactionAnswer> {
  if (found === undefined || found.identifier === noted?.before) return 'nothing';
  return effectOf(found.status) === 'open' ? 'unclear' : { happened: found };
}

const lookedUp = readBack('lookupDeviceTransaction', {
  with: ({ reference: forID }) => ({ names: {}, body: { forID } }),
  notes,
  finds: foundNew,
});

/** All that is given: DV-10 refuses what doesn't go together, and a preview shows that, too. */
const tipSentence = ({ percentages, input, up_to }: Tip): string =>
  [
    ...(percentages === undefined ? [] : [`${percentages.map((it) => `${it} %`).join(', ')} or none`]),
    ...(input === undefined ? [] : [`typed by the customer as the ${input}`]),
    ...(up_to === undefined ? [] : [`captured up to ${up_to}`]),
  ].join(', ');

const member = <M extends keyof Tip>(given: unknown, name: M) => (given as Tip | undefined)?.[name]; // by the argument's shape

const tipArg = once(() =>
  optional({
    label: 'Tip',
    schema: z
      .strictObject({
        percentages: z
          .array(z.int().min(1).max(limits.tipPercent))
          .min(1)
          .max(limits.tipElements)
          .optional()
          .describe('What the customer chooses from.'),
        input: z.enum(['amount', 'total']).optional().describe('What the customer types; needs `pre_authorize`.'),
        up_to: amount.optional().describe('Most that may be captured of a typed tip.'),
      })
      .describe('`percentages`, or `input` with `up_to`.'),
    fills: [
      { path: 'tip.percentageChoice[]' as const, value: (given: unknown) => member(given, 'percentages') },
      { path: 'tip.input' as const, value: (given: unknown) => inputs[member(given, 'input') ?? ''] },
    ],
    approvalText: (given) => tipSentence(given as Tip), // by the argument's shape
  }),
);

const inputs: { readonly [input: string]: string | undefined } = { amount: 'tipAmount', total: 'totalAmount' };

/** The states of a new transaction by what its status says of the money. */
function statesOf(effect: ReturnType<typeof effectOf>): readonly string[] {
  return transactionStatuses.filter((it) => effectOf(it) === effect).map((it) => it.toUpperCase());
}

/** The states of a transaction that moved nothing and never will. */
const noneTaken = statesOf('none');
/** The states in which nobody knows yet whether it moves money. */
const openStates = statesOf('open');
/** What becomes of a charge or a credit whose answer was lost. */
const reconcile = {
  lostRule: 'DV-08',
  readBack: lookedUp,
  retryableStates: noneTaken,
  openStates,
  reservedStates: [...openStates, ...statesOf('later')],
  noChargeStates: noneTaken,
} as const;
/** What is said of a card that nothing moved to or from. */
const noneMoved = (nothing: string) => ({
  DECLINED: `The card was declined. ${nothing}; the customer may tap another one.`,
  ABORTED: `It was cancelled on the reader. ${nothing}.`,
  ERROR: `The reader failed. ${nothing}.`,
});
/** What is said while nobody knows. */
const stillOpen = (unknown: string) => ({
  INITIALIZED: 'The reader has begun, and has not said what became of it. Look it up.',
  PENDING: 'It is still being processed. Look it up.',
  INCONCLUSIVE: unknown,
  UNKNOWN: unknown,
});

const output = once(() => transactionOutput().extend({ receipt: ownWords }));

export const charges = platformTools({
  chargeDevice: {
    description:
      'Charge a card at the reader: the customer taps it, which takes a minute. A person approves the amount with the highest tip. With `pre_authorize` it is only held.',
    input: {
      args: () => ({
        device: deviceArg,
        reference: labelled('Order', reference("Merchant's order number; one per charge.")),
        sum: sum('amount', 'currency', 'Without the tip.'),
        tip: tipArg(),
        pre_authorize: optional({
          label: 'Only held',
          approvalText: (given) => (given === true ? 'yes' : 'no'),
          schema: z.boolean().describe('Hold it now, capture it later.'),
          fills: [
            { path: 'autocapture' as const, value: (given) => (given === undefined ? undefined : given !== true) },
          ],
        }),
      }),
      reference: ({ args }) => String(args.reference),
      goesOnWith: { kind: 'devicePayment', argument: 'reference' },
    },
    refresh: [...freshDevice, freshReference],
    policy: {
      lockKey: readerLock,
      spend: ({ args, merchant }) => ({
        ...{ amount: mostCharged(chargedBy(args)), currency: chargedBy(args).currency },
        ...{ payee: merchant.name, instrument: '' },
      }),
      approval: {
        needed: always,
        title: () => 'Allow the agent to charge a card at the reader',
        text: ({ args, merchant, things }) => [
          `Charged at most: ${spokenSum(mostCharged(chargedBy(args)), chargedBy(args).currency)}`,
          `Shop: ${quoted(merchant.name)}`,
          things.cardReader?.body.environment === 'live'
            ? 'A real card is charged.'
            : 'Test reader: no real card is charged.',
          ...(chargedBy(args).tip?.input === undefined
            ? []
            : [
                'The customer may type a higher tip: that much is held until the capture, and no more is captured than stands above.',
              ]),
          ...(args.pre_authorize === true
            ? ['It is held. Its capture needs no second approval, unless the agent reads text from others before it.']
            : []),
        ],
      },
    },
    observe: {
      moves: { kind: 'devicePayment', entity: newEntity('charge') },
      contradicts: contradictsAsked('charge'),
      observations: (facts, { body }, { began }) =>
        made('charge', facts, body, mostCharged(chargedBy(facts.args)), began),
    },
    present: {
      messages: {
        APPROVED: 'The card is charged; the total has the tip.',
        AUTHORIZED: 'The total is held on the card. Capture it before it expires.',
        ACCEPTED: 'The reader took the card offline and charges it later. Look it up.',
        ...noneMoved('Nothing was charged'),
        ...stillOpen('Nobody knows whether the card was charged. Look it up before this sale is charged again.'),
      },
      next: {
        APPROVED: {
          tools: ['send_device_receipt', 'refund_device_transaction'],
          because: 'The customer may want a receipt.',
        },
        ...Object.fromEntries(
          noneTaken.map((state) => [state, { tools: ['charge_device'], because: 'Another card may do.' }]),
        ),
      },
      outputSchema: output,
      shows: showTransaction,
      toOutput: (things, { merchant }) => ({ ...showTransaction(things), receipt: receiptOf(things, merchant) }),
    },
    reconcile,
  },

  refundWithoutOriginal: {
    description:
      'Pay an amount to the card that is tapped, without an original transaction. Operators only; refund_device_transaction is better.',
    input: {
      args: () => ({
        device: deviceArg,
        reference: labelled('Number', reference("Merchant's number of this refund; one each.")),
        sum: sum('amount', 'currency', 'What is paid.'),
        no_original: optional<never>({
          schema: z.boolean().describe('That there is no transaction to refund.'),
          fills: [],
          approvalText: (given) => (given === true ? 'none, says the operator' : 'not looked for'),
          label: 'Original transaction',
        }),
      }),
      reference: ({ args }) => String(args.reference),
      goesOnWith: { kind: 'devicePayment', argument: 'reference' },
    },
    refresh: [...freshDevice, freshReference],
    policy: {
      lockKey: readerLock,
      spend: ({ args, merchant }) => ({ ...chargedBy(args), payee: merchant.name, instrument: '' }),
      approval: {
        needed: always,
        noMandate: true,
        title: () => 'Allow a refund without an original transaction',
        text: ({ merchant }) => [
          `Shop: ${quoted(merchant.name)}`,
          'The money goes to whoever taps a card. It has no upper limit.',
        ],
      },
    },
    observe: {
      moves: { kind: 'devicePayment', entity: newEntity('credit') },
      contradicts: contradictsAsked('credit'),
      observations: (facts, { body }, { began }) => made('credit', facts, body, chargedBy(facts.args).amount, began),
    },
    present: {
      messages: {
        CREDITED: 'The amount is paid to the card.',
        ACCEPTED: 'The reader took the card offline and pays later. Look it up.',
        ...noneMoved('Nothing was paid'),
        ...stillOpen('Nobody knows whether the amount was paid. Look it up before it is paid again.'),
      },
      next: { CREDITED: { tools: [], because: 'It is final.' } },
      outputSchema: output,
      shows: showTransaction,
      toOutput: (things, { merchant }) => ({ ...showTransaction(things), receipt: receiptOf(things, merchant) }),
    },
    reconcile,
  },
});
