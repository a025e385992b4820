import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { bare } from '../../src/core/fields.ts';
import { tools } from '../../tools/index.ts';
import { plan } from '../engine/billing.ts';
import { changing } from '../engine/changing.ts';
import { captured, paying } from '../engine/conversion.ts';
import { world } from '../engine/support.ts';

// An amount is shown to a person as it is sent, and sent as everybody reads it: without leading zeros, and with its currency.

/** Every text of a schema that takes an amount, and not any text. */
function amountsIn(schema: z.ZodType, at: string): readonly (readonly [at: string, schema: z.ZodString])[] {
  const it = bare(schema);
  if (it instanceof z.ZodObject)
    return Object.entries<z.ZodType>(it.shape).flatMap(([name, member]) => amountsIn(member, `${at}.${name}`));
  if (it instanceof z.ZodArray) return amountsIn(it.element as z.ZodType, `${at}[]`);
  const takes = (text: string) => it.safeParse(text).success;
  return it instanceof z.ZodString && takes('7.50') && !takes('seven') && !takes('/x') ? [[at, it]] : [];
}

const amounts = tools.flatMap(({ name, inputSchema }) => amountsIn(inputSchema, name));

it('there are arguments that take an amount', () => {
  expect(amounts.length).toBeGreaterThan(20);
});

it.each(amounts)('%s takes no leading zeros along', (_, schema) => {
  for (const [given, read] of [
    ['7.50', '7.50'],
    ['07.50', '7.50'],
    ['00.50', '0.50'],
  ])
    expect(schema.parse(given)).toBe(read);
});

describe('an approval', () => {
  it('and the request say the same amount', async () => {
    const it = await world();
    await it.through('create_plan', plan({ amount: '010.00' }));
    expect(it.sent.at(-1)?.body.orderInformation.amountDetails.billingAmount).toBe('10.00');
    const price = { amount: '040.00', currency: 'USD' };
    const { approval } = await it.call('authorize_payment', paying({ price }));
    expect(approval?.text).toContain('40.00 USD');
    expect(approval?.text).not.toContain('040.00');
  });

  it('of a part tells it once, with its currency', async () => {
    const it = await world();
    const said = await it.call('refund_capture', { capture: await captured(it), amount: '25.00' });
    const lines = said.approval?.text.split('\n') ?? [];
    expect(lines.filter((line) => line.startsWith('Amount'))).toEqual(['Amount: 25.00 USD']);
    expect(lines.filter((line) => /\d\.\d\d"?$/.test(line))).toEqual([]);
  });

  /** Of what can be taken in parts, a part. */
  const parts: Readonly<Record<string, object>> = {
    refundCapture: { amount: '25.00' },
    capturePayment: { amount: '25.00' },
    refundDeviceTransaction: { amount: '10.00' },
    capturePreauthorization: { amount: '10.00' },
  };

  it.each(Object.entries(changing))('of %s has no label twice', async (name, ready) => {
    const it = await world();
    const args = { ...(await ready(it)), ...parts[name] };
    const tool = tools.find((one) => one.kind === 'platform' && one.operation === name)?.name ?? '';
    const { approval } = await it.call(tool, args);
    const labels = (approval?.text ?? '').split('\n').flatMap((line) => /^([^ ][^:"]*): /.exec(line)?.[1] ?? []);
    expect(labels).toEqual([...new Set(labels)]);
  });
});
