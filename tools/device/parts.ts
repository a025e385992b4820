import type { z } from 'zod';
import { amount } from '../../src/core/fields.ts';
import { added, money, sameMoney, spokenSum } from '../../src/core/money.ts';
import { partOf } from '../../src/domains/device/guards.ts';
import type { transaction as transactionShape } from '../../src/domains/device/shapes.ts';
import { entityOf, stateOf, transactionOf } from '../../src/domains/device/transactions.ts';
import type { Facts, Things } from '../../src/domains/facts.ts';
import { quoted } from '../../src/engine/approval-text.ts';
import { handleFor } from '../../src/engine/handles.ts';
import { untrusted } from '../../src/engine/render.ts';
import type { Finding, SentRequest } from '../../src/engine/sent-request.ts';
import type { Observation } from '../../src/engine/tool.ts';
import { handle, optional } from '../../src/engine/tool-arguments.ts';

// What the tools of the card reader share.

export type TransactionAnswer = z.output<ReturnType<typeof transactionShape>>;

export type TransactionType = 'charge' | 'credit';

/** What a call asks for of a transaction, which the answer may leave out. */
export const asked = (type: TransactionType, args: Facts['args'], reference: string) => ({
  reference,
  type,
  preauthorizes: args.pre_authorize === true,
});

/** When a transaction was charged, held or paid, as far as Purser knows. */
export const begunAt = ({ body, createdAt }: NonNullable<Things['devicePayment']>): number => body.begunAt ?? createdAt;

/** The id of the tenant's reader. */
export const readerId = ({ configured }: Pick<Facts, 'configured'>): string => configured.device?.owner ?? '';

/** The handle of the tenant's reader, which it has before the platform names it. */
export const theDevice = (facts: Pick<Facts, 'configured'>): string => handleFor('cardReader', readerId(facts));

export const deviceArg = handle('cardReader', 'From device_status.');

/** Increments, captures and refunds of one transaction change its balances, so one of them runs at a time. */
export const lockKey = ({ things }: Pick<Facts, 'things'>): string => things.devicePayment?.handle ?? '';

/** Only one card is tapped at a time. While the answer to a call is lost, no other card is asked for (DV-08). */
export const readerLock = (facts: Pick<Facts, 'configured'>): string => theDevice(facts);

/** The transaction of a call, as its machine reads it. */
export const transactionEntity = ({ devicePayment: it }: Things, now: number, _: unknown, args: Facts['args']) =>
  it === undefined
    ? {
        ...{ state: 'none', status: 'Approved' as const, preauthorizes: false, credits: false },
        expired: false,
        whole: false,
      }
    : entityOf(it.body, it.state, now, { amount: partOf(args) });

/** What a capture or refund takes, in the currency of its transaction: `partiallyWithAmount`. */
export const partFields =
  (takes: (facts: Facts) => string) =>
  (facts: Facts): Readonly<Record<string, unknown>> => ({
    'partiallyWithAmount.amount': takes(facts),
    'partiallyWithAmount.currency': facts.things.devicePayment?.body.currency,
  });

export const partArg = (about: string) =>
  optional<never>({ schema: amount.describe(about), fills: [], isToldByTool: true });

/** What is known of a transaction, for a person's approval. */
export const transactionLines = ({ devicePayment: transaction }: Things): readonly string[] =>
  transaction === undefined
    ? []
    : [
        `Order: ${quoted(untrusted(transaction.body.reference))}`,
        `Total: ${spokenSum(transaction.body.total, transaction.body.currency)}`,
        `Captured so far: ${spokenSum(transaction.body.captured, transaction.body.currency)}`,
        `Refunded so far: ${spokenSum(transaction.body.refunded, transaction.body.currency)}`,
      ];

type Total = 'total' | 'captured' | 'refunded';

/** As `notesOf` writes it, with every change of a transaction. */
type Noted = { readonly before: string; readonly by: string; readonly currency: string };

/** What a total is before a call, and by how much the call changes it; noted with the request. */
export const notesOf =
  (total: Total, changes: (facts: Facts) => string) =>
  (facts: Facts): Noted => ({
    before: facts.things.devicePayment?.body[total] ?? '0',
    by: changes(facts),
    currency: facts.things.devicePayment?.body.currency ?? '',
  });

/** Where an answer tells a total. */
const memberOf = { total: 'amount', captured: 'capturedAmount', refunded: 'refundedAmount' } as const;

/** The path of what in an answer isn't the change that was asked for (EN-08): of another transaction, or by another amount. */
export const contradictsChange =
  (total: Total) =>
  ({ things }: Facts, { body }: { readonly body: TransactionAnswer }, { noted }: SentRequest): string | undefined => {
    const it = things.devicePayment?.body;
    if (it === undefined) return undefined;
    if (body.identifier !== it.identifier) return 'identifier';
    if (body.currency !== it.currency) return 'currency';
    const told = body[memberOf[total]];
    const { before, by } = noted as Noted;
    const asked = added(before, by, it.currency);
    return told === undefined || isSame(told, asked, it.currency) ? undefined : memberOf[total];
  };

/** Both are amounts of the currency, as the contract demands of an answer. */
const isSame = (told: string, asked: string, currency: string): boolean =>
  sameMoney(money(told, currency), money(asked, currency));

/** The transaction after a change that succeeded. A total that the answer leaves out has changed as was asked for. */
export const learned =
  (total: Total, changes: (facts: Facts) => string, more: (facts: Facts) => object = () => ({})) =>
  (facts: Facts, { body: answer }: { readonly body: TransactionAnswer }): readonly Observation[] => {
    const it = facts.things.devicePayment;
    if (it === undefined) return [];
    const changed = added(it.body[total], changes(facts), it.body.currency);
    const body = transactionOf(
      { ...answer, [memberOf[total]]: answer[memberOf[total]] ?? changed },
      it.body,
      begunAt(it),
    );
    return [{ kind: 'devicePayment', state: stateOf(body, facts.now), body: { ...body, ...more(facts) } }];
  };

/** The transaction once a person has found that a lost change happened: its total has changed as was asked for, at least. */
export const changedAsAsked =
  (total: Total, more: (facts: Facts) => object = () => ({})) =>
  (facts: Facts, { noted }: SentRequest): readonly Observation[] => {
    const it = facts.things.devicePayment;
    if (it === undefined) return [];
    const { before, by, currency } = noted as Noted;
    const asked = added(before, by, currency);
    // The reader may have told of it since.
    const isTold = money(it.body[total], currency).minor > money(asked, currency).minor;
    return [{ kind: 'devicePayment', body: { [total]: isTold ? it.body[total] : asked, ...more(facts) } }];
  };

/** Reads a lost call back: it happened where the total has changed by its amount, and it didn't where the total is as it was. */
export const foundChanged =
  (total: Total) =>
  (found: TransactionAnswer | undefined, { body, noted }: SentRequest): Finding<TransactionAnswer> => {
    const { before, by, currency } = (noted ?? {}) as Noted;
    const told = found?.[memberOf[total]];
    // An app may leave a total out (D-90): that proves nothing. Nor does a transaction that was not asked for.
    if (found === undefined || told === undefined || found.currency !== currency) return 'unclear';
    if (found.identifier !== body?.withID) return 'unclear';
    const is = money(told, currency);
    const was = money(before, currency);
    if (sameMoney(is, { ...was, minor: was.minor + money(by, currency).minor })) return { happened: found };
    return sameMoney(is, was) ? 'nothing' : 'unclear';
  };
