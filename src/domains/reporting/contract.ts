import { z } from 'zod';
import { file, fileOr, fileTypes } from '../../core/file-answer.ts';
import { operation } from '../../core/operation.ts';
import { batchQuery, batchSummaries } from './batch-shapes.ts';
import { columnNames } from './columns.ts';
import { definitionFilters, definitionList, definitionQuery, definitionWithFields } from './definition-shapes.ts';
import { reportingError, reportingReadError, reportRequestError } from './errors.ts';
import { reportSubscription as subscription } from './machines.ts';
import {
  changesQuery,
  conversionDetails,
  conversionQuery,
  fundingQuery,
  netFundings,
  notificationOfChanges,
  purchaseDetails,
  purchaseQuery,
} from './on-demand-shapes.ts';
import { newReport, reportDownload, reportMetadata, reportResults, reportSearch } from './report-shapes.ts';
import {
  newReportSubscription,
  organizationFilter,
  reportSubscription,
  reportSubscriptionList,
} from './subscription-shapes.ts';

const nothing = z.undefined();
/** How the files of reports are laid out: two records before the first row, or an element for each. */
const reportFile = {
  ...{ element: 'Request', headerLines: 2 },
  sums: {
    amount: columnNames('PaymentData.Amount'),
    currency: columnNames('PaymentData.CurrencyCode'),
    at: columnNames('Request.TransactionDate'),
  },
} as const;

