import { z } from 'zod';
import { decimal } from '../../../core/money.ts';
import { existing, PlatformError } from '../../../sandbox/answer.ts';
import { controlCall, type SandboxDomain } from '../../../sandbox/domain.ts';
import { reporting as contract } from '../contract.ts';
import { moveReport, settleReport } from './clock.ts';
import { handlers } from './handlers.ts';
import { settleReportSubscription } from './recurring.ts';
import { sumOf, transactionsOf } from './transactions.ts';

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
    controlCall('POST /sandbox/chargebacks', z.strictObject({ transaction: z.string() }), ({ world, body }) => {
      const merchants = world.list('merchant');
      const paid = merchants.flatMap((it) => transactionsOf(world, it).map((each) => ({ ...each, merchantId: it.id })));
      const sale = existing(
        paid.find(({ kind, requestId }) => kind === 'sale' && requestId === body.transaction),
        'payment',
      );
      return world.put('chargeback', {
        ...{ id: `chargeback-${sale.requestId}`, merchantId: sale.merchantId, transactionId: sale.requestId },
        ...{ amount: decimal(sumOf(sale)), currency: sale.currency, at: world.now },
      });
    }),
    controlCall(
      'POST /sandbox/account-changes',
      z.strictObject({
        merchantReferenceNumber: z.string().optional(),
        transactionReferenceNumber: z.string().optional(),
        code: z.string(),
        accountType: z.string().optional(),
        routingNumber: z.string().optional(),
        accountNumber: z.string().optional(),
        consumerName: z.string().optional(),
      }),
      ({ world, body }) => {
        const [merchant] = world.list('merchant');
        const id = `change-${String(world.count('account change')).padStart(6, '0')}`;
        return world.put('accountChange', {
          ...{ id, merchantId: existing(merchant, 'merchant').id, at: world.now, told: body },
        });
      },
    ),
  ],
};
