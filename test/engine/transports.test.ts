import { describe, expect, it } from 'vitest';
import type { InProgress, Outcome, Progress } from '../../src/core/outcome.ts';
import type { ReaderTransport } from '../../src/core/reader.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { loyaltyTools, withLoyalty } from '../support/made-up-domain.ts';
import { agent, shop } from './shop.ts';

const sale = { reference: 'sale-1', amount: '40.00', currency: 'EUR' };
const body = { id: 'charge-1', status: 'APPROVED' };
const charged = { kind: 'succeeded', status: 'success', body } as const;
const lost = { kind: 'unknown', because: 'no-answer' } as const;

/** A shop with a reader that answers each call in turn, and says what it was asked. */
async function withReader(...answers: readonly (Outcome | ReaderTransport['send'])[]) {
  const it = await shop();
  const calls: string[] = [];
  const rest = [...answers];
  const reader: ReaderTransport = {
    send: async (operation, input, watch) => {
      calls.push(operation.template);
      const next = rest.shift() ?? lost;
      return typeof next === 'function' ? next(operation, input, watch) : next;
    },
  };
  const engine = withLoyalty(it.parts, { reader });
  const call = (tool: string, args: unknown, watch = {}) => engine.call(tool, args, agent, watch);
  return {
    it,
    engine,
    calls,
    call,
    charge: (more = {}, watch = {}) => call('charge_card', { ...sale, ...more }, watch),
  };
}

const stateOf = async (it: Awaited<ReturnType<typeof shop>>) => (await it.operations()).map(({ state }) => state);
const recovered = async (it: Awaited<ReturnType<typeof shop>>, engine: Engine) => {
  await it.advance(601);
  await engine.recover();
};

describe('a call that a reader carries', () => {
  it('passes the same intent, record and replay as any other', async () => {
    const { it: world, calls, charge } = await withReader(charged);
    expect(await charge()).toMatchObject({ outcome: 'done', data: { id: 'charge-1' } });
    expect(await charge()).toMatchObject({ outcome: 'done', replayed: true });
    expect([calls, await stateOf(world)]).toEqual([['startChargeTransaction'], ['SUCCEEDED']]);
  });

  it('reports its progress to the caller', async () => {
    const seen: Progress[] = [];
    const { charge } = await withReader(async (_, __, { onProgress }) => {
      onProgress?.({ step: 'WAITING_FOR_CARD' });
      return charged;
    });
    await charge({}, { onProgress: (progress: Progress) => seen.push(progress) });
    expect(seen).toEqual([{ step: 'WAITING_FOR_CARD' }]);
  });

  it('that takes a minute is in progress meanwhile, holds its lock, and ends under its operation', async () => {
    const { promise: end, resolve: finish } =
      Promise.withResolvers<InProgress['end'] extends Promise<infer End> ? End : never>();
    const {
      it: world,
      calls,
      charge,
    } = await withReader({
      kind: 'inProgress',
      progress: { step: 'WAITING_FOR_CARD' },
      end,
    });
    expect(await charge()).toMatchObject({ outcome: 'unknown', error: { code: 'IN_FLIGHT', rule: 'EN-07' } });
    expect(await charge()).toMatchObject({ error: { code: 'IN_FLIGHT' } });
    expect(await charge({ reference: 'sale-2' })).toMatchObject({ outcome: 'refused', error: { rule: 'EN-07' } });
    expect(await stateOf(world)).toEqual(['SENDING']);
    finish(charged);
    await expect.poll(() => stateOf(world)).toEqual(['SUCCEEDED']);
    expect(await charge()).toMatchObject({ outcome: 'done', replayed: true, data: { id: 'charge-1' } });
    expect(calls).toEqual(['startChargeTransaction']);
  });

  it('is cancelled by its caller, and nothing was charged', async () => {
    const stop = new AbortController();
    const { it: world, charge } = await withReader(
      (_, __, { signal }) =>
        new Promise((resolve) => {
          signal?.addEventListener('abort', () =>
            resolve({ kind: 'declined', code: 'CANCELLED', reason: 'CANCELLED_BY_USER' }),
          );
          stop.abort();
        }),
    );
    expect(await charge({}, { signal: stop.signal })).toMatchObject({
      outcome: 'declined',
      error: { code: 'DECLINED', retry: 'same_call' },
    });
    expect(await stateOf(world)).toEqual(['FAILED']);
  });

  it('that is lost is looked up at the reader before anything else is charged', async () => {
    const { it: world, engine, calls, charge } = await withReader(lost, charged);
    expect(await charge()).toMatchObject({ outcome: 'unknown', error: { rule: 'EN-06' } });
    expect(await charge({ reference: 'sale-2' })).toMatchObject({ outcome: 'refused', error: { rule: 'EN-06' } });
    await recovered(world, engine);
    expect(calls).toEqual(['startChargeTransaction', 'lookupTransaction']);
    expect(await stateOf(world)).toEqual(['SUCCEEDED']);
    expect(await charge()).toMatchObject({ outcome: 'done', replayed: true, data: { id: 'charge-1' } });
  });

  it('that is lost and not found can be made again', async () => {
    const {
      it: world,
      engine,
      calls,
      charge,
    } = await withReader(lost, { kind: 'declined', code: 'NOT_FOUND', reason: 'NOT_FOUND' }, charged);
    await charge();
    await recovered(world, engine);
    expect(await charge()).toMatchObject({ outcome: 'done', data: { id: 'charge-1' } });
    expect(calls).toEqual(['startChargeTransaction', 'lookupTransaction', 'startChargeTransaction']);
  });

  it('has ten minutes before silence counts', async () => {
    const { it: world, charge } = await withReader({
      kind: 'inProgress',
      progress: { step: 'A' },
      end: new Promise(() => undefined),
    });
    await charge();
    const [row] = await world.operations();
    expect((row?.quietUntil ?? 0) - (row?.startedAt ?? 0)).toBe(600_000);
  });

  it('reaches nothing where there is no reader', async () => {
    const it = await shop();
    const answer = await withLoyalty(it.parts).call('charge_card', sale, agent);
    expect(answer).toMatchObject({ outcome: 'refused', error: { code: 'UNREACHABLE' } });
  });
});

describe('a reader that does not answer', () => {
  it('pauses its own lane, and never the platform', async () => {
    const gone = { kind: 'noEffect', because: 'unreachable' } as const;
    const { calls, call, charge } = await withReader(gone, gone, gone, gone);
    for (const reference of ['a', 'b', 'c']) await charge({ reference });
    expect(await charge({ reference: 'd' })).toMatchObject({ outcome: 'refused', error: { rule: 'EN-12' } });
    expect(calls).toHaveLength(3);
    expect(await call('enroll_card', { card: 'card_ada' })).toMatchObject({ outcome: 'done' });
  });
});

it('keeps apart what the tools of both transports are called', () => {
  expect(loyaltyTools.map(({ name, definition }) => [name, definition.transport])).toEqual([
    ['award_points', 'http'],
    ['get_statement', 'http'],
    ['confirm_code', 'http'],
    ['charge_card', 'reader'],
  ]);
});
