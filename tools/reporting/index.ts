import type { domains } from '../../src/domains/index.ts';
import { platformTools, type Tool } from '../../src/engine/tool.ts';
import { describeReportDefinition } from './describe-report-definition.ts';
import { listReportDefinitions } from './list-report-definitions.ts';

export const reporting: readonly Tool[] = platformTools<keyof typeof domains.reporting.contract>({
  listReportDefinitions,
  describeReportDefinition,
});
