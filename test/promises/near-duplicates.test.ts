import { describe, expect, it } from 'vitest';
import type { SpendingPolicy } from '../../src/engine/spending-policy.ts';
import { isMandated } from '../../src/engine/terms.ts';
import { tools } from '../../tools/index.ts';
import { changing } from '../engine/changing.ts';
import { paying } from '../engine/conversion.ts';
import { bought, order, quiet, type Said, settle, type World, world } from '../engine/support.ts';

// A call that is nearly a repeat of one that may still take effect charges nobody twice: no mandate approves it.

/** Every tool that moves an amount, as the catalogue has it. */
const spending = tools.filter(isMandated).flatMap((tool) => {
  const name = 'operation' in tool ? (tool.operation as keyof typeof changing) : undefined;
  return name === undefined ? [] : [{ tool: tool.name, name }];
});

/** Everything is approved beforehand. */
const mandates: readonly SpendingPolicy[] = (['GBP', 'USD'] as const).map((currency) => ({
  ...{ name: `all ${currency}`, currency, per: [] },
  tools: spending.map(({ tool }) => tool),
}));

/** The same call under another reference, or in other words where it has none. */
const twinOf = (tool: string, args: object): object => ({
  ...args,
  ...('description' in args ? { description: 'Something to listen with' } : {}),
  ...(tools.some(({ name, inputSchema }) => name === tool && 'reference' in inputSchema.shape)
    ? { reference: 'twin-1' }
    : {}),
});

/** Of what can be paid back at once, a part: otherwise the platform has nothing left for a twin. */
const parts: Readonly<Record<string, object>> = { refundDeviceTransaction: { amount: '10.00' } };

it('there are tools that move an amount', () => {
  expect(spending.length).toBeGreaterThan(5);
});

describe.each(spending)('$tool', ({ tool, name }) => {
  it('is approved by no mandate while a twin has an unknown outcome', async () => {
    const it = await world({ configure: { mandates } });
    const args = { ...(await changing[name](it)), ...parts[name] };
    await it.fault(name, 'timeout-after-commit');
    const lost = await it.through(tool, args);
    expect(lost.outcome).toBe('unknown');
    const before = await it.effects();
    await it.advance(3_600);
    const twin = await it.call(tool, twinOf(tool, args));
    expect(['refused', 'needs_approval', 'unknown']).toContain(twin.outcome);
    expect([twin.operation, twin.approval?.text ?? '', JSON.stringify(twin.warnings ?? [])].join(' ')).toContain(
      lost.operation,
    );
    expect(await it.effects()).toEqual(before);
  });
});

/** A purchase under a mandate that covers it, and a second one like it. */
async function again(first: (it: World) => Promise<unknown>): Promise<Said> {
  let dies = false;
  const it = await world({
    configure: { mandates },
    replace: {
      failpoint: (point) => {
        if (point === 'F2' && dies) throw new Error('It dies.');
      },
    },
  });
  await it.call('enroll_card', { card: 'card_ada' });
  const kill = Object.assign(it, { kill: () => (dies = true) });
  await first(kill);
  dies = false;
  return it.call('initiate_purchase', order({ reference: 'order-2' }));
}
const dying = (it: World): void => void (it as World & { kill(): void }).kill();

describe('a second purchase under a mandate', () => {
  it('is done where the first is done, with a warning', async () => {
    const said = await again((it) => it.call('initiate_purchase', order()));
    expect([said.outcome, said.warnings]).toEqual(['done', [expect.stringContaining('order-1')]]);
  });

  it('has no warning where the first was declined', async () => {
    const said = await again(async (it) => {
      await it.fault('initiatePurchase', 'decline');
      expect((await it.call('initiate_purchase', order())).outcome).toBe('declined');
    });
    expect(said.warnings).toBeUndefined();
  });

  it('has no warning where the first was answered as declined', async () => {
    const it = await world();
    const cleo = paying({ card: 'card_cleo_declines' });
    expect((await it.through('authorize_payment', cleo)).data.state).toBe('NOT_AUTHORIZED');
    const said = await it.call('authorize_payment', { ...cleo, reference: 'order-2' });
    expect(said.approval?.text).toContain('"order-2"');
    expect(said.approval?.text).not.toContain('order-1');
  });

  it('is done with a warning where the first was settled as not having happened', async () => {
    const said = await again(async (it) => {
      await it.fault('initiatePurchase', 'timeout-after-commit');
      const { operation } = await it.call('initiate_purchase', order());
      await quiet(it);
      expect(await settle(it, operation, false)).toMatchObject({ ok: true });
    });
    expect([said.outcome, said.warnings]).toEqual(['done', [expect.stringContaining('order-1')]]);
  });

  it('asks a person while the first is being sent', async () => {
    const said = await again(async (it) => {
      dying(it);
      await expect(it.call('initiate_purchase', order())).rejects.toThrow('It dies.');
    });
    expect(said).toMatchObject({ outcome: 'needs_approval', error: { rule: 'EN-04' } });
    expect(said.approval?.text.split('\n').at(-1)).toContain('order-1');
  });

  it('asks a person while the first has an unknown outcome, although a third one is done since', async () => {
    const it = await world({ configure: { mandates } });
    await it.call('enroll_card', { card: 'card_ada' });
    await it.fault('initiatePurchase', 'timeout-after-commit');
    const lost = await it.call('initiate_purchase', order());
    await it.advance(1);
    const done = await it.through('initiate_purchase', order({ reference: 'order-2' }));
    expect([lost.outcome, done.outcome]).toEqual(['unknown', 'done']);
    const before = await it.effects();
    const said = await it.call('initiate_purchase', order({ reference: 'order-3' }));
    expect(said).toMatchObject({ outcome: 'needs_approval', error: { rule: 'EN-04' } });
    expect(said.approval?.text.split('\n').at(-1)).toContain(lost.operation);
    expect(await it.effects()).toEqual(before);
  });

  it('asks a person while one waits for a person', async () => {
    const it = await world();
    await it.call('enroll_card', { card: 'card_ada' });
    await it.call('initiate_purchase', order());
    const said = await it.call('initiate_purchase', order({ reference: 'order-2' }));
    expect(said.approval?.text.split('\n').at(-1)).toContain('order-1');
    await it.approve(said);
    expect((await it.call('initiate_purchase', order({ reference: 'order-2' }))).outcome).toBe('done');
  });
});

it('is no twin of itself: a call without a reference that was approved', async () => {
  const it = await world();
  const instruction = await bought(it);
  const wider = { instruction, limit: { amount: '120.00', currency: 'GBP' }, until: order().until, description: 'x' };
  expect((await it.through('update_purchase', wider)).warnings).toBeUndefined();
});
