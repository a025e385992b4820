import { limits } from '../../core/limits.ts';
import { added, decimal, inDecimals, money, moneyFault, spoken, within } from '../../core/money.ts';
import type { Facts, Things } from '../facts.ts';
import { type Guard, guardOn } from '../guard.ts';
import type { device } from './contract.ts';
import { isEnrolled, isEnrolling } from './machines.ts';
import { isOldHandset, isOldSystem, sdkSupport, usableReleases } from './requirements.ts';
import { effectOf } from './statuses.ts';
import { type Charged, tipFault } from './tips.ts';
import { refundable } from './transactions.ts';

const guard = guardOn<keyof typeof device>();

const taps = ['chargeDevice', 'refundWithoutOriginal'] as const;

/** The guards of the card reader. What a machine or a shape already states is not said again here. */
export const guards: readonly Guard[] = [
  guard('DV-13', {
    on: ['enrollDevice'],
    holds: ({ things, configured }) => support(things, configured) !== 'unknown',
    sees: ({ things, configured }) =>
      `The reader's app reports ${quotedVersion(things)}, which is not a known release of the SDK. Build the app with one of ${usableReleases(configured.device?.sdkReleases).join(', ')}.`,
    instead: ['device_status'],
  }),
  guard('DV-13', {
    on: ['enrollDevice'],
    warns: true,
    holds: ({ things, configured }) => support(things, configured) !== 'older',
    sees: ({ things, configured }) =>
      `The reader's app has release ${things.cardReader?.body.sdkVersion} of the SDK, which new builds can't use any more. Update it to ${usableReleases(configured.device?.sdkReleases).at(-1)}.`,
    instead: ['device_status'],
  }),
  guard('DV-12', {
    on: ['enrollDevice'],
    holds: ({ things: { cardReader: device } }) => device === undefined || !isOldHandset(device.body),
    sees: () => "The handset is older than the XS generation, so it can't take contactless cards. Use a newer one.",
    instead: ['device_status'],
  }),
  guard('DV-12', {
    on: ['enrollDevice'],
    holds: ({ things: { cardReader: device }, now }) => device === undefined || !isOldSystem(device.body, now),
    sees: ({ things }) =>
      `The handset's operating system was released on ${things.cardReader?.body.osReleasedOn}, more than a year ago. Update it.`,
    instead: ['device_status'],
  }),
  guard('DV-02', {
    on: taps,
    holds: ({ things: { cardReader: device } }) => !isEnrolling(device?.state ?? ''),
    sees: () =>
      'The device is being enrolled: no other enrollment is begun, and no card is charged until that is over.',
    field: 'device',
    retry: 'same_call',
    instead: ['device_status'],
  }),
  guard('DV-02', {
    on: taps,
    holds: ({ things: { cardReader: device } }) => isEnrolled(device?.state ?? ''),
    sees: ({ things: { cardReader: device } }) => `The device is ${device?.state ?? 'unknown'}. Enroll it first.`,
    field: 'device',
    instead: ['enroll_device', 'device_status'],
  }),
  guard('DV-11', {
    on: taps,
    holds: ({ things: { cardReader: device }, configured }) =>
      device === undefined || device.body.environment === (configured.device?.environment ?? 'test'),
    sees: ({ things: { cardReader: device } }) =>
      device?.body.environment === 'live'
        ? "The reader processes live transactions, and this Purser isn't configured for the live environment. Connect a reader with test credentials."
        : "The reader isn't connected with credentials of the live environment, so nobody would be charged. Connect it with those.",
    field: 'device',
    instead: ['device_status'],
  }),
  guard('DV-09', {
    on: ['chargeDevice'],
    holds: ({ things: { cardReader: device } }) => device?.body.educationShown === true,
    sees: () =>
      "The reader's app hasn't reported that the education screens were shown since the device was enrolled. Show them: they are in the app's settings. Then look at the device again.",
    field: 'device',
    instead: ['device_status'],
  }),
  guard('DV-08', {
    on: taps,
    holds: ({ things: { devicePayment: transaction } }) =>
      transaction === undefined || effectOf(transaction.body.status) === 'none',
    sees: ({ things: { devicePayment: transaction } }) =>
      `A transaction with this reference is ${transaction?.body.status} at the platform. Look it up; it is not made again.`,
    field: 'reference',
    instead: ['lookup_device_transaction'],
  }),
  guard('DV-10', {
    on: ['chargeDevice'],
    holds: ({ args }) => tipFault(chargedBy(args), args.pre_authorize === true) === undefined,
    sees: ({ args }) => tipFault(chargedBy(args), args.pre_authorize === true) ?? '',
    field: 'tip',
    instead: [],
  }),
  guard('EN-09', {
    on: ['chargeDevice', 'refundWithoutOriginal'],
    holds: ({ args }) => amountFault(chargedBy(args).amount, chargedBy(args).currency) === null,
    sees: ({ args }) => amountFault(chargedBy(args).amount, chargedBy(args).currency) ?? '',
    field: 'sum',
    instead: [],
  }),
  guard('EN-09', {
    on: ['incrementPreauthorization', 'capturePreauthorization', 'refundDeviceTransaction'],
    holds: (facts) => partFault(facts) === null,
    sees: (facts) => partFault(facts) ?? '',
    field: 'amount',
    instead: [],
  }),
  guard('EN-09', {
    on: ['incrementPreauthorization'],
    holds: isHeldCountable,
    sees: () => `What is held would have more than ${limits.amountDigits} digits before the decimal point. Add less.`,
    field: 'amount',
    instead: ['lookup_device_transaction'],
  }),
  guard('DV-04', {
    on: ['capturePreauthorization'],
    holds: ({ args, things: { devicePayment: it } }) =>
      it === undefined ||
      within(money(partOf(args) ?? it.body.total, it.body.currency), money(it.body.total, it.body.currency)),
    sees: ({ things: { devicePayment: it } }) =>
      `Only ${sumOf(it?.body.total, it?.body.currency)} is authorized. Capture no more than that.`,
    field: 'amount',
    instead: ['lookup_device_transaction', 'increment_preauthorization'],
  }),
  guard('DV-10', {
    on: ['capturePreauthorization'],
    holds: ({ args, things: { devicePayment: it } }) =>
      it?.body.approved === undefined ||
      within(money(partOf(args) ?? it.body.total, it.body.currency), money(it.body.approved, it.body.currency)),
    sees: ({ things: { devicePayment: it } }) =>
      `With its tip the total is ${sumOf(it?.body.total, it?.body.currency)}, and ${sumOf(it?.body.approved, it?.body.currency)} was approved. Capture at most that (\`amount\`).`,
    field: 'amount',
    instead: ['capture_preauthorization'],
  }),
  guard('DV-05', {
    on: ['refundDeviceTransaction'],
    holds: ({ args, things: { devicePayment: it } }) => {
      if (it === undefined) return true;
      const left = refundable(it.body);
      const part = partOf(args);
      return left.minor > 0n && (part === undefined || within(money(part, it.body.currency), left));
    },
    sees: ({ things: { devicePayment: it } }) => {
      const left = it && refundable(it.body);
      return left === undefined || left.minor <= 0n
        ? 'All that was captured is refunded.'
        : `Only ${spoken(left)} is captured and not refunded. Refund no more than that.`;
    },
    field: 'amount',
    instead: ['lookup_device_transaction'],
  }),
  guard('DV-06', {
    on: ['refundWithoutOriginal'],
    holds: ({ args }) => args.no_original === true,
    sees: () =>
      'A refund of the original transaction is better: it goes to the same card and no further than what was paid. Find it; only where there is none, say so (`no_original`).',
    field: 'no_original',
    instead: [],
  }),
];

