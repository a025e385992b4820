import type { domains } from '../../src/domains/index.ts';
import { platformTools, type Tool } from '../../src/engine/tool.ts';
import { deleteReportSubscription } from './delete-report-subscription.ts';
import { describeReportDefinition } from './describe-report-definition.ts';
import { downloadReport } from './download-report.ts';
import { getPaymentBatchSummaries } from './get-payment-batch-summaries.ts';
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
  getPaymentBatchSummaries,
});
