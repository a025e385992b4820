import { describe, expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import type { InProgress, Outcome, Progress } from '../../src/core/outcome.ts';
import type { CallState, ReaderTransport } from '../../src/core/reader.ts';
import { cancelledAnswer } from '../../src/engine/cancellation.ts';
import type { Verdict } from '../../src/engine/decide.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { EngineParts } from '../../src/engine/parts.ts';
import { markOverdueUnknown } from '../../src/engine/recover.ts';
import { settleUnknown } from '../../src/engine/settle-unknown.ts';
import { LedgerUnavailable } from '../../src/ledger/errors.ts';
import { loyaltyTools, withLoyalty } from '../support/made-up-domain.ts';
import { agent, clerk, shop } from './shop.ts';

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
    serialNumbers: () => [],
    callState: () => 'over',
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
    expect(await charge({ reference: 'sale-2' })).toMatchObject({
      outcome: 'refused',
      error: { rule: 'EN-07', wait: limits.readerQuietSeconds },
    });
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
      error: { code: 'CALL_CANCELLED', retry: 'same_call' },
    });
    expect(await stateOf(world)).toEqual(['FAILED']);
  });

  it('is not sent where its caller cancelled first, and asks nobody', async () => {
    const { it: world, calls, charge } = await withReader(charged);
    const nothing = { outcome: 'refused', error: { code: 'CALL_CANCELLED', retry: 'same_call' } };
    expect(await charge({}, { signal: AbortSignal.abort() })).toMatchObject(nothing);
    expect([calls, await world.operations()]).toEqual([[], []]);
    expect(await charge()).toMatchObject({ outcome: 'done' });
    expect(await charge({}, { signal: AbortSignal.abort() })).toMatchObject({ outcome: 'done', replayed: true });
  });

  it('that may have taken effect is never answered as cancelled', () => {
    const [tool] = loyaltyTools;
    const verdict = (kind: Verdict['kind']) => ({ kind, row: { id: 'op_first' } }) as unknown as Verdict; // what is looked at
    const answerTo = (kind: Verdict['kind']) => tool && cancelledAnswer(tool, verdict(kind));
    expect(answerTo('repeat')).toMatchObject({ outcome: 'unknown', operation: 'op_first', error: { rule: 'EN-06' } });
    for (const kind of ['send', 'ask'] as const)
      expect(answerTo(kind)).toMatchObject({ outcome: 'refused', error: { code: 'CALL_CANCELLED' } });
    for (const kind of ['answer', 'refuse'] as const) expect(answerTo(kind)).toBeUndefined();
  });

  it('goes on while somebody still waits for it', async () => {
    const stops = [new AbortController(), new AbortController()] as const;
    const end = Promise.withResolvers<Outcome>();
    const cancelled: boolean[] = [];
    const { charge, calls } = await withReader((_, __, { signal, onProgress }) => {
      onProgress?.({ step: 'WAITING_FOR_CARD' });
      signal?.addEventListener('abort', () => cancelled.push(true));
      return end.promise;
    });
    const seen: Progress[] = [];
    const first = charge({}, { signal: stops[0].signal });
    const second = charge({}, { signal: stops[1].signal, onProgress: (it: Progress) => seen.push(it) });
    await expect.poll(() => calls.length).toBe(1);
    await expect.poll(() => seen).toEqual([{ step: 'WAITING_FOR_CARD' }]);
    stops[0].abort();
    expect(cancelled).toEqual([]);
    stops[1].abort();
    expect(cancelled).toEqual([true]);
    end.resolve(charged);
    expect([await first, await second]).toMatchObject([{ outcome: 'done' }, { outcome: 'done', replayed: true }]);
  });

  it('shows how far it is under its operation', async () => {
    const end = Promise.withResolvers<InProgress['end'] extends Promise<infer End> ? End : never>();
    const {
      it: world,
      call,
      charge,
    } = await withReader({
      kind: 'inProgress',
      progress: { step: 'WAITING_FOR_CARD', fraction: 0.5 },
      end: end.promise,
    });
    const { operation } = await charge();
    expect(await call('get_operation', { operation })).toMatchObject({
      data: { state: 'SENDING', progress: 'WAITING_FOR_CARD (50 %)' },
    });
    end.resolve(charged);
    await expect.poll(() => stateOf(world)).toEqual(['SUCCEEDED']);
    expect((await call('get_operation', { operation })).data).not.toHaveProperty('progress');
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

  it('that is lost and was charged is found soon', async () => {
    const { it: world, engine, calls, charge } = await withReader(lost, charged);
    await charge();
    await world.advance(29);
    await engine.recover();
    expect(calls).toEqual(['startChargeTransaction']);
    await world.advance(1);
    await engine.recover();
    expect([calls.at(-1), await stateOf(world)]).toEqual(['lookupTransaction', ['SUCCEEDED']]);
  });

  it('that is lost and not found yet may still be charged, until all is quiet', async () => {
    const none: Outcome = { kind: 'declined', code: 'NOT_FOUND', reason: 'NOT_FOUND' };
    const { it: world, engine, calls, charge } = await withReader(lost, none);
    await charge();
    await world.advance(30);
    await engine.recover();
    expect([calls.at(-1), await stateOf(world)]).toEqual(['lookupTransaction', ['UNKNOWN']]);
    expect(await charge({ reference: 'sale-2' })).toMatchObject({ outcome: 'refused', error: { rule: 'EN-06' } });
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

  it.each([
    ['of its own reader', ['SN-2'], 'done'],
    ['of another counter', ['SN-3'], 'unknown'],
    ['that says no serial number', [], 'unknown'],
  ])('whose lookup finds nothing: whether it may be made again, where the app is one %s', async (_, later, outcome) => {
    let connected: readonly string[] = ['SN-1', 'SN-2'];
    const none: Outcome = { kind: 'declined', code: 'NOT_FOUND', reason: 'NOT_FOUND' };
    const { it: world, engine, charge, calls } = await withReader(lost, none, charged);
    Object.assign(engine.parts.reader ?? {}, { serialNumbers: () => connected });
    await charge();
    connected = later;
    await recovered(world, engine);
    expect(await charge()).toMatchObject({ outcome });
    expect(calls.filter((name) => name === 'startChargeTransaction')).toHaveLength(outcome === 'done' ? 2 : 1);
  });

  it('is not sent to a reader that has connected since it was decided', async () => {
    const said = [['SN-1'], ['SN-3']];
    const { it: world, engine, charge, calls } = await withReader(charged);
    Object.assign(engine.parts.reader ?? {}, { serialNumbers: () => said.shift() ?? ['SN-3'] });
    expect(await charge()).toMatchObject({ outcome: 'refused', error: { code: 'UNREACHABLE' } });
    expect([calls, await stateOf(world)]).toEqual([[], ['FAILED']]);
    expect(await charge()).toMatchObject({ outcome: 'done' });
  });

  it('that an app still runs is found to have had no effect in no process, also not in one without the reader', async () => {
    let state: CallState = 'running';
    const none: Outcome = { kind: 'declined', code: 'NOT_FOUND', reason: 'NOT_FOUND' };
    const { it: world, engine, charge } = await withReader(lost, none);
    Object.assign(engine.parts.reader ?? {}, { callState: () => state });
    const { operation = '' } = await charge();
    const elsewhere = { ...engine.parts, reader: undefined };
    const settle = (parts: EngineParts) => settleUnknown(parts, operation, { happened: false, note: 'Left.' }, clerk);
    await world.advance(limits.readerAskSeconds + 14);
    // Until it has been asked, nobody elsewhere knows whether it runs.
    expect(await settle(elsewhere)).toMatchObject({ ok: false });
    await engine.recover();
    await world.advance(limits.readerAskSeconds + 14);
    expect([await settle(engine.parts), await settle(elsewhere)]).toMatchObject([{ ok: false }, { ok: false }]);
    expect(await stateOf(world)).toEqual(['UNKNOWN']);
    state = 'over';
    await world.advance(limits.readerAskSeconds);
    expect(await settle(elsewhere)).toMatchObject({ ok: true, state: 'FAILED' });
  });

  it.each<[string, Exclude<Outcome, InProgress>]>([
    ['without effect', { kind: 'declined', code: 'CANCELLED', reason: 'CANCELLED_BY_USER' }],
    ['done', { kind: 'succeeded', status: 200, body: {} } as Exclude<Outcome, InProgress>],
  ])('ends no call that never went to a reader, whatever its app says: %s', async (_, reply) => {
    const { it: world, engine, call } = await withReader();
    await world.fault('enrollCard', 'timeout-after-commit');
    const { operation = '' } = await call('enroll_card', { card: 'card_ada' });
    const forgotten: string[] = [];
    Object.assign(engine.parts.reader ?? {}, {
      lateEnds: () => [{ callId: operation, outcomeOf: () => reply }],
      forget: (id: string) => forgotten.push(id),
    });
    await engine.recover();
    expect([await stateOf(world), forgotten]).toEqual([['UNKNOWN'], [operation]]);
    // Nor does it keep a person from settling one.
    Object.assign(engine.parts.reader ?? {}, { callState: () => 'running' });
    await world.advance(limits.quietSeconds);
    expect(await settleUnknown(engine.parts, operation, { happened: false, note: 'Left.' }, clerk)).toMatchObject({
      ok: true,
    });
  });

  it.each([
    ['the ledger can’t be written', new LedgerUnavailable('gone')],
    ['something of ours failed', new Error('broken')],
  ])('whose end can’t be recorded is not lost in silence: %s', async (_, fault) => {
    const { promise: end, resolve: finish } = Promise.withResolvers<Exclude<Outcome, InProgress>>();
    const it = await shop();
    const heard: unknown[] = [];
    let isBroken = false;
    const ledger: typeof it.parts.ledger = {
      ...it.parts.ledger,
      transaction: (tenant, work) => (isBroken ? Promise.reject(fault) : it.parts.ledger.transaction(tenant, work)),
    };
    const ports = { ...it.parts.ports, onFault: (one: unknown) => heard.push(one) };
    const reader: ReaderTransport = {
      serialNumbers: () => [],
      send: async () => ({ kind: 'inProgress', progress: { step: 'A' }, end }),
    };
    const engine = withLoyalty({ ...it.parts, ledger, ports }, { reader });
    await engine.call('charge_card', sale, agent);
    isBroken = true;
    finish(charged);
    await expect.poll(() => heard).toEqual([fault]);
    isBroken = false;
    // Recovery finds the operation, and looks it up.
    expect(await stateOf(it)).toEqual(['SENDING']);
    await recovered(it, engine);
    expect(await stateOf(it)).toEqual(['UNKNOWN']);
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

  it.each([
    ['SENDING', 'nobody'],
    ['UNKNOWN', 'another process'],
  ])(
    'is not lost while this process waits for it, however far the clock has jumped: %s, as %s gave it up',
    async (state, by) => {
      const { promise: end, resolve: finish } = Promise.withResolvers<Exclude<Outcome, InProgress>>();
      const {
        it: world,
        call,
        calls,
        charge,
      } = await withReader({ kind: 'inProgress', progress: { step: 'WAITING_FOR_CARD' }, end });
      const { operation } = await charge();
      await world.advance(limits.readerQuietSeconds + 60);
      if (by !== 'nobody') await markOverdueUnknown(world.parts);
      const inFlight = { outcome: 'unknown', operation, error: { code: 'IN_FLIGHT', rule: 'EN-07' } };
      expect(await charge()).toMatchObject(inFlight);
      expect(await call('preview_call', { tool: 'charge_card', arguments: sale })).toMatchObject({
        data: { verdict: inFlight },
      });
      expect([calls, await stateOf(world)]).toEqual([['startChargeTransaction'], [state]]);
      finish(charged);
      await expect.poll(() => stateOf(world)).toEqual(['SUCCEEDED']);
      expect(await charge()).toMatchObject({ outcome: 'done', replayed: true });
    },
  );

  it('keeps others from its thing while this process waits for it, and is not called lost', async () => {
    const { it: world, charge } = await withReader({
      kind: 'inProgress',
      progress: { step: 'WAITING_FOR_CARD' },
      end: new Promise(() => undefined),
    });
    const { operation } = await charge();
    await world.advance(limits.readerQuietSeconds + 60);
    expect(await charge({ reference: 'sale-2' })).toMatchObject({
      outcome: 'refused',
      operation,
      error: { code: 'IN_FLIGHT', rule: 'EN-07', retry: 'after' },
    });
  });

  it('reaches nothing where there is no reader', async () => {
    const it = await shop();
    const answer = await withLoyalty(it.parts, { reader: undefined }).call('charge_card', sale, agent);
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
    ['start_challenge', 'http'],
    ['answer_challenge', 'http'],
    ['register_key', 'http'],
    ['charge_card', 'reader'],
  ]);
});
