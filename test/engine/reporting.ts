import { limits } from '../../src/core/limits.ts';
import { captured } from './conversion.ts';
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
  const { from, until } = report(more);
  return (await it.call('list_reports', { from, until, by: 'range' })).data.items[0].report;
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
