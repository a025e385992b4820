import { describe, expect, it } from 'vitest';
import type { Body } from '../../src/engine/render.ts';
import type { EngineState } from '../../src/engine/state.ts';
import { isTainted } from '../../src/engine/taint.ts';
import { createTextRecorder, type TextRecorder } from '../../src/engine/text-recorder.ts';
import { agent, shop, start } from './shop.ts';

const body: Body = { outcome: 'done', said: 'It is done.', next: [], data: { plan: 'plan_a', name: 'Gold' } };

/** A recorder of what `get_plan` shows, what it reads in a transaction, and how many of its own it opens. */
async function recorder() {
  const { parts } = await shop();
  const { ledger } = parts;
  let own = 0;
  const counting: typeof ledger = {
    ...ledger,
    transaction: (...given) => {
      own += 1;
      return ledger.transaction(...given);
    },
  };
  const tools = new Map(parts.tools.map((tool) => [tool.name, tool]));
  const state = { parts: { ...parts, ledger: counting }, tools, ownTexts: new Set() };
  const texts = createTextRecorder(state as unknown as EngineState, tools.get('get_plan'), {}, agent); // all that it looks at
  return {
    texts,
    within: (work: (tx: Parameters<TextRecorder['recordIn']>[0]) => Promise<void>) =>
      ledger.transaction(agent.tenant, work),
    rest: (shown: Body, of = shown) => texts.recordRest({ ...shown, environment: 'sandbox' }, of),
    isTainted: () => ledger.transaction(agent.tenant, (tx) => isTainted(tx, agent, start)),
    own: () => own,
  };
}

describe('a text by others', () => {
  it('is recorded in the transaction of the outcome, and needs none of its own', async () => {
    const it = await recorder();
    await it.within((tx) => it.texts.recordIn(tx, body));
    expect(await it.isTainted()).toBe(true);
    await it.rest(body);
    expect(it.own()).toBe(0);
  });

  it('is recorded by itself where that transaction failed, and the answer is another', async () => {
    const it = await recorder();
    const failing = it.within(async (tx) => {
      await it.texts.recordIn(tx, body);
      throw new Error('It is not kept.');
    });
    await expect(failing).rejects.toThrow();
    expect(await it.isTainted()).toBe(false);
    await it.rest({ ...body });
    expect([await it.isTainted(), it.own()]).toEqual([true, 1]);
  });

  it('is recorded, too, where it was added to the answer', async () => {
    const it = await recorder();
    await it.within((tx) => it.texts.recordIn(tx, { ...body, data: {} }));
    await it.rest({ ...body, data: { ...body.data, description: 'Silver' } }, body);
    expect([await it.isTainted(), it.own()]).toEqual([true, 1]);
  });
});
