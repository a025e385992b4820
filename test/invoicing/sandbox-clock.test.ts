import { describe, expect, it } from 'vitest';
import { start } from '../sandbox/support.ts';
import { Shop } from './sandbox.ts';

// What time does to invoices, at the very millisecond: days are counted in GMT, whatever the clocks of a country do.

const day = 86_400_000;

// Month ends, leap days, and the days on which Europe and the United States change their clocks.
const expiries = [
  '2026-01-31',
  '2026-02-28',
  '2026-03-01',
  '2026-03-08',
  '2026-03-29',
  '2026-04-30',
  '2026-10-25',
  '2026-11-01',
  '2026-12-31',
  '2027-01-01',
  '2028-02-29',
  '2028-03-01',
] as const;

describe.each(expiries)('an invoice that expires on %s', (date) => {
  const expirationDate = date.split('-').reverse().join('-');
  const end = Date.parse(`${date}T00:00:00Z`);
  // A due date so late that its link outlives the invoice.
  const change = { information: { expirationDate, dueDate: date } };

  it.each([
    [-1, 'SENT', 200, 200],
    [0, 'EXPIRED', 400, 400],
    [1, 'EXPIRED', 400, 400],
  ])('is, %i ms from 00:00 GMT, %s', async (offset, status, delivered, paid) => {
    const shop = new Shop();
    const { id, link } = await shop.billed('send', change);
    await shop.at(end + offset);
    expect(await shop.status(id)).toBe(status);
    expect((await shop.deliver(id)).status).toBe(delivered);
    expect((await shop.pay(link)).status).toBe(paid);
    expect(await shop.status(id)).toBe(status === 'SENT' ? 'PAID' : 'EXPIRED');
  });

  it('lives on where it is paid the millisecond before', async () => {
    const shop = new Shop();
    const { id, link } = await shop.billed('share', change);
    await shop.at(end - 1);
    await shop.pay(link);
    await shop.at(end + day);
    expect(await shop.status(id)).toBe('PAID');
  });
});

describe('an expiration date', () => {
  it('that is today ends the invoice as soon as it is created', async () => {
    const shop = new Shop();
    const { body } = await shop.create('share', { information: { expirationDate: '15-01-2026' } });
    expect(body.status).toBe('EXPIRED');
  });

  it.each([
    ['draft', ['DRAFT']],
    ['emailDraft', ['DRAFT']],
    ['share', ['CREATE']],
    ['send', ['CREATE']],
  ] as const)('that is today has nothing sent to anybody, created to %s (D-22)', async (mode, history) => {
    const shop = new Shop();
    const { body } = await shop.create(mode, { information: { expirationDate: '15-01-2026' } });
    const { invoiceHistory } = (await shop.read(body.id)).body;
    expect([body.status, invoiceHistory.map(({ event }: { event: string }) => event)]).toEqual(['EXPIRED', history]);
    expect([await shop.emails(), await shop.events()]).toEqual([[], []]);
    expect((await shop.deliver(body.id)).status).toBe(400);
  });

  it('that is moved in an update counts from then on', async () => {
    const shop = new Shop();
    const { id } = await shop.billed('draft', { information: { expirationDate: '20-01-2026' } });
    await shop.at('2026-01-19T23:59:59.999Z');
    const { invoice } = await import('./sandbox.ts');
    await shop.replace(id, invoice('draft', { information: { expirationDate: '22-01-2026' } }));
    await shop.at('2026-01-21T12:00:00Z');
    expect(await shop.status(id)).toBe('DRAFT');
    await shop.at('2026-01-22T00:00:00Z');
    expect(await shop.status(id)).toBe('EXPIRED');
  });

  it('that comes while a payment is under review ends the invoice where the payment is rejected', async () => {
    const shop = new Shop();
    const { id, link } = await shop.billed('send', { information: { expirationDate: '20-01-2026' } });
    await shop.pay(link, { card: 'review' });
    await shop.at('2026-01-25T00:00:00Z');
    expect(await shop.status(id)).toBe('PENDING');
    await shop.control('POST', `invoices/${id}/review`, { accepts: false });
    expect(await shop.status(id)).toBe('EXPIRED');
  });

  it('that comes after a part was paid keeps that part', async () => {
    const shop = new Shop();
    const information = { expirationDate: '20-01-2026', allowPartialPayments: true };
    const { id, link } = await shop.billed('send', { information });
    await shop.pay(link, { amount: '10.00' });
    await shop.at('2026-01-20T00:00:00Z');
    const { body } = await shop.read(id);
    expect([body.status, body.orderInformation.amountDetails.balanceAmount]).toEqual(['EXPIRED', 30]);
  });
});

