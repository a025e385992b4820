import { expect, it } from 'vitest';
import type { Refusal } from '../../src/engine/refusal.ts';
import { createRefusalLog } from '../../src/engine/refusal-log.ts';
import { folder, ledger } from '../ledger/rows.ts';
import { agent, begins } from './support.ts';

const refusal: Refusal = { code: 'NOT_FOUND', rule: 'EN-02', because: 'It is unknown.', retry: 'never', instead: [] };

it('a refusal whose transaction was not kept opens no window: the next one is recorded as the first', async () => {
  const kept = await ledger(`${folder()}/purser.db`);
  const log = createRefusalLog({ ledger: kept, ports: { clock: { now: () => begins } } });
  let lost = (): void => undefined;
  const refused = kept.transaction(agent.tenant, async (tx) => {
    lost = await log.noteIn(tx, 'get_purchase', agent, refusal);
    throw new RangeError('nothing of this is kept');
  });
  await expect(refused).rejects.toThrow(RangeError);
  lost();
  await log.note('get_purchase', agent, refusal);
  await log.note('get_purchase', agent, refusal);
  const { rows } = await kept.transaction(agent.tenant, (tx) => tx.audit.list({ limit: 10 }));
  expect(rows.map(({ event, body }) => [event, body.tool, body.times])).toEqual([
    ['refused', 'get_purchase', undefined],
  ]);
});

it('a refusal whose transaction was not kept loses none that was counted meanwhile', async () => {
  const kept = await ledger(`${folder()}/purser.db`);
  const log = createRefusalLog({ ledger: kept, ports: { clock: { now: () => begins } } });
  let lost = (): void => undefined;
  const refused = kept.transaction(agent.tenant, async (tx) => {
    lost = await log.noteIn(tx, 'get_purchase', agent, refusal);
    for (let more = 0; more < 2; more += 1) await log.note('get_purchase', agent, refusal);
    throw new RangeError('nothing of this is kept');
  });
  await expect(refused).rejects.toThrow(RangeError);
  lost();
  await log.settle(true);
  const { rows } = await kept.transaction(agent.tenant, (tx) => tx.audit.list({ limit: 10 }));
  expect(rows.map(({ event, body }) => [event, body.tool, body.times])).toEqual([['refused', 'get_purchase', 2]]);
});
