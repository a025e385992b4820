import type { OperationName } from '../../src/domains/index.ts';
import type { World } from './support.ts';

// Plans and subscriptions as an agent asks for them, and worlds that have them.

/** Every plan has a reference of its own, so that none is a replay of another. */
let plansMade = 0;
export const plan = (more: object = {}) => ({
  ...{ name: 'Gold', reference: `plan-${++plansMade}`, every: 1, unit: 'month', amount: '9.99', currency: 'GBP' },
  ...more,
});

/** Plans that a world has: worlds that are built alike have the same ones. */
const plansOf = new WeakMap<World, number>();

/** A stored plan's handle. */
export async function planned(it: World, more: object = {}): Promise<string> {
  const count = (plansOf.get(it) ?? 0) + 1;
  plansOf.set(it, count);
  return (await it.call('create_plan', plan({ reference: `stored-plan-${count}`, ...more }))).data.plan;
}

/** Begins well after every world does. */
export const subscription = (more: object = {}) => ({
  ...{ card: 'card_ada', name: 'Gold for Ada', start: '2026-02-01T10:00:00Z', reference: 'subscription-1' },
  ...more,
});

/** The handle of a subscription on a plan of its own; it is PENDING. */
export async function subscribed(it: World, more: object = {}): Promise<string> {
  const args = subscription({ plan: await planned(it), ...more });
  return (await it.through('create_subscription', args)).data.subscription;
}

/** When every world begins. */
export const atOnce = '2026-01-15T09:00:00Z';

/** One whose first payment was charged at once; it is ACTIVE. */
export const running = (it: World): Promise<string> => subscribed(it, { start: atOnce });

/** The handle of an earlier payment of Ada's. */
export async function followed(it: World): Promise<string> {
  return (await it.call('get_follow_on', { payment: 'earlier-payment-0001' })).data.follow_on;
}

/** Operations that only look: they leave nothing behind that could be lost, and may be asked again at any time. */
export const looking = [
  ...(['listPlans', 'getPlan', 'getPlanCode', 'listSubscriptions', 'getSubscription', 'getSubscriptionCode'] as const),
  ...(['listSubscriptionPayments', 'getFollowOn', 'listInvoices', 'getInvoice', 'getInvoiceSettings'] as const),
  ...(['offerConversion', 'getPayment', 'getCapture', 'getRefund', 'listWebhookSubscriptions'] as const),
  ...(['listReportDefinitions', 'describeReportDefinition'] as const),
  ...(['listReportSubscriptions', 'getReportSubscription', 'listReports', 'getReport', 'downloadReport'] as const),
  ...(['getConversionDetails', 'getNotificationOfChanges', 'getPurchaseRefundDetails'] as const),
  ...(['getNetFundings', 'getPaymentBatchSummaries', 'deviceStatus', 'lookupDeviceTransaction'] as const),
  'showDeviceSummary',
] as const satisfies readonly OperationName[];

/** Operations that carry what a customer proves with, or that operators make: no agent calls them. */
export const notAgents = [
  'validateAuthenticationCode',
  'createPaymentCredentials',
  // An operator's.
  'generateDeviceKey',
  'refundWithoutOriginal',
] as const satisfies readonly OperationName[];

/** All others: an agent changes something with them. */
export type Changing = Exclude<OperationName, (typeof looking)[number] | (typeof notAgents)[number]>;
export const isChanging = (name: OperationName): name is Changing =>
  ![...looking, ...notAgents].some((one) => one === name);