describe('a reminder', () => {
  const at = '/invoicing/v2/invoiceSettings?productType=INVOICING';
  const shopThatReminds = async () => {
    const shop = new Shop();
    await shop.call('PUT', at, {
      invoiceSettingsInformation: { enableReminders: true, customEmailMessage: 'Thank you' },
    });
    return shop;
  };
  const templates = async (shop: Shop) => (await shop.emails()).map(({ template }) => template);
  const due = Date.parse('2026-03-01T00:00:00Z');

  it.each([
    [due - 5 * day - 1, ['invoice']],
    [due - 5 * day, ['invoice', 'invoiceReminder']],
    [due + day - 1, ['invoice', 'invoiceReminder']],
    [due + day, ['invoice', 'invoiceReminder', 'invoiceOverdueReminder']],
    [due + 40 * day, ['invoice', 'invoiceReminder', 'invoiceOverdueReminder']],
  ])('goes out five days before the due date and one day after it: by %i', async (now, expected) => {
    const shop = await shopThatReminds();
    const { id } = await shop.billed('send');
    await shop.at(now);
    expect(await templates(shop)).toEqual(expected);
    expect(await shop.events()).toEqual(['send', 'reminder', 'overdue-reminder'].slice(0, expected.length));
    expect(
      (await shop.read(id)).body.invoiceHistory.filter(({ event }: { event: string }) => event === 'REMINDER'),
    ).toHaveLength(expected.length - 1);
  });

  it('is not for what is paid, cancelled, a draft, or shared by hand, nor where settings do not ask for it', async () => {
    const shop = await shopThatReminds();
    const [paid, gone] = [await shop.billed('send'), await shop.billed('send')];
    await shop.billed('emailDraft');
    await shop.billed('share');
    await shop.pay(paid.link);
    await shop.void(gone.id);
    await shop.at(due + 40 * day);
    expect(await templates(shop)).toEqual(['invoice', 'invoice']);
    const silent = new Shop();
    await silent.billed('send');
    await silent.at(due + 40 * day);
    expect(await templates(silent)).toEqual(['invoice']);
  });

  it('carries the link, what is left and the words of the settings', async () => {
    const shop = await shopThatReminds();
    const { link } = await shop.billed('send');
    await shop.at(due);
    expect((await shop.emails()).at(-1)).toMatchObject({
      to: 'ada@example.com',
      fields: {
        paymentLink: link,
        balanceAmount: '40.00',
        currency: 'USD',
        dueDate: '2026-03-01',
        message: 'Thank you',
      },
    });
  });
});

it('lets a payment link die twelve months after the due date, to the millisecond', async () => {
  const shop = new Shop();
  const { link } = await shop.billed('send');
  const dies = Date.parse('2027-03-01T00:00:00Z');
  await shop.at(dies - 1);
  expect((await shop.visit(link)).status).toBe(200);
  await shop.at(dies);
  expect([(await shop.visit(link)).status, (await shop.pay(link)).status]).toEqual([404, 404]);
});

it('comes to the same world in one step of the clock or in many', async () => {
  const run = async (steps: number) => {
    const shop = new Shop();
    await shop.call('PUT', '/invoicing/v2/invoiceSettings?productType=INVOICING', {
      invoiceSettingsInformation: { enableReminders: true },
    });
    await shop.billed('send');
    await shop.billed('share', { information: { expirationDate: '05-03-2026' } });
    for (let step = 1; step <= steps; step += 1) await shop.at(start + (step * 100 * day) / steps);
    const { documents } = await shop.sandbox.world.snapshot();
    return documents;
  };
  expect(await run(100)).toEqual(await run(1));
});
