import type { Facts } from '../../src/domains/facts.ts';
import type { SentRequest } from '../../src/engine/sent-request.ts';
import { readBack } from '../../src/engine/tool.ts';
import { moved } from '../read-back.ts';
import { refreshInvoice } from './get-invoice.ts';
import { invoiceEntity, theInvoiceArg } from './invoice.ts';
import { invoiceOutput, theInvoice } from './output.ts';

const statusIn = ({ body }: Moved): string => body.status;

/** The parts shared by tools that change an invoice's state but not its content. */
export const stateChange = {
  input: { args: () => ({ invoice: theInvoiceArg }) },
  refresh: refreshInvoice,
  policy: { lockKey: ({ things }: Pick<Facts, 'things'>) => things.invoice?.handle ?? '' },
  observe: {
    moves: { kind: 'invoice', entity: invoiceEntity },
    stateFromResponse: statusIn,
    contradicts: (_: Facts, { body }: Moved, { from, reaches }: SentRequest) =>
      body.status === from && from !== reaches ? 'status' : undefined,
  },
  present: { outputSchema: invoiceOutput, shows: theInvoice },
} as const;

export const stateReadBack = readBack('getInvoice', {
  with: ({ names }) => ({ names }),
  finds: (it, sent) => (it === undefined ? 'unclear' : moved(sent, it.status, () => it)),
});

export interface Moved {
  readonly body: {
    readonly status: string;
    readonly invoiceInformation?: { readonly paymentLink?: string | undefined } | undefined;
  };
}
