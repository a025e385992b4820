import { optional, queryField } from '../../src/engine/tool-arguments.ts';

/** The merchant that a partner asks about (RP-12). */
export const organizationArg = (operation: 'listReportDefinitions' | 'describeReportDefinition') =>
  optional(queryField(operation)('organizationId', 'For partners alone.'));
