import { expect, it } from 'vitest';
import { plan } from './billing.ts';
import { bill } from './invoicing.ts';
import { world } from './support.ts';

// A thing that is rarely wanted twice within minutes, under whatever reference.

it('is pointed out where it was made minutes ago, whatever it is called', async () => {
  const here = await world();
  const first = await here.call('create_plan', plan({ reference: 'other-1' }));
  expect(first.warnings).toBeUndefined();
  let { operation } = first;
  let number = 1;
  for (const more of [{}, { name: 'Gold, once more' }, { code: 'GOLD' }]) {
    const again = await here.call('create_plan', plan({ reference: `other-${number + 1}`, ...more }));
    const under = `other-${number++}`;
    const warnings = [
      `Very nearly the same was done only minutes ago, under ${under}: ${operation}. Is this another one?`,
    ];
    expect(again).toMatchObject({ outcome: 'done', warnings });
    operation = again.operation;
  }
  expect((await here.call('create_plan', plan({ amount: '10.00' }))).warnings).toBeUndefined();
  await here.advance(601);
  expect((await here.call('create_plan', plan())).warnings).toBeUndefined();
});

it('is nothing that only looks, or that has a reference of its own', async () => {
  const here = await world();
  const { data } = await here.call('create_plan', plan());
  for (let times = 0; times < 2; times++) {
    expect((await here.call('deactivate_plan', { plan: data.plan })).warnings).toBeUndefined();
    expect((await here.through('create_invoice', bill({ reference: `invoice-${times}` }))).warnings).toBeUndefined();
  }
});
