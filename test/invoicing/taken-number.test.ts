import { describe, expect, it } from 'vitest';
import { wasThereBefore } from '../../tools/invoicing/observations.ts';
import { bill, billed } from '../engine/invoicing.ts';
import { begins, world } from '../engine/support.ts';

// The number of an invoice is the merchant's, and the portal has given it to another one.

const day = 86_400;

/** An invoice that Purser knows nothing of, because another installation made it; and an outbox. */
async function taken(state: 'SENT' | 'DRAFT', age: number) {
  const first = await world();
  await billed(first, { how: state === 'SENT' ? 'email' : 'email_draft' });
  const made = await first.running.sandbox?.world.snapshot();
  const here = await world();
  if (made === undefined || here.running.sandbox === undefined) throw new Error('There is no sandbox.');
  await here.running.sandbox.world.restore(made);
  await here.advance(age);
  const emails = async () => JSON.stringify(await here.control('GET', 'outbox')).split('"to"').length - 1;
  return { here, emails };
}

describe.each(['SENT', 'DRAFT'] as const)('an invoice with this number and content that is %s', (state) => {
  it('was made by somebody else days before: the call is refused, and counts as nothing', async () => {
    const { here, emails } = await taken(state, 3 * day);
    const before = await emails();
    const said = await here.through('create_invoice', bill());
    expect(said).toMatchObject({ outcome: 'declined', error: { code: 'DECLINED', field: 'reference' } });
    expect([await emails(), (await here.operations())[0]?.state]).toEqual([before, 'FAILED']);
  });

  it('is not taken for one whose answer was lost', async () => {
    const { here } = await taken(state, 3 * day);
    await here.approve(await here.call('create_invoice', bill()));
    await here.fault('createInvoice', '5xx');
    expect(await here.call('create_invoice', bill())).toMatchObject({ outcome: 'unknown' });
    await here.advance(121);
    await here.running.engine.recover();
    expect((await here.operations())[0]?.state).toBe('UNKNOWN');
  });
});

it('one that was made by a call that arrived twice is found, whatever has become of it since', async () => {
  const here = await world();
  await here.approve(await here.call('create_invoice', bill()));
  await here.fault('createInvoice', 'twice');
  expect(await here.call('create_invoice', bill())).toMatchObject({ outcome: 'done', data: { state: 'SENT' } });
});

it('one that took effect after its call had come to nothing is found by the same call later', async () => {
  const here = await world();
  await here.approve(await here.call('create_invoice', bill()));
  await here.fault('createInvoice', 'late-apply', { afterSeconds: 600 });
  expect(await here.call('create_invoice', bill())).toMatchObject({ outcome: 'unknown' });
  await here.advance(121);
  await here.running.engine.recover();
  expect((await here.operations())[0]?.state).toBe('FAILED');
  await here.advance(1_000);
  expect(await here.through('create_invoice', bill())).toMatchObject({ outcome: 'done', data: { state: 'SENT' } });
});

it.each([
  ['2026-01-15', false],
  ['2026-01-14', false],
  ['2026-01-12', true],
  ['2026-01-12T09:00:00Z', true],
  ['yesterday', false],
])('a history that begins at %s tells that an invoice was there before: %s', (date, before) => {
  const invoiceHistory = [{ event: 'CREATE', date }];
  expect(wasThereBefore({ invoiceHistory } as Parameters<typeof wasThereBefore>[0], begins)).toBe(before);
});

it('a second bill under another number, while the outcome of the first is unknown, says so to whoever approves it', async () => {
  const here = await world();
  await here.approve(await here.call('create_invoice', bill()));
  await here.fault('createInvoice', '5xx-after-commit');
  expect(await here.call('create_invoice', bill())).toMatchObject({ outcome: 'unknown' });
  const { approval } = await here.call('create_invoice', bill({ reference: 'A-2' }));
  expect(approval?.text).toContain('A nearly identical call was sent, but its outcome is unknown');
});
