import { z } from 'zod';
import { existing, PlatformError } from '../../../sandbox/answer.ts';
import { controlCall, type SandboxDomain } from '../../../sandbox/domain.ts';
import { reporting as contract } from '../contract.ts';
import { moveReport, settleReport } from './clock.ts';
import { handlers } from './handlers.ts';
import { settleReportSubscription } from './recurring.ts';

/** How the sandbox simulates reporting. */
export const reporting: SandboxDomain<typeof contract> = {
  contract,
  handlers,
  settlers: { report: settleReport, reportSubscription: settleReportSubscription },
  control: [
    controlCall('POST /sandbox/reports/fail', z.strictObject({ name: z.string() }), ({ world, body }) => {
      const named = world
        .list('report')
        .filter(({ terms }) => terms.reportName === body.name)
        .toSorted((one, other) => other.seq - one.seq);
      const failed = moveReport(world, existing(named[0], 'report'), 'fail');
      if (failed === undefined) throw new PlatformError(400, 'INVALID_STATE', 'The report is finished.');
      return { state: failed.state };
    }),
  ],
};