const support = ({ cardReader: device }: Things, configured: Facts['configured']) =>
  sdkSupport(device?.body.sdkVersion, configured.device?.sdkReleases);

/** A version as the app reports it, where it looks like one: anything else may be somebody's words. */
const quotedVersion = ({ cardReader: device }: Things): string => {
  const version = device?.body.sdkVersion;
  return version !== undefined && /^[\d.]{1,16}$/.test(version) ? version : 'no version';
};

/** An amount for people, with its currency's decimals: "40.00 EUR". */
const sumOf = (amount = '', currency = ''): string => `${inDecimals(amount, currency)} ${currency}`;

/** What a charge's arguments ask for. */
export const chargedBy = (args: Facts['args']): Charged => ({
  ...(args.sum as { readonly amount: string; readonly currency: string }), // by the tool's shape
  tip: args.tip as Charged['tip'],
});

/** The amount that a call names; undefined for all that is left. */
export const partOf = (args: Facts['args']): string | undefined =>
  args.amount === undefined ? undefined : String(args.amount);

/** Why an amount can't be moved: its decimals, or that it is zero. */
function amountFault(amount: string, currency: string): string | null {
  const fault = moneyFault(amount, currency);
  if (fault !== null) return fault;
  const it = money(amount, currency);
  return it.minor === 0n ? `${decimal(it)} ${currency} is nothing. Name an amount above zero.` : null;
}

const partFault = ({ args, things: { devicePayment: transaction } }: Facts): string | null => {
  const part = partOf(args);
  return part === undefined || transaction === undefined ? null : amountFault(part, transaction.body.currency);
};

/** Whether what is held after an increment is still an amount. Other guards report an increment that is none. */
function isHeldCountable(facts: Facts): boolean {
  const [part, it] = [partOf(facts.args), facts.things.devicePayment?.body];
  if (part === undefined || it === undefined || partFault(facts) !== null) return true;
  return moneyFault(added(it.total, part, it.currency), it.currency) === null;
}
