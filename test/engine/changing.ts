import { type Changing, followed, plan, planned, running, subscribed, subscription } from './billing.ts';
import { authorized, captured, offered, paying, refunded } from './conversion.ts';
import { charging, deviceOf, held, readyDevice, sold } from './device.ts';
import { bill, billed } from './invoicing.ts';
import { approvedBinding, authentication, challenged } from './passkey.ts';
import { report, reportSubscription, subscribedReport } from './reporting.ts';
import { bought, change, order, paid, payment, type World } from './support.ts';

/** The currency of a call's money: payments are in the shop's own. */
export const currencyOf = (name: string): 'USD' | 'GBP' =>
  ['authorizePayment', 'capturePayment', 'refundCapture'].includes(name) ? 'USD' : 'GBP';

/**
 * Every operation with which an agent changes something, with what brings a world to where it can be called. The others are
 * listed in `looking` and `notAgents` (billing.ts).
 */
export const changing = {
  enrollCard: async () => ({ card: 'card_ada' }),
  initiatePurchase: async (it) => {
    await it.call('enroll_card', { card: 'card_ada' });
    return order();
  },
  updatePurchase: async (it) => change(await bought(it), { limit: { amount: '60.00', currency: 'GBP' } }),
  cancelPurchase: async (it) => ({ instruction: await bought(it) }),
  retrieveCredentials: async (it) => payment(await bought(it)),
  confirmTransaction: async (it) => ({ instruction: await paid(it) }),
  createAuthenticationOptions: async () => authentication(),
  createOneTimePassword: async (it) => ({
    authentication: await challenged(it),
    option: 'option_1',
    request_number: 1,
  }),
  createAuthenticationRegistration: async (it) => ({ authentication: await approvedBinding(it) }),
  chooseCurrency: async (it) => ({ offer: await offered(it), currency: 'AUD' }),
  authorizePayment: async () => paying(),
  reversePayment: async (it) => ({ charge: await authorized(it) }),
  capturePayment: async (it) => ({ charge: await authorized(it) }),
  voidCapture: async (it) => ({ capture: await captured(it) }),
  refundCapture: async (it) => ({ capture: await captured(it) }),
  voidRefund: async (it) => ({ refund: await refunded(it) }),
  createPlan: async () => plan(),
  amendPlan: async (it) => ({ plan: await planned(it), apply_to: 'NEW', every: 2, unit: 'month' }),
  activatePlan: async (it) => ({ plan: await planned(it, { draft: true }) }),
  deactivatePlan: async (it) => ({ plan: await planned(it) }),
  deletePlan: async (it) => ({ plan: await planned(it) }),
  createSubscription: async (it) => subscription({ plan: await planned(it) }),
  updateSubscription: async (it) => ({ subscription: await subscribed(it), name: 'Silver for Ada' }),
  cancelSubscription: async (it) => ({ subscription: await subscribed(it) }),
  suspendSubscription: async (it) => ({ subscription: await running(it) }),
  reactivateSubscription: async (it) => {
    const found = await running(it);
    await it.call('suspend_subscription', { subscription: found });
    return { subscription: found, collect_missed: false };
  },
  skipSubscriptionPayments: async (it) => ({ subscription: await subscribed(it), cycles: [2] }),
  createFollowOnSubscription: async (it) => {
    const { card: _, ...args } = subscription({ plan: await planned(it) });
    return { follow_on: await followed(it), ...args };
  },
  createInvoice: async () => bill(),
  updateInvoice: async (it) => ({ invoice: await billed(it), total: '41.00' }),
  sendInvoice: async (it) => ({ invoice: await billed(it) }),
  cancelInvoice: async (it) => ({ invoice: await billed(it) }),
  publishInvoice: async (it) => ({ invoice: await billed(it, { how: 'draft' }) }),
  updateInvoiceSettings: async () => ({ display_name: 'Harbour' }),
  saveReportSubscription: async () => reportSubscription(),
  requestReport: async () => report(),
  deleteReportSubscription: async (it) => ({ report_subscription: await subscribedReport(it) }),
  enrollDevice: async (it) => ({ device: await deviceOf(it) }),
  chargeDevice: async (it) => charging(await readyDevice(it)),
  incrementPreauthorization: async (it) => ({ transaction: await held(it), amount: '5.00' }),
  capturePreauthorization: async (it) => ({ transaction: await held(it) }),
  refundDeviceTransaction: async (it) => ({ transaction: await sold(it) }),
  sendDeviceReceipt: async (it) => ({ transaction: await sold(it) }),
} as const satisfies {
  readonly [N in Changing]: (it: World) => Promise<object>;
};
