import { expect, it } from 'vitest';
import { world } from '../engine/support.ts';
import { approvalLines } from '../support/approval-lines.ts';

// An agent that would have a person say yes to an invoice, or to settings, that they have not read.

const bill = (more: object = {}) => ({
  ...{ reference: 'A-1', how: 'draft', total: '40.00', currency: 'USD', due: '2026-03-01' },
  ...{ customer_name: 'Ada Example', customer_email: 'ada@example.com', description: 'Repair of a loudspeaker' },
  ...more,
});
const line = (sku: string, price: string) => ({ sku, name: 'Cone', quantity: 1, price, total: price });

/** The lines of the question that an update of a plain invoice asks. */
async function read(change: object, created: object = {}): Promise<readonly string[]> {
  const it = await world();
  const { data } = await it.call('create_invoice', bill(created));
  const { approval, error } = await it.call('update_invoice', { invoice: data.invoice, ...change });
  return approval === undefined ? [`${error?.rule}: ${error?.untrusted}`] : approvalLines(approval.text);
}

it('shows each line of an invoice, though another is named as if it were a second one of its kind', async () => {
  const lines = [line('A', '1.00'), line('A', '1000.00'), line('A#2', '1.00')];
  const text = await read({ lines, total: '1002.00', remove: ['lines.B'] }, { lines: [line('B', '40.00')] });
  const prices = text.filter((it) => it.includes('.price": nothing →'));
  expect(prices).toEqual([
    '"lines.A.price": nothing → "1.00"',
    '"lines.A#3.price": nothing → "1000.00"',
    '"lines.A#2.price": nothing → "1.00"',
  ]);
});

it('drops no line that is named as if it were a second one of its kind', async () => {
  const kept = [line('A', '10.00'), line('A', '10.00')];
  const said = await read({ lines: kept, total: '20.00' }, { lines: [...kept, line('A#2', '20.00')] });
  expect(said).toEqual(['IN-06: lines.A#3']);
});

it('shows the whole of an address that an invoice goes to, and of what it says', async () => {
  const customer_email = 'ada.example@accounts-harbour-audio-payments1.com';
  const description = 'Pay at https://accounts-harbour-audio-payments1.com/pay';
  const text = await read({ customer_email, description });
  expect(text).toEqual(
    expect.arrayContaining([
      'Customer name: "Ada Example"',
      `Customer email: "ada@example.com" → "${customer_email}"`,
      `Description: "Repair of a loudspeaker" → "${description}"`,
    ]),
  );
});

it.each([
  ['a host that looks like another', 'https://p\u0430ypal.com/done', 'xn--pypal-4ve.com'],
  ['a name before the host', 'https://shop.harbour-audio.example.com@evil.example/done', 'evil.example'],
  ['a host in other signs', 'https://evil\u3002example/done', 'evil.example'],
])('says where an address leads: %s', async (_, accepted_url, host) => {
  const it = await world();
  const { approval } = await it.call('update_invoice_settings', { accepted_url });
  expect(approvalLines(approval?.text)).toContain(`Accepted url leads to: ${host}`);
});

it('says nothing more of an address that is what it seems', async () => {
  const it = await world();
  const accepted_url = 'https://shop.harbour-audio-payments1.example.com/done';
  const { approval } = await it.call('update_invoice_settings', { accepted_url });
  expect(approvalLines(approval?.text).slice(1)).toEqual([
    `Accepted url: "${accepted_url}"`,
    'Merchant: "Harbour Audio"',
  ]);
});
