import { z } from 'zod';
import { limits } from '../../../core/limits.ts';
import { existing } from '../../../sandbox/answer.ts';
import { controlCall, type SandboxDomain } from '../../../sandbox/domain.ts';
import { invoicing as contract } from '../contract.ts';
import { settleInvoice } from './clock.ts';
import { handlers } from './handlers.ts';
import { endReview, servePayment } from './pay.ts';

/** How the sandbox simulates invoicing. */
export const invoicing: SandboxDomain<typeof contract> = {
  contract,
  handlers,
  // The settings can contain a logo.
  bodyBytes: { updateInvoiceSettings: limits.settingsRequestBytes },
  settlers: { invoice: settleInvoice },
  control: [
    controlCall(
      'POST /sandbox/invoices/{number}/review',
      z.strictObject({ accepts: z.boolean().default(true) }),
      ({ world, path, body: { accepts } }) => {
        const it = existing(
          world.list('invoice').find(({ number }) => number === path.number),
          'invoice',
        );
        const { number, state } = endReview(world, it, accepts);
        return { invoice: number, status: state };
      },
    ),
  ],
  // Where customers pay.
  pages: { '/pay/': servePayment },
};
