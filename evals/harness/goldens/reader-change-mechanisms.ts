import type { Facts } from '../../../src/domains/facts.ts';
import type { SentRequest } from '../../../src/engine/sent-request.ts';
import {
  changedAsAsked,
  contradictsChange,
  foundChanged,
  learned,
  notesOf,
  type TransactionAnswer,
} from '../../../tools/device/parts.ts';
import type { Lines, Mechanisms } from './lines.ts';
import { factsOf, thingsOf } from './tool-facts.ts';

// What Purser makes of a change of a transaction at the reader: of the answer, of a lost one, and of what a person has found.

const totals = ['total', 'captured', 'refunded'] as const;
type Total = (typeof totals)[number];
const memberOf = { total: 'amount', captured: 'capturedAmount', refunded: 'refundedAmount' } as const;

const before = { total: '17.00', captured: '12.00', refunded: '5.00' } as const;
const by = '1.50';
const after: Readonly<Record<Total, string>> = { total: '18.50', captured: '13.50', refunded: '6.50' };

/** Facts of a transaction with these totals. */
const factsWith = (known: object = before): Facts => {
  const { devicePayment } = thingsOf('all');
  const body = { ...devicePayment?.body, ...before, ...known };
  return { ...factsOf('all'), things: { devicePayment: { ...devicePayment, body } } } as Facts; // whole, but for the totals
};
const facts = factsWith();
const unknown: Facts = { ...facts, things: {} };

const answered = {
  ...{ identifier: 'transaction', status: 'Approved', type: 'charge', currency: 'GBP', autocapture: false },
  ...{
    customIdentifier: 'order-1',
    amount: after.total,
    capturedAmount: after.captured,
    refundedAmount: after.refunded,
  },
} as unknown as TransactionAnswer; // what the shape demands of it
const without = (total: Total): TransactionAnswer => {
  const { [memberOf[total]]: _, ...rest } = answered;
  return rest as TransactionAnswer; // an app may leave a total out
};
const noted = (total: Total) => ({ before: before[total], by, currency: 'GBP' });
const sentFor = (total: Total): SentRequest =>
  ({ body: { withID: 'transaction' }, noted: noted(total) }) as unknown as SentRequest; // no other part is used

/** Answers to a change of a total. */
const answersTo = (total: Total): readonly (readonly [what: string, answer: TransactionAnswer])[] => {
  const told = (amount: string) => ({ ...answered, [memberOf[total]]: amount });
  return [
    ['the total that was asked for', answered],
    ['the same with fewer decimals', told(after[total].slice(0, -1))],
    ['the total as it was', told(before[total])],
    ['a penny more', told(after[total].replace('.50', '.51'))],
    ['a penny less', told(after[total].replace('.50', '.49'))],
    ['no total', without(total)],
    ['another transaction', { ...answered, identifier: 'another' }],
    ['another currency', { ...answered, currency: 'USD' }],
  ];
};

const forEach = (line: (total: Total) => Lines): Lines =>
  totals.flatMap((total) => line(total).map(([what, end]) => [`${total}, ${what}`, end] as const));

const contradictions = (): Lines =>
  forEach((total) => {
    const contradicts = contradictsChange(total);
    return [
      ...answersTo(total).map(
        ([what, body]) => [what, contradicts(facts, { body }, sentFor(total)) ?? 'nothing'] as const,
      ),
      ['a transaction that is not known', contradicts(unknown, { body: answered }, sentFor(total)) ?? 'nothing'],
    ];
  });

/** What is learned of the totals; the rest is as the answer says. */
const learnings = (): Lines =>
  forEach((total) => {
    const learns = learned(
      total,
      () => by,
      () => ({ more: 'known' }),
    );
    const shown = (of: Facts, body: TransactionAnswer) =>
      learns(of, { body }).map(({ state, body: it }) => {
        const { total: whole, captured, refunded, more } = it as Readonly<Record<string, unknown>>;
        return { state, total: whole, captured, refunded, more };
      });
    return [
      ['as it is', shown(facts, answered)],
      ['no total', shown(facts, without(total))],
      ['a transaction that is not known', shown(unknown, answered)],
    ];
  });

/** What is known after a person has found that a change happened, by what was known of the total until then. */
const found = (): Lines =>
  forEach((total) => {
    const asAsked = changedAsAsked(total, () => ({ more: 'known' }));
    const knowns = ['0.00', before[total], after[total], after[total].replace('.50', '.51')];
    return [
      ...knowns.map((known) => [`${known} known`, asAsked(factsWith({ [total]: known }), sentFor(total))] as const),
      ['a transaction that is not known', asAsked(unknown, sentFor(total))],
    ];
  });

const lookedUp = (): Lines =>
  forEach((total) => {
    const finds = foundChanged(total);
    const end = (answer: TransactionAnswer | undefined, sent = sentFor(total)) => {
      const finding = finds(answer, sent);
      return typeof finding === 'string' ? finding : 'happened';
    };
    return [
      ...answersTo(total).map(([what, answer]) => [what, end(answer)] as const),
      ['nothing', end(undefined)],
      ['nothing noted', end(answered, { body: { withID: 'transaction' } } as unknown as SentRequest)], // an older version
      ['nothing sent', end(answered, { noted: noted(total) } as unknown as SentRequest)], // as above
    ];
  });

const notes = (): Lines =>
  forEach((total) => [
    ['known', notesOf(total, () => by)(facts)],
    ['not known', notesOf(total, () => by)(unknown)],
  ]);

export const readerChangeMechanisms: Mechanisms = {
  'what is noted with a change of a transaction': notes,
  'what contradicts a change of a transaction': contradictions,
  'what is learned of a changed transaction': learnings,
  'a transaction, once a person has found that it changed': found,
  'a lost change of a transaction, by what is found': lookedUp,
};
