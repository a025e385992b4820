import { added, decimal, moneyFault, spokenSum } from '../../src/core/money.ts';
import { partOf } from '../../src/domains/device/guards.ts';
import { heldOf, refundable } from '../../src/domains/device/transactions.ts';
import type { Facts } from '../../src/domains/facts.ts';
import type { SentRequest } from '../../src/engine/sent-request.ts';
import { platformTools, readBack } from '../../src/engine/tool.ts';
import { field, handle, optional, reference } from '../../src/engine/tool-arguments.ts';
import { always } from '../../src/engine/tool-policy.ts';
import { freshTransaction, summary } from './lookups.ts';
import {
  changedAsAsked,
  contradictsChange,
  foundChanged,
  learned,
  lockKey,
  notesOf,
  partArg,
  partFields,
  transactionEntity,
  transactionLines,
} from './parts.ts';
import { showTransaction, transactionOutput } from './presentation.ts';

// The tools that change a transaction: increments, captures, refunds; and its receipt.

const byIdentifier = ({ body }: SentRequest) => ({
  names: {},
  body: { forID: (body as { readonly withID?: string } | undefined)?.withID }, // by the contract's shape
});

/** What a capture takes: the amount that it names, or all that is held. */
const captures = (facts: Facts): string => partOf(facts.args) ?? facts.things.devicePayment?.body.total ?? '0';
const increment = ({ args }: Facts): string => partOf(args) ?? '0';
/** The most that the approvals allow after an increment, where Purser made the charge. */
const allowedAfter = (facts: Facts): object => {
  const it = facts.things.devicePayment?.body;
  if (it?.approved === undefined) return {};
  const more = (to = '0') => added(to, increment(facts), it.currency);
  return { approved: more(it.approved), incremented: more(it.incremented) };
};

/** What is held once an increment has been made. */
const heldAfter = (facts: Facts): readonly string[] => {
  const it = facts.things.devicePayment?.body;
  return it === undefined || moneyFault(increment(facts), it.currency) !== null
    ? [] // the call is refused for it
    : [`Held afterwards: ${spokenSum(added(it.total, increment(facts), it.currency), it.currency)}`];
};
const refunds = ({ args, things: { devicePayment: transaction } }: Facts): string =>
  partOf(args) ?? (transaction === undefined ? '0' : decimal(refundable(transaction.body)));

/** Whether Purser made the charge, so that it is known what was approved. */
const isHeldByPurser = ({ things }: Facts): boolean => things.devicePayment?.body.approved !== undefined;

const spendOf = (facts: Facts, amount: string) => ({
  ...{ amount, currency: facts.things.devicePayment?.body.currency ?? '' },
  ...{ payee: facts.merchant.name, instrument: '' },
});

/** A repeat of the same change is a replay, unless it has a number of its own. */
const ownReference = optional(reference("Merchant's number, one per call; by default the charge's."));
const referenceOf = ({ args, things }: Facts): string =>
  String(args.reference ?? things.devicePayment?.body.reference ?? '');

const present = {
  outputSchema: transactionOutput,
  shows: showTransaction,
};

