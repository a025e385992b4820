import { expect, it } from 'vitest';
import { settleUnknown } from '../../src/engine/people.ts';
import { registerReceipt } from '../../src/engine/register.ts';
import { tools } from '../../tools/index.ts';
import { bought, change, order, payment, person, type Said, type World, world } from './support.ts';

const stranger = { tenant: 'other', principal: 'agent' } as const;

/** Every tool that takes a handle, with the argument that is swapped. */
const calls: readonly (readonly [tool: string, field: string, args: (handle: string) => object])[] = [
  ['list_cards', 'shopper', (shopper) => ({ shopper })],
  ['enroll_card', 'card', (card) => ({ card })],
  ['initiate_purchase', 'card', (card) => order({ card })],
  ['update_purchase', 'instruction', (instruction) => change(instruction)],
  ['cancel_purchase', 'instruction', (instruction) => ({ instruction })],
  ['retrieve_credentials', 'instruction', (instruction) => payment(instruction)],
  ['confirm_transaction', 'instruction', (instruction) => ({ instruction })],
  ['get_purchase', 'instruction', (instruction) => ({ instruction })],
  ['get_operation', 'operation', (operation) => ({ operation })],
  ['get_limits', 'instruction', (instruction) => ({ instruction })],
];

async function handles(it: World) {
  const instruction = await bought(it);
  const released = await it.call('retrieve_credentials', payment(instruction));
  await it.receipt(instruction);
  const { receipt } = (await it.call('get_purchase', { instruction })).data;
  return {
    shopper: 'shopper_ada',
    card: 'card_ada',
    instruction,
    credentials: String(released.data.credentials),
    receipt: String(receipt.receipt),
    operation: String(released.operation),
    approval: String((await it.call('list_approvals')).data.items[0].approval),
    nothing: 'instruction_nothing',
  };
}

/** An answer as bytes. */
const bytes = (said: Said): string => JSON.stringify(said);

it('a handle of another tenant is as unknown as one that never was, to the byte', async () => {
  const it = await world();
  const all = await handles(it);
  const before = await it.effects();
  for (const [tool, , args] of calls) {
    const answers = await Promise.all(Object.values(all).map((handle) => it.call(tool, args(handle), stranger)));
    expect([tool, new Set(answers.map(bytes)).size]).toEqual([tool, 1]);
    const previews = Object.values(all).map((handle) =>
      it.call('preview_call', { tool, arguments: args(handle) }, stranger),
    );
    expect([tool, new Set((await Promise.all(previews)).map(bytes)).size]).toEqual([tool, 1]);
  }
  expect(await it.effects()).toEqual(before);
});

it('a handle of the wrong kind is as unknown as one that never was, to the byte', async () => {
  const it = await world();
  const all = Object.entries(await handles(it));
  for (const [tool, field, args] of calls.filter(([tool]) => tool !== 'get_limits')) {
    const wrong = all.filter(([kind]) => kind !== field).map(([, handle]) => handle);
    const answers = await Promise.all(wrong.map((handle) => it.call(tool, args(handle))));
    expect([tool, new Set(answers.map(bytes)).size]).toEqual([tool, 1]);
    expect(answers[0]).toMatchObject({ outcome: 'refused', error: { code: 'NOT_FOUND', rule: 'EN-02', field } });
  }
});

it('the lists of a tenant hold its own alone', async () => {
  const it = await world();
  await handles(it);
  for (const tool of ['find_shopper', 'list_operations', 'list_approvals'])
    expect((await it.call(tool, {}, stranger)).data).toEqual({ items: [], total: 0 });
});

it('neither receipts nor findings reach over to another tenant', async () => {
  const it = await world();
  const instruction = await bought(it);
  const { parts } = it.running.engine;
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

it('every tool that takes a handle is among those that were tried', () => {
  const withHandles = tools.filter(({ input }) =>
    Object.keys(input.shape).some((name) => ['shopper', 'card', 'instruction', 'operation'].includes(name)),
  );
  expect(withHandles.map(({ name }) => name).filter((name) => !calls.some(([tool]) => tool === name))).toEqual([]);
});
