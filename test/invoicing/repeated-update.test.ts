import { expect, it } from 'vitest';
import { registerShopper } from '../../src/engine/register.ts';
import { sandboxSeed } from '../../src/sandbox/index.ts';
import { billed } from '../engine/invoicing.ts';
import { bought, change, type World, world } from '../engine/support.ts';
import { rewrite } from '../support/portal.ts';

// The update of an invoice sends all that stands on it. One that was lost is sent again only where that undoes nothing.

async function lost(kind: '5xx' | '5xx-after-commit') {
  const here = await world();
  const invoice = await billed(here, { how: 'draft' });
  const args = { invoice, description: 'Two bags' };
  await here.approve(await here.call('update_invoice', args));
  await here.fault('updateInvoice', kind);
  expect(await here.call('update_invoice', args)).toMatchObject({ outcome: 'unknown' });
  const again = () => here.call('update_invoice', args);
  const preview = async () =>
    (await here.call('preview_call', { tool: 'update_invoice', arguments: args })).data.verdict;
  const attempts = () => here.sent.filter(({ method }) => method === 'PUT').length;
  return { here, invoice, again, preview, attempts };
}

/** A clerk writes another name and address in the portal. */
async function corrected({ running: { sandbox } }: World): Promise<void> {
  if (sandbox === undefined) throw new Error('There is no sandbox.');
  await rewrite(sandbox, 'ada@example.com', 'ada.new@example.com');
  await rewrite(sandbox, 'Ada Example', 'Ada Newman');
}

it.each(['5xx', '5xx-after-commit'] as const)(
  'it is sent again where nobody has changed anything: %s',
  async (kind) => {
    const { again, attempts } = await lost(kind);
    expect(await again()).toMatchObject({ outcome: 'done', data: { description: 'Two bags' } });
    expect(attempts()).toBe(2);
  },
);

it.each(['5xx', '5xx-after-commit'] as const)('it undoes no change that somebody has made since: %s', async (kind) => {
  const { here, invoice, again, preview, attempts } = await lost(kind);
  await corrected(here);
  expect(await preview()).toMatchObject({ outcome: 'unknown' });
  expect(await again()).toMatchObject({ outcome: 'unknown', error: { rule: 'EN-06' } });
  expect(attempts()).toBe(1);
  const { data } = await here.call('get_invoice', { invoice });
  expect(data).toMatchObject({ customer_name: 'Ada Newman', customer_email: 'ada.new@example.com' });
  const [row] = await here.operations();
  expect(row).toMatchObject({ state: 'UNKNOWN', attempt: 1 });
});

it('it waits where the invoice cannot be read, and is sent once it can', async () => {
  const { here, again, attempts } = await lost('5xx');
  await here.fault('getInvoice', '5xx');
  expect(await again()).toMatchObject({ outcome: 'unknown', error: { rule: 'EN-06', retry: 'after' } });
  expect(attempts()).toBe(1);
  expect(await again()).toMatchObject({ outcome: 'done' });
  expect(attempts()).toBe(2);
});

it('a lost amendment of a plan that copies nothing waits for no look', async () => {
  const here = await world();
  const { data } = await here.call('create_plan', {
    ...{ name: 'Gold', reference: 'plan-1', every: 1, unit: 'month', amount: '9.99', currency: 'GBP', payments: 12 },
  });
  const args = { plan: data.plan, payments: 24 };
  await here.fault('amendPlan', '5xx');
  expect(await here.through('amend_plan', args)).toMatchObject({ outcome: 'unknown' });
  await here.fault('getPlan', '5xx');
  expect(await here.call('amend_plan', args)).toMatchObject({ outcome: 'done' });
});

it('a lost update of a purchase is sent again though its customer has come back, with another session', async () => {
  const here = await world();
  const instruction = await bought(here);
  const args = change(instruction, { limit: { amount: '90.00', currency: 'GBP' } });
  await here.fault('updatePurchase', '5xx');
  expect(await here.through('update_purchase', args)).toMatchObject({ outcome: 'unknown' });
  const { shopper_ada: ada } = sandboxSeed.shoppers;
  await registerShopper(here.parts, 'default', {
    ...{ handle: 'shopper_ada', ...ada, deviceInformation: { ...ada.deviceInformation, ipAddress: '192.0.2.77' } },
  });
  expect(await here.call('update_purchase', args)).toMatchObject({ outcome: 'done' });
});

it('a lost amendment of a plan that copies half of its period undoes no other', async () => {
  const here = await world();
  const { data } = await here.call('create_plan', {
    ...{ name: 'Gold', reference: 'plan-1', every: 1, unit: 'month', amount: '9.99', currency: 'GBP' },
  });
  const args = { plan: data.plan, every: 3 };
  await here.fault('amendPlan', '5xx');
  await here.through('amend_plan', args);
  const { sandbox } = here.running;
  if (sandbox === undefined) throw new Error('There is no sandbox.');
  await rewrite(sandbox, 'M', 'W'); // the unit of its period
  expect(await here.call('amend_plan', args)).toMatchObject({ outcome: 'unknown', error: { rule: 'EN-06' } });
});
