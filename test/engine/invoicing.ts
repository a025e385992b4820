import type { World } from './support.ts';

// Invoices as an agent asks for them, and worlds that have them.

export const bill = (more: object = {}) => ({
  ...{ reference: 'A-1', how: 'email', total: '40.00', currency: 'USD', due: '2026-03-01' },
  ...{ customer_name: 'Ada Example', customer_email: 'ada@example.com', description: 'Repair of a loudspeaker' },
  ...more,
});

/** The handle of a new invoice. */
export async function billed(it: World, more: object = {}): Promise<string> {
  return (await it.through('create_invoice', bill(more))).data.invoice;
}