/** Reporting: document 3, "Endpoints". */
export const reporting = {
  listReportDefinitions: operation({
    call: 'GET /reporting/v3/report-definitions',
    title: 'Summary of report definitions',
    about: 'Lists what reports can be made of.',
    effect: 'read',
    recovery: 'repeat',
    shape: 'RP-12',
    query: definitionFilters,
    output: () => ({ 200: definitionList() }),
    error: reportingReadError,
  }),

  describeReportDefinition: operation({
    call: 'GET /reporting/v3/report-definitions/{reportDefinitionName}',
    title: 'One report definition',
    about: 'Returns a definition with every field that its reports can have.',
    effect: 'read',
    recovery: 'repeat',
    shape: 'RP-02',
    path: { reportDefinitionName: 'reference' },
    query: definitionQuery,
    output: () => ({ 200: definitionWithFields() }),
    error: reportingReadError,
  }),

  listReportSubscriptions: operation({
    call: 'GET /reporting/v3/report-subscriptions',
    title: 'List report subscriptions',
    about: 'Lists the reports that are made again and again.',
    effect: 'read',
    recovery: 'repeat',
    shape: 'RP-12',
    query: organizationFilter,
    output: () => ({ 200: reportSubscriptionList() }),
    error: reportingReadError,
  }),

  getReportSubscription: operation({
    call: 'GET /reporting/v3/report-subscriptions/{reportName}',
    title: 'One report subscription',
    about: 'Returns a report subscription with its fields.',
    effect: 'read',
    recovery: 'repeat',
    shape: 'RP-01',
    path: { reportName: 'reportSubscription.reportName' },
    worded: ['reportName'],
    query: organizationFilter,
    output: () => ({ 200: reportSubscription() }),
    error: reportingReadError,
  }),

  saveReportSubscription: operation({
    call: 'PUT /reporting/v3/report-subscriptions',
    title: 'Create or update a report subscription',
    about: 'Has a report made again and again; a subscription of that name is replaced.',
    effect: 'write',
    recovery: 'repeat',
    shape: 'RP-04',
    moves: subscription.on('save'),
    body: newReportSubscription,
    output: () => ({ 200: nothing, 304: nothing }),
    error: reportRequestError,
  }),

  deleteReportSubscription: operation({
    call: 'DELETE /reporting/v3/report-subscriptions/{reportName}',
    title: 'Delete a report subscription',
    about: 'Ends a report subscription; its finished reports stay.',
    effect: 'write',
    recovery: 'repeat',
    shape: 'RP-01',
    moves: subscription.on('delete'),
    path: { reportName: 'reportSubscription.reportName' },
    worded: ['reportName'],
    query: organizationFilter,
    output: () => ({ 200: nothing }),
    error: reportingError,
  }),

  requestReport: operation({
    call: 'POST /reporting/v3/reports',
    also: ['PUT /reporting/v3/reports'],
    title: 'Create a one-time report',
    about: 'Has a report made of a past time, once.',
    effect: 'write',
    recovery: 'readBack',
    shape: 'RP-04',
    body: newReport,
    output: () => ({ 200: nothing, 201: nothing, 304: nothing }),
    error: reportRequestError,
  }),

  listReports: operation({
    call: 'GET /reporting/v3/reports',
    title: 'Retrieve available reports',
    about: 'Finds reports by the time that they are about, or at which they were made.',
    effect: 'read',
    recovery: 'repeat',
    shape: 'RP-07',
    query: reportSearch,
    output: () => ({ 200: reportResults() }),
    error: reportingReadError,
  }),

  getReport: operation({
    call: 'GET /reporting/v3/reports/{reportId}',
    asksFor: { by: 'reportId', namedAs: ['reportId'] },
    title: 'One report',
    about: 'Returns what a report is about, and its state; its file where that is asked for (D-25).',
    effect: 'read',
    recovery: 'repeat',
    shape: 'EN-09',
    path: { reportId: 'report.reportId' },
    query: organizationFilter,
    output: () => ({ 200: fileOr(reportMetadata(), fileTypes, reportFile) }),
    error: reportingReadError,
  }),

  downloadReport: operation({
    call: 'GET /reporting/v3/report-downloads',
    title: 'Download a report by name and date',
    about: 'Returns the file of a finished report.',
    effect: 'read',
    recovery: 'repeat',
    shape: 'RP-08',
    query: reportDownload,
    output: () => ({ 200: file(fileTypes, reportFile) }),
    error: reportingError,
  }),

  getConversionDetails: operation({
    call: 'GET /reporting/v3/conversion-details',
    title: 'On-demand conversion detail',
    about: 'Lists decisions on orders that were reviewed; as a file where that is asked for.',
    effect: 'read',
    recovery: 'repeat',
    shape: 'RP-11',
    query: conversionQuery,
    output: () => ({ 200: conversionDetails() }),
    error: reportingError,
  }),

  getNotificationOfChanges: operation({
    call: 'GET /reporting/v3/notification-of-changes',
    title: 'On-demand notification of change',
    about: 'Lists bank accounts of electronic checks that are wrong or have changed.',
    effect: 'read',
    recovery: 'repeat',
    shape: 'EN-09',
    query: changesQuery,
    output: () => ({ 200: notificationOfChanges() }),
    error: reportingError,
  }),

  getPurchaseRefundDetails: operation({
    call: 'GET /reporting/v3/purchase-refund-details',
    title: 'On-demand purchase and refund detail',
    about: 'Lists purchases and refunds with their fees, a page at a time; as a file where that is asked for.',
    effect: 'read',
    recovery: 'repeat',
    shape: 'RP-10',
    query: purchaseQuery,
    output: () => ({ 200: purchaseDetails() }),
    error: reportingError,
  }),

  getNetFundings: operation({
    call: 'GET /reporting/v3/net-fundings',
    title: 'On-demand net funding',
    about: 'Sums what was paid out: purchases less refunds, fees and chargebacks.',
    effect: 'read',
    recovery: 'repeat',
    shape: 'RP-12',
    query: fundingQuery,
    output: () => ({ 200: netFundings() }),
    error: reportingError,
  }),

  getPaymentBatchSummaries: operation({
    call: 'GET /reporting/v3/payment-batch-summaries',
    title: 'Payment batch summary',
    about: 'Sums sales and refunds by currency and payment method.',
    effect: 'read',
    recovery: 'repeat',
    shape: 'RP-09',
    query: batchQuery,
    output: () => ({ 200: batchSummaries() }),
    error: reportingReadError,
  }),
} as const;
