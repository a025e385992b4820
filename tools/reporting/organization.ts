import { optional, queryField } from '../../src/engine/tool-arguments.ts';

type Reading =
  | 'listReportDefinitions'
  | 'describeReportDefinition'
  | 'listReportSubscriptions'
  | 'getReportSubscription'
  | 'deleteReportSubscription'
  | 'downloadReport'
  | 'getConversionDetails'
  | 'getNetFundings'
  | 'getPaymentBatchSummaries';

/** The merchant that a partner asks about (RP-12). */
export const organizationArg = (operation: Reading) =>
  optional(queryField(operation)('organizationId', 'Partners only.'));