export const changes = platformTools({
  incrementPreauthorization: {
    description: 'Hold more on a pre-authorization of which nothing is captured. A person approves each.',
    input: {
      args: () => ({
        transaction: handle('devicePayment', 'Pre-authorization.'),
        amount: field('incrementPreauthorization')('withAmount.amount', 'What is added, such as "40.00".'),
        reference: ownReference,
      }),
      reference: referenceOf,
    },
    refresh: freshTransaction,
    policy: {
      lockKey,
      spend: (facts) => spendOf(facts, increment(facts)),
      approval: {
        needed: always,
        title: () => "Allow the agent to hold more on the customer's card",
        text: (facts) => [...heldAfter(facts), ...transactionLines(facts.things)],
      },
    },
    observe: {
      moves: { kind: 'devicePayment', entity: transactionEntity },
      contradicts: contradictsChange('total'),
      observations: learned('total', increment, allowedAfter),
    },
    present: { ...present, messages: { done: 'The pre-authorization holds more now.' } },
    reconcile: {
      readBack: readBack('lookupDeviceTransaction', {
        with: byIdentifier,
        notes: notesOf('total', increment),
        finds: foundChanged('total'),
      }),
      confirmed: changedAsAsked('total', allowedAfter),
    },
  },

  capturePreauthorization: {
    description: 'Capture what a pre-authorization holds, all or part, once. The rest is released.',
    input: {
      args: () => ({
        transaction: handle('devicePayment', 'Pre-authorization.'),
        amount: partArg('All of it if omitted.'),
      }),
      reference: ({ things }) => things.devicePayment?.body.reference ?? '',
      computes: partFields(captures),
    },
    refresh: freshTransaction,
    policy: {
      lockKey,
      spend: (facts) => {
        const it = facts.things.devicePayment?.body;
        return { ...spendOf(facts, captures(facts)), held: it && heldOf(it, captures(facts)) };
      },
      approval: {
        // D-54: whoever approved the authorization approved its capture. Nobody approved one that Purser didn't make.
        needed: (facts) => !isHeldByPurser(facts),
        title: () => 'Allow the agent to capture a pre-authorization',
        text: (facts) => [
          `To be captured: ${spokenSum(captures(facts), facts.things.devicePayment?.body.currency)}`,
          ...transactionLines(facts.things),
        ],
      },
    },
    observe: {
      moves: { kind: 'devicePayment', entity: transactionEntity },
      contradicts: contradictsChange('captured'),
      observations: learned('captured', captures),
    },
    present: {
      ...present,
      messages: { CAPTURED: 'It is captured. What was not captured is released.' },
      next: {
        CAPTURED: {
          tools: ['send_device_receipt', 'refund_device_transaction'],
          because: 'The customer may want a receipt.',
        },
      },
    },
    reconcile: {
      readBack: readBack('lookupDeviceTransaction', {
        with: byIdentifier,
        notes: notesOf('captured', captures),
        finds: foundChanged('captured'),
      }),
      confirmed: changedAsAsked('captured'),
    },
  },

  refundDeviceTransaction: {
    description:
      'Pay back what was taken at the reader, all or a part. A person approves each. Give `reference` for a second one.',
    input: {
      args: () => ({
        transaction: handle('devicePayment', 'Transaction to refund.'),
        amount: partArg('All that is left if omitted.'),
        reference: ownReference,
      }),
      reference: referenceOf,
      computes: partFields(refunds),
    },
    refresh: freshTransaction,
    policy: {
      lockKey,
      spend: (facts) => spendOf(facts, refunds(facts)),
      approval: {
        needed: always,
        title: () => 'Allow the agent to refund the customer',
        text: (facts) => [
          `Paid back: ${spokenSum(refunds(facts), facts.things.devicePayment?.body.currency)}`,
          ...transactionLines(facts.things),
        ],
      },
    },
    observe: {
      moves: { kind: 'devicePayment', entity: transactionEntity },
      contradicts: contradictsChange('refunded'),
      observations: learned('refunded', refunds),
    },
    present: {
      ...present,
      messages: { done: 'A part is paid back.', REFUNDED: 'All that was taken is paid back.' },
      next: { REFUNDED: { tools: ['send_device_receipt'], because: 'The customer may want a receipt.' } },
    },
    reconcile: {
      readBack: readBack('lookupDeviceTransaction', {
        with: byIdentifier,
        notes: notesOf('refunded', refunds),
        finds: foundChanged('refunded'),
      }),
      confirmed: changedAsAsked('refunded'),
    },
  },

  showDeviceSummary: summary,

  sendDeviceReceipt: {
    description:
      "Send the customer's receipt by e-mail: the address is typed on the reader. It can't be undone, and nobody else learns the address.",
    input: { args: () => ({ transaction: handle('devicePayment', 'Transaction.') }) },
    policy: { lockKey },
    observe: { observations: () => [] },
    present: {
      ...present,
      messages: { done: 'The receipt is sent.' },
      next: { '': { tools: ['lookup_device_transaction'], because: 'The transaction is as it was.' } },
    },
  },
});
