import { z } from 'zod';
import { spokenSum } from '../../src/core/money.ts';
import { once } from '../../src/core/once.ts';
import { isOnHold } from '../../src/domains/device/machines.ts';
import type { Facts, Things } from '../../src/domains/facts.ts';
import { iso, untrusted } from '../../src/engine/render.ts';
import {
  countShown,
  dayShown,
  handleShown,
  momentShown,
  ownWords,
  stateShown,
  versionShown,
} from '../../src/engine/shown.ts';
import { sumOf, sumShown } from '../sums.ts';
import { begunAt } from './parts.ts';

// What agents and people read of the card reader and its transactions.

export const deviceOutput = once(() =>
  z.looseObject({
    device: handleShown,
    state: stateShown,
    environment: stateShown.optional(),
    sdk: versionShown.optional(),
    os: versionShown.optional(),
    os_released: dayShown.optional(),
    handset_generation: countShown.optional(),
    education: ownWords,
  }),
);

export const showDevice = ({ cardReader: device }: Things) => {
  if (device === undefined) return {};
  const { body } = device;
  return {
    device: device.handle,
    state: device.state,
    ...{ environment: body.environment, os_released: body.osReleasedOn, handset_generation: body.handsetGeneration },
    ...(isVersion(body.sdkVersion) ? { sdk: body.sdkVersion } : {}),
    ...(isVersion(body.osVersion) ? { os: body.osVersion } : {}),
    education:
      body.educationShown === true
        ? "The education screens were shown. They stay in the app's settings."
        : "The app hasn't shown the education screens yet. They are in its settings.",
  };
};

/** Anything else may be somebody's words. */
const isVersion = (text: string | undefined): text is string =>
  text !== undefined && versionShown.safeParse(text).success && /^[\d.]{1,16}$/.test(text);

export const transactionOutput = once(() =>
  z.looseObject({
    transaction: handleShown,
    state: stateShown,
    status: stateShown,
    reference: z.string(),
    total: sumShown(),
    tip: sumShown().optional(),
    captured: sumShown(),
    refunded: sumShown().optional(),
    expires: momentShown.optional(),
  }),
);

export const showTransaction = ({ devicePayment: transaction }: Things) => {
  if (transaction === undefined) return {};
  const { body } = transaction;
  const { currency } = body;
  return {
    transaction: transaction.handle,
    state: transaction.state,
    status: body.status,
    reference: body.reference,
    total: sumOf(body.total, currency),
    ...(body.tip === undefined ? {} : { tip: sumOf(body.tip, currency) }),
    captured: sumOf(body.captured, currency),
    ...(/^[0.]*$/.test(body.refunded) ? {} : { refunded: sumOf(body.refunded, currency) }),
    ...(isOnHold(transaction.state) && body.expiresAt !== undefined ? { expires: iso(body.expiresAt) } : {}),
  };
};

/** The receipt of a transaction: Purser's own lines, whatever the reader prints. */
export const receiptOf = ({ devicePayment: transaction }: Things, merchant: Facts['merchant']): string => {
  if (transaction === undefined) return '';
  const { body, state } = transaction;
  const { currency } = body;
  return [
    `Shop: ${merchant.name}`,
    `Order: ${body.reference}`,
    `Date: ${iso(begunAt(transaction))}`,
    `State: ${state}`,
    `Total: ${spokenSum(body.total, currency)}`,
    ...(body.tip === undefined ? [] : [`Tip included: ${spokenSum(body.tip, currency)}`]),
    `Taken: ${spokenSum(body.captured, currency)}`,
    ...(/^[0.]*$/.test(body.refunded) ? [] : [`Refunded: ${spokenSum(body.refunded, currency)}`]),
  ].join('\n');
};

/** What the reader printed: somebody else's text. */
export const printed = ({ devicePayment: transaction }: Things) =>
  transaction?.body.receiptText === undefined ? {} : { printed: untrusted(transaction.body.receiptText) };
