import { expect, it } from 'vitest';
import { registerReceipt } from '../../src/engine/register.ts';
import { settleUnknown } from '../../src/engine/settle-unknown.ts';
import { delivery } from './deliveries.ts';
import { callWith, furnish, named } from './naming.ts';
import { bought, person, type Said, withOther, world } from './support.ts';

const stranger = { tenant: 'other', principal: 'agent' } as const;

/** Whether a thing is of the kind that an argument names. */
const isOf = (field: string, kind: string): boolean =>
  kind === field || (field === 'operation' && ['waiting', 'unknown'].includes(kind));

/** An answer as bytes. */
const bytes = (said: Said): string => JSON.stringify(said);

it('a handle of the wrong kind is as unknown as one that never was, to the byte', async () => {
  const it = await world(withOther);
  const own = await furnish(it);
  const before = await it.effects();
  for (const [tool, field] of named) {
    const wrong = Object.entries({ ...own, nothing: 'instruction_nothing' }).filter(([kind]) => !isOf(field, kind));
    const answers: Said[] = [];
    // One after the other: a reader takes few calls at once.
    for (const [, handle] of wrong) answers.push(await it.call(tool, callWith(tool, field, handle, own)));
    expect([tool, field, new Set(answers.map(bytes)).size]).toEqual([tool, field, 1]);
    expect(answers[0]).toMatchObject({ outcome: 'refused', error: { code: 'NOT_FOUND', rule: 'EN-02', field } });
  }
  expect(await it.effects()).toEqual(before);
});

it('the lists of a tenant hold its own alone', async () => {
  const it = await world(withOther);
  await furnish(it);
  for (const tool of ['find_shopper', 'list_operations', 'list_approvals', 'list_events'])
    expect((await it.call(tool, {}, stranger)).data).toEqual({ items: [], total: 0 });
});

it('neither receipts nor findings reach over to another tenant', async () => {
  const it = await world(withOther);
  const instruction = await bought(it);
  const { parts } = it;
  const receipt = { instruction, transactionType: 'PURCHASE', transactionStatus: 'APPROVED' };
  const posted = { ...receipt, amount: '40.00', currency: 'GBP' };
  const nowhere = { ...posted, instruction: 'instruction_nothing' };
  expect(await registerReceipt(parts, 'other', posted)).toEqual(await registerReceipt(parts, 'other', nowhere));
  await it.fault('cancelPurchase', 'timeout-after-commit');
  const { operation = '' } = await it.call('cancel_purchase', { instruction });
  const other = { ...person, tenant: 'other' };
  const finding = { happened: true, note: 'x' };
  expect(await settleUnknown(parts, operation, finding, other)).toEqual(
    await settleUnknown(parts, 'op_nothing', finding, other),
  );
});

it('what the platform delivers to one tenant is known to that one alone', async () => {
  const it = await world(withOther);
  const { engine } = it.running;
  const body = delivery('rbs.subscriptions.charge.failed', { subscriptionId: 'a-subscription' });
  const totals = async () =>
    Promise.all(
      [undefined, stranger].map(async (caller) => (await it.call('list_events', {}, caller)).data.total as number),
    );
  expect([await engine.receiveDelivery('other', body), await totals()]).toEqual(['stored', [0, 1]]);
  expect([await engine.receiveDelivery('default', body), await totals()]).toEqual(['stored', [1, 1]]);
});

it('every kind of thing is named by some tool', () => {
  expect(
    [...new Set(named.map(([, field]) => field))].toSorted(),
    'the argument that names each kind of thing is listed here',
  ).toEqual([
    ...[
      'authentication',
      'capture',
      'card',
      'charge',
      'device',
      'follow_on',
      'instruction',
      'invoice',
      'offer',
      'operation',
    ],
    ...['plan', 'refund', 'report', 'report_subscription', 'shopper', 'subscription', 'transaction'],
  ]);
  expect(named.length).toBeGreaterThan(30);
});
