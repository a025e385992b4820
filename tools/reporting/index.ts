import type { domains } from '../../src/domains/index.ts';
import { platformTools, type Tool } from '../../src/engine/tool.ts';
import { deleteReportSubscription } from './delete-report-subscription.ts';
import { describeReportDefinition } from './describe-report-definition.ts';
import { downloadReport } from './download-report.ts';
import { getConversionDetails } from './get-conversion-details.ts';
import { getNetFundings } from './get-net-fundings.ts';
import { getNotificationOfChanges } from './get-notification-of-changes.ts';
import { getPaymentBatchSummaries } from './get-payment-batch-summaries.ts';
import { getPurchaseRefundDetails } from './get-purchase-refund-details.ts';
import { listReportDefinitions } from './list-report-definitions.ts';
import { getReport, listReports } from './read-reports.ts';
import { getReportSubscription, listReportSubscriptions } from './read-subscriptions.ts';
import { requestReport } from './request-report.ts';
import { saveReportSubscription } from './save-report-subscription.ts';

export const reporting: readonly Tool[] = platformTools<keyof typeof domains.reporting.contract>({
  listReportDefinitions,
  describeReportDefinition,
  listReportSubscriptions,
  getReportSubscription,
  saveReportSubscription,
  deleteReportSubscription,
  requestReport,
  listReports,
  getReport,
  downloadReport,
  getConversionDetails,
  getNotificationOfChanges,
  getPurchaseRefundDetails,
  getNetFundings,
  getPaymentBatchSummaries,
});
