import { limits } from '../../src/core/limits.ts';
import type { Snapshot } from '../../src/sandbox/documents.ts';
import { captured } from './conversion.ts';
import { bill } from './invoicing.ts';
import type { World } from './support.ts';

// Report subscriptions as an agent asks for them, and worlds that have them.

export const reportSubscription = (more: object = {}) => ({
  ...{ name: 'Daily sales', definition: 'TransactionRequestClass', frequency: 'daily', time: '0630' },
  ...{ fields: ['Request.RequestID', 'PaymentData.Amount'], time_zone: 'Europe/London', format: 'csv' },
  ...more,
});

/** A one-time report of a past month. */
export const report = (more: object = {}) => ({
  ...{ name: 'January', definition: 'TransactionRequestClass', format: 'csv' },
  ...{ fields: ['Request.RequestID', 'PaymentData.Amount'] },
  ...{ from: '2026-01-01T00:00:00Z', until: '2026-02-01T00:00:00Z', ...more },
});

/** The handle of a one-time report that was requested. */
export async function requestedReport(it: World, more: object = {}): Promise<string> {
  await it.through('request_report', report(more));
  const { from, until, name } = report(more);
  return (await it.call('list_reports', { from, until, by: 'range', name })).data.items[0].report;
}

/** The handle of a report that is finished, and of a sale. */
export async function finishedReport(it: World, more: object = {}): Promise<string> {
  await captured(it);
  const handle = await requestedReport(it, more);
  await it.advance(limits.reportPendingSeconds + limits.reportQueuedSeconds + limits.reportRunningSeconds);
  return handle;
}

/** The handle of a new report subscription. */
export const subscribedReport = async (it: World, more: object = {}): Promise<string> =>
  (await it.through('save_report_subscription', reportSubscription(more))).data.report_subscription;

/** A payment of an invoice that was held for review, and then accepted. */
export async function reviewedPayment(it: World): Promise<string> {
  await it.through('create_invoice', bill());
  const { documents } = (await it.control('GET', 'snapshot')) as Snapshot; // as the control API has it
  const token = documents.find(({ kind }) => kind === 'paymentLink')?.body.id ?? '';
  const link = new Request(`https://sandbox.purser.test/pay/${token}`, { method: 'POST', body: '{"card":"review"}' });
  const answer = await it.running.sandbox?.handle(link);
  if (answer?.status !== 200) throw new Error(`The payment is answered with ${answer?.status}.`);
  await it.control('POST', 'invoices/A-1/review', { accepts: true });
  return 'A-1';
}

/** A bank corrects the account of an electronic check. */
export async function correctedAccount(it: World, more: object = {}): Promise<string> {
  const change = { code: 'C01', accountNumber: '000123456789', routingNumber: '071923284', ...more };
  await it.control('POST', 'account-changes', change);
  return '';
}
