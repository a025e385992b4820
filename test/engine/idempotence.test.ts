import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { programOf } from '../support/bundled.ts';
import { folder } from '../support/folder.ts';
import { bought, countingIds, openWorld, order, paid, payment, world } from './support.ts';

/** What has no reference: it is the same call while it is open, and another one after that. */
const fifty = Array.from({ length: 50 }, (_, index) => index);

describe('the same call', () => {
  it('made fifty times at once, has one effect and one answer', async () => {
    const it = await world();
    const instruction = await paid(it);
    const answers = await Promise.all(fifty.map(() => it.call('confirm_transaction', { instruction })));
    const [first, ...others] = answers;
    expect(first).toMatchObject({ outcome: 'done', data: { state: 'COMPLETED' } });
    expect(others).toEqual(others.map(() => ({ ...first, replayed: true })));
    expect(await it.effects('confirmTransaction')).toHaveLength(1);
  });

  it('made fifty times at once before a person approved it, asks once', async () => {
    const it = await world();
    await it.call('enroll_card', { card: 'card_ada' });
    const answers = await Promise.all(fifty.map(() => it.call('initiate_purchase', order())));
    expect(new Set(answers.map(({ approval }) => approval?.id)).size).toBe(1);
    const [first] = answers;
    if (first) await it.approve(first);
    const done = await Promise.all(fifty.map(() => it.call('initiate_purchase', order())));
    expect(new Set(done.map(({ data }) => data.instruction)).size).toBe(1);
    expect(await it.effects('initiatePurchase')).toHaveLength(1);
  });

  it('is answered while it is open, whoever else sent it', async () => {
    const gate = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const data = folder();
    const slow = await openWorld({
      configure: { data },
      replace: {
        platform: (real) => async (request) => {
          const answer = await real(request);
          if (request.url.includes('/confirmations')) {
            arrived.resolve();
            await gate.promise;
          }
          return answer;
        },
      },
    });
    const instruction = await paid(slow);
    const other = await openWorld({ configure: { data }, replace: { ids: countingIds() } });
    const under = slow.call('confirm_transaction', { instruction });
    await arrived.promise;
    const meanwhile = await other.call('confirm_transaction', { instruction });
    expect(meanwhile).toMatchObject({ outcome: 'unknown', error: { code: 'IN_FLIGHT', retry: 'after', wait: 120 } });
    gate.resolve();
    const done = await under;
    expect(done.operation).toBe(meanwhile.operation);
    const again = await other.call('confirm_transaction', { instruction });
    expect(again).toEqual({
      ...{ ...done, said: again.said },
      replayed: true,
      next: expect.any(Array),
    });
    expect(await slow.effects('confirmTransaction')).toHaveLength(1);
    await other.running.close();
    await slow.running.close();
  });

  it('of two engines at once has one effect', async () => {
    const data = folder();
    const one = await openWorld({ configure: { data } });
    const instruction = await paid(one);
    const two = await openWorld({ configure: { data } });
    const answers = await Promise.all(
      fifty.map((index) => (index % 2 === 0 ? one : two).call('confirm_transaction', { instruction })),
    );
    expect(answers.filter(({ outcome }) => outcome !== 'done' && outcome !== 'unknown')).toEqual([]);
    expect(await one.effects('confirmTransaction')).toHaveLength(1);
    expect((await one.operations()).filter(({ name }) => name === 'confirmTransaction')).toMatchObject([
      { state: 'SUCCEEDED', attempt: 1 },
    ]);
    await two.running.close();
    await one.running.close();
  });

  it('of two processes at once has one effect', { timeout: 60_000 }, async () => {
    const data = folder();
    const it = await openWorld({ configure: { data } });
    const instructions: string[] = [];
    for (let index = 0; index < 8; index++) instructions.push(await paid(it, { reference: `order-${index}` }));
    const program = await programOf(new URL('./children/confirmer.ts', import.meta.url));
    const children = [1, 2].map(() =>
      fork(program.file, instructions, {
        env: { ...process.env, ...program.env, PURSER_DATA: data },
        execArgv: [],
      }),
    );
    onTestFinished(() => {
      for (const child of children) child.kill('SIGKILL');
    });
    await Promise.all(children.map((child) => once(child, 'message')));
    const outcomes = await Promise.all(children.map(told));
    expect(outcomes.flat().filter((outcome) => outcome !== 'done' && outcome !== 'unknown')).toEqual([]);
    expect((await it.effects('confirmTransaction')).map(({ entity }) => entity).toSorted()).toHaveLength(8);
    const rows = (await it.operations()).filter(({ name }) => name === 'confirmTransaction');
    expect(rows.map(({ state, attempt }) => [state, attempt])).toEqual(instructions.map(() => ['SUCCEEDED', 1]));
    expect(await it.parts.ledger.verify()).toMatchObject({ ok: true });
    await it.running.close();
  });
});

