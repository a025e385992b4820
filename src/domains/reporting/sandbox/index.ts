import type { SandboxDomain } from '../../../sandbox/domain.ts';
import { reporting as contract } from '../contract.ts';
import { settleReport } from './clock.ts';
import { handlers } from './handlers.ts';
import { settleReportSubscription } from './recurring.ts';

/** How the sandbox simulates reporting. */
export const reporting: SandboxDomain<typeof contract> = {
  contract,
  handlers,
  settlers: { report: settleReport, reportSubscription: settleReportSubscription },
};
