import type { ToolSpec } from '../../src/engine/tool.ts';
import { stateElsewhere } from '../echo.ts';
import { stateChange, stateReadBack } from './state-change.ts';

export const cancelInvoice: ToolSpec<'cancelInvoice'> = {
  ...stateChange,
  description: 'End an invoice of which nothing is paid, for good: its link stops working.',
  observe: {
    ...stateChange.observe,
    contradicts: (_, { body }, sent) => stateElsewhere(sent, body.status, 'status'),
    observations: () => [{ kind: 'invoice', body: { link: null } }],
  },
  present: {
    ...stateChange.present,
    messages: { CANCELED: 'The invoice is cancelled, and its link has stopped working. That is final.' },
    next: { CANCELED: { tools: ['create_invoice'], because: 'A corrected invoice usually replaces it.' } },
  },
  reconcile: {
    readBack: stateReadBack,
  },
};