it('a release and a cancellation at once, of two engines: one is held off before it is sent, and nothing is released after', async () => {
  const data = folder();
  const one = await openWorld({ configure: { data } });
  const instructions: string[] = [];
  for (let index = 0; index < 8; index++) instructions.push(await bought(one, { reference: `order-${index}` }));
  const two = await openWorld({ configure: { data }, replace: { ids: countingIds() } });
  const held: string[] = [];
  for (const [index, instruction] of instructions.entries()) {
    const release = () => one.call('retrieve_credentials', payment(instruction));
    const cancel = () => two.call('cancel_purchase', { instruction });
    const answers = await Promise.all(index % 2 === 0 ? [release(), cancel()] : [cancel(), release()]);
    held.push(...answers.flatMap(({ outcome, error }) => (outcome === 'done' ? [] : [`${outcome} by ${error?.rule}`])));
  }
  // Whatever came second was refused by us, for it is under way (EN-07) or cancelled (AP-08): the platform never said no.
  expect(held.filter((it) => it !== 'refused by EN-07' && it !== 'refused by AP-08')).toEqual([]);
  const effects = (await one.effects()).filter(({ operation }) => /^(retrieve|cancel)/.test(operation));
  for (const entity of new Set(effects.map((effect) => effect.entity)))
    expect(effects.filter((effect) => effect.entity === entity).map(({ operation }) => operation)).not.toEqual([
      'cancelPurchase',
      'retrieveCredentials',
    ]);
  expect(effects.length + held.length).toBe(2 * instructions.length);
  await two.running.close();
  await one.running.close();
});

describe('a reference', () => {
  it('answers with its first result while the platform is taken for gone', async () => {
    const it = await world();
    const instruction = await bought(it);
    const another = order({ reference: 'order-2' });
    await it.approve(await it.call('initiate_purchase', another));
    await it.fault('*', 'timeout-after-commit', { times: 5 });
    for (const card of ['card_bo', 'card_cleo', 'card_dan']) await it.call('enroll_card', { card });
    await it.call('initiate_purchase', another);
    await it.call('cancel_purchase', { instruction });
    expect(await it.call('enroll_card', { card: 'card_ada' })).toMatchObject({ error: { code: 'UNREACHABLE' } });
    expect(await it.call('initiate_purchase', order())).toMatchObject({ outcome: 'done', replayed: true });
  });

  it('answers with the first result after success, and nothing happens', async () => {
    const it = await world();
    const instruction = await bought(it);
    const first = await it.call('retrieve_credentials', payment(instruction));
    const again = await it.call('retrieve_credentials', payment(instruction));
    const { said } = again;
    expect(again).toEqual({ ...first, said, replayed: true, next: ['get_operation', 'get_purchase'] });
    expect(said).toContain(first.said);
    expect(await it.effects('retrieveCredentials')).toHaveLength(1);
    expect(await it.call('initiate_purchase', order())).toMatchObject({ replayed: true, data: { instruction } });
    expect(await it.effects('initiatePurchase')).toHaveLength(1);
  });

  it.each([
    { limit: { amount: '100.01', currency: 'GBP' } },
    { limit: { amount: '100.00', currency: 'EUR' } },
    { until: '2026-02-01T00:00:01Z' },
    { description: 'Loudspeakers' },
    { card: 'card_cleo' },
    { quantity: 2 },
  ])('never stands for another call: %j', async (other) => {
    const it = await world();
    await bought(it);
    await it.call('enroll_card', { card: 'card_cleo' });
    const [first] = (await it.operations()).filter(({ name }) => name === 'initiatePurchase');
    expect(await it.call('initiate_purchase', order(other))).toMatchObject({
      outcome: 'refused',
      operation: first?.id,
      error: { code: 'CONFLICT', rule: 'EN-03', field: 'reference' },
    });
    expect(await it.effects('initiatePurchase')).toHaveLength(1);
  });

  it('of another principal is a conflict, too', async () => {
    const it = await world();
    await bought(it);
    const said = await it.call('initiate_purchase', order(), { tenant: 'default', principal: 'another' });
    expect(said).toMatchObject({ outcome: 'refused', error: { code: 'CONFLICT', rule: 'EN-03' } });
  });

  it('of a call that had no effect is free', async () => {
    const it = await world();
    await it.call('enroll_card', { card: 'card_ada' });
    await it.fault('initiatePurchase', 'decline');
    expect(await it.through('initiate_purchase', order())).toMatchObject({ outcome: 'declined' });
    const other = order({ description: 'Loudspeakers' });
    expect(await it.call('initiate_purchase', other)).toMatchObject({ outcome: 'needs_approval' });
  });
});

/** Lets a process go, and answers what it tells when it is done. */
async function told(child: ChildProcess): Promise<readonly string[]> {
  child.send('go');
  const [outcomes] = (await once(child, 'message')) as [readonly string[]];
  return outcomes;
}
