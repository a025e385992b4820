import { describe, expect, it } from 'vitest';
import { tools } from '../../tools/index.ts';
import { order, world } from './support.ts';

// A call with several faults hears all of them at once.

describe('the faults of a call', () => {
  it('are all named, each with what is wrong, misspelled names first', async () => {
    const it = await world();
    const said = await it.call('initiate_purchase', {
      reference: 'order 1',
      limt: { amount: '40.00', currency: 'GBP' },
      until: 'tomorrow',
      description: 7,
    });
    expect(said).toMatchObject({
      outcome: 'refused',
      error: {
        code: 'INVALID_ARGUMENT',
        rule: 'EN-01',
        retry: 'changed_call',
        field: 'limit',
        fields: ['limit', 'card', 'reference', 'until', 'description'],
      },
    });
    for (const field of said.error?.fields ?? []) expect(said.said).toContain(field);
    expect([await it.operations(), await it.effects()]).toEqual([[], []]);
  });

  it('name the argument that a member stands beside, where one alone has it', async () => {
    const it = await world();
    const flat = { device: 'reader_x', reference: 'sale-1', amount: '5.00', currency: 'GBP' };
    const { error, said } = await it.call('charge_device', flat);
    expect(error).toMatchObject({ field: 'sum.amount', fields: ['sum.amount', 'sum.currency', 'sum'] });
    expect(said).toContain('"sum.amount" and "sum.currency"');
    // In a plan they stand by themselves, and an amount in the price of a line is no argument's.
    expect((await it.call('get_plan', { plan: 'plan_x', amount: '5.00' })).error).toMatchObject({ field: 'amount' });
  });

  it('name an argument that the tool lacks by its own name, where that is plain words', async () => {
    const it = await world();
    const { error } = await it.call('get_plan', {
      plan: 'plan_x',
      colour: 'red',
      unheardOf: 1,
      correcthorsebatterystaple: 1,
    });
    expect([error?.field, error?.fields]).toEqual(['colour', ['colour', 'unheardOf']]);
    expect((await it.call('get_plan', { plan: 'plan_x', correcthorsebatterystaple: 1 })).error?.field).toBe(
      'arguments',
    );
    const inside = order({ limit: { amount: '1.00', currency: 'GBP', extra: 1 } });
    expect((await it.call('initiate_purchase', inside)).error?.field).toBe('limit.extra');
  });

  it.each([
    ['capture_payment', 'payment', 'charge'],
    ['get_payment_receipt', 'payment', 'charge'],
    ['cancel_purchase', 'purchase', 'instruction'],
    ['get_purchase', 'purchase', 'instruction'],
    ['refund_device_transaction', 'device_transaction', 'transaction'],
    ['lookup_device_transaction', 'deviceTransaction', 'transaction'],
  ])('of %s suggest for "%s" the handle "%s", and do not call it missing, too', async (tool, word, handle) => {
    const it = await world();
    const { error, said } = await it.call(tool, { [word]: 'x' });
    expect([error?.field, error?.fields]).toEqual([handle, undefined]);
    expect(said).toContain(`has no argument "${word}". Did you mean "${handle}"?`);
  });

  it('suggest no handle for what another kind of thing is called, nor where there are several', async () => {
    const it = await world();
    expect((await it.call('get_refund', { payment: 'x' })).error?.fields).toEqual(['payment', 'refund']);
    expect((await it.call('update_subscription', { device_transaction: 'x' })).said).not.toContain('Did you mean');
  });

  it('tell a sum from an object of sum and currency', async () => {
    const it = await world();
    const nested = { amount: '5.00', currency: 'EUR' };
    expect((await it.call('capture_payment', { charge: 'charge_x', amount: nested })).said).toBe(
      'amount must be text such as 40.00.',
    );
    const plan = await it.call('create_plan', { name: 'Tea', every: 1, unit: 'MONTH', amount: nested });
    expect(plan.said).toContain('amount must be text such as 40.00; currency is an argument of its own');
    const flat = await it.call('initiate_purchase', order({ limit: '40.00' }));
    expect(flat.said).toContain('limit must be an object with amount and currency');
    for (const { said } of [plan, flat]) expect(said).not.toContain('5.00');
  });

  it.each([
    ['list_cards', 'find_shopper'],
    ['get_purchase', 'list_purchases'],
    ['get_operation', 'list_operations'],
    ['withdraw_operation', 'list_operations'],
    ['get_authentication', 'create_authentication_options'],
    ['get_conversion_offer', 'list_operations'],
    ['get_payment_receipt', 'list_payments'],
  ])('name for a handle that %s lacks the tool that finds it', async (name, finder) => {
    const it = await world();
    expect((await it.call(name, { id: 'x' })).next).toEqual([finder]);
  });

  it('are all named within lists and objects, by their paths', async () => {
    const it = await world();
    const { error } = await it.call('initiate_purchase', order({ limit: { amount: '1,00', currency: 'gbp' } }));
    expect(error).toMatchObject({ field: 'limit.amount', fields: ['limit.amount', 'limit.currency'] });
    const line = { sku: 'a', name: 'A', quantity: 0, price: '1.00', total: '1.00' };
    const lines = await it.call('create_invoice', {
      ...{ reference: 'inv-1', how: 'draft', total: '2.00', currency: 'GBP', due: '2026-02-01' },
      lines: [line, { ...line, quantity: 1, price: 'x' }],
    });
    expect(lines.error?.fields).toEqual(['lines[0].quantity', 'lines[1].price']);
  });

  it('are one field where there is one fault', async () => {
    const it = await world();
    const { error } = await it.call('initiate_purchase', order({ until: 'tomorrow' }));
    expect(error).toEqual({ code: 'INVALID_ARGUMENT', rule: 'EN-01', retry: 'changed_call', field: 'until' });
  });

  it('are counted beyond those that a refusal names', async () => {
    const it = await world();
    const { error, said } = await it.call('create_invoice', { lines: Array.from({ length: 50 }, () => ({})) });
    expect(error?.fields).toHaveLength(10);
    // Five arguments, and five of each of fifty lines.
    expect(said).toContain(`${5 + 50 * 5 - 10} more`);
    expect(said.length).toBeLessThan(600);
  });

  it('name every missing argument of every tool as missing, and none as wrong', async () => {
    const it = await world();
    for (const { name, inputSchema } of tools) {
      const required = Object.entries(inputSchema.shape).flatMap(([argument, shape]) =>
        // An object's children are classic types, which zod types as core ones.
        (shape as typeof inputSchema).safeParse(undefined).success ? [] : [argument],
      );
      if (required.length === 0) continue;
      const { error, said } = await it.call(name, {});
      expect([name, error?.fields ?? [error?.field]]).toEqual([name, required.slice(0, 10)]);
      for (const sentence of said.split('. '))
        expect([name, sentence]).toEqual([name, expect.stringMatching(/missing|more/)]);
    }
  });

  it('say which values a missing argument takes where they are few', async () => {
    const it = await world();
    const plan = { name: 'A', reference: 'a', every: 1, amount: '1.00', currency: 'GBP' };
    const { error, said } = await it.call('create_plan', plan);
    expect(error).toMatchObject({ field: 'unit' });
    for (const unit of ['missing', 'day', 'week', 'month', 'year']) expect(said).toContain(unit);
  });

  it('lead to the tools that find the handles at fault', async () => {
    const it = await world();
    const { card: _, ...rest } = order();
    expect(await it.call('initiate_purchase', rest)).toMatchObject({ next: ['list_cards'], error: { field: 'card' } });
    expect(await it.call('initiate_purchase', order({ card: 7 }))).toMatchObject({ next: ['list_cards'] });
    expect(await it.call('initiate_purchase', order({ until: 7 }))).toMatchObject({ next: [] });
  });

  it('of an amount are its size where it has the form of one', async () => {
    const it = await world();
    const limit = (amount: string) => order({ limit: { amount, currency: 'GBP' } });
    const large = await it.call('initiate_purchase', limit('1234567890123.00'));
    expect(large).toMatchObject({ error: { field: 'limit.amount' } });
    expect(large.said).toContain('12 digits');
    expect((await it.call('initiate_purchase', limit('12 pounds'))).said).not.toContain('digits');
    const invoice = { reference: 'inv-1', how: 'draft', currency: 'GBP', due: '2026-02-01' };
    expect((await it.call('create_invoice', { ...invoice, total: '1234567890123.00' })).said).toContain('12 digits');
  });
});
