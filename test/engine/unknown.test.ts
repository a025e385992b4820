import { describe, expect, it, onTestFinished } from 'vitest';
import type { z } from 'zod';
import type { Replacements } from '../../src/cli/compose.ts';
import { limits } from '../../src/core/limits.ts';
import type { ReaderTransport } from '../../src/core/reader.ts';
import { contract, kinds } from '../../src/domains/index.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { quietSecondsOf, tellingSecondsOf } from '../../src/engine/lanes.ts';
import { recover } from '../../src/engine/recover.ts';
import { type PlatformTool, toolName } from '../../src/engine/tool.ts';
import type { FaultKind } from '../../src/sandbox/index.ts';
import { tools } from '../../tools/index.ts';
import { playRowsOneIn } from '../support/drawn.ts';
import { prepared } from '../support/prepared.ts';
import { looking, plan } from './billing.ts';
import { changing } from './changing.ts';
import { agent, begins, bought, quiet, type Said, settle, type World, world } from './support.ts';

playRowsOneIn(3);

/** Faults after which nobody knows, and whether the platform did it at once. */
const faults: readonly (readonly [FaultKind, boolean])[] = [
  ['timeout-after-commit', true],
  ['late-apply', false],
  ['5xx', false],
  ['5xx-after-commit', true],
  ['truncated', true],
  ['not-json', true],
  ['wrong-shape', true],
  ['oversized', true],
];

/** The long run tries every fault on every operation; the short one takes turns. */
const isLong = process.env.SOAK === '1';

type Name = keyof typeof changing;

/** Those whose outcome the platform can be asked about. */
const readBack: readonly Name[] = [
  ...(['createPlan', 'activatePlan', 'deactivatePlan', 'deletePlan'] as const),
  ...(['createSubscription', 'createFollowOnSubscription', 'updateSubscription', 'cancelSubscription'] as const),
  ...(['suspendSubscription', 'reactivateSubscription', 'createInvoice', 'cancelInvoice', 'publishInvoice'] as const),
  ...(['reversePayment', 'voidCapture', 'voidRefund'] as const),
  ...(['deleteReportSubscription', 'requestReport'] as const),
  'enrollDevice',
  ...(['chargeDevice', 'incrementPreauthorization', 'capturePreauthorization', 'refundDeviceTransaction'] as const),
];
/** Those that might charge somebody twice if what is not found yet were taken for nothing. */
const charging: readonly Name[] = ['createSubscription', 'createFollowOnSubscription'];

/** Whether the platform answers an operation without a body. */
const hasNoBody = (name: Name): boolean =>
  Object.values<z.ZodType>(contract[name].output).every((schema) => schema.safeParse(undefined).success);

const names = Object.keys(changing) as Name[];

/** The tools of the operations. */
const operations = Object.fromEntries(
  tools.flatMap((tool) => (tool.kind === 'platform' ? [[tool.operation, tool]] : [])),
) as Readonly<Record<Name, PlatformTool>>; // each operation has one

/** Every thing that is known, with its state. */
const statesIn = (it: World) =>
  it.parts.ledger.transaction('default', async (tx) => {
    const found = await Promise.all(kinds.map((kind) => tx.observations.list({ kind }, { limit: 100 })));
    return found.flatMap(({ rows }) => rows.map(({ kind, handle, state }) => ({ kind, handle, state })));
  });

/** The faults of an operation: all of them, or one in so many. */
const faultsOf = (name: Name, oneIn: number) =>
  faults
    .filter((_, at) => isLong || (names.indexOf(name) + at) % oneIn === 0)
    // Nothing is missing from a body that is empty.
    .filter(([kind]) => kind !== 'truncated' || !hasNoBody(name))
    .map(([kind, applied]) => ({ kind, applied }));

/** Keeps what the platform is sent by a call, but for what is only asked of it. */
function wiretap(name: Name) {
  const asks = (request: Request) => request.method === 'GET' && contract[name].method !== 'GET';
  const sent: string[] = [];
  return {
    sent,
    replace: {
      platform: (real: (request: Request) => Promise<Response>) => async (request: Request) => {
        if (!asks(request))
          sent.push(`${request.method} ${new URL(request.url).pathname} ${await request.clone().text()}`);
        return real(request);
      },
      reader: (_: string, real: ReaderTransport | undefined): ReaderTransport => ({
        ...real,
        serialNumbers: () => real?.serialNumbers() ?? [],
        send: async (operation, input, watch) => {
          if (operation.effect !== 'read') sent.push(`${operation.template} ${JSON.stringify(input)}`);
          return real?.send(operation, input, watch) ?? { kind: 'noEffect', because: 'unreachable' };
        },
      }),
    },
  };
}

it('is about every operation that changes something', () => {
  expect(
    looking.filter((name) => contract[name].effect !== 'read'),
    'these change something, so `looking` in test/engine/billing.ts has none',
  ).toEqual([]);
  const classed = names.filter((name) => contract[name].recovery === 'readBack');
  expect(
    classed.filter((name) => !readBack.includes(name)),
    'list each in `readBack`',
  ).toEqual([]);
});

describe.each(names)('%s', (name) => {
  const repeatable = contract[name].recovery === 'repeat';
  const reads = readBack.includes(name);
  const wire = wiretap(name);
  const prepare = prepared<object>((it) => changing[name](it), { replace: wire.replace });
  const opened = async () => {
    const { it, made: args } = await prepare();
    staysSound(it);
    return { it, args };
  };
  const lost = async (kind: FaultKind) => {
    const { it, args } = await opened();
    await it.fault(name, kind);
    return { it, args, said: await it.through(toolName(name), args) };
  };

  describe.each(faultsOf(name, 6))('lost by $kind', ({ kind, applied }) => {
    it(`is unknown, listed and not sent again; past the quiet period ${reads ? 'it ends as the platform has it' : 'it waits for a person'}`, async () => {
      const { it, said, args } = await lost(kind);
      const sent = wire.sent.length;
      const told = async () => (await it.call('get_operation', { operation: said.operation })).data;
      expect(said).toMatchObject({ outcome: 'unknown', error: { code: 'OUTCOME_UNKNOWN', retry: 'never' } });
      expect(await it.effects(name)).toHaveLength(applied ? 1 : 0);
      const listed = await it.call('list_operations', { state: 'UNKNOWN' });
      expect(listed.data.items).toMatchObject([{ operation: said.operation, tool: toolName(name), state: 'UNKNOWN' }]);
      expect(await told()).toMatchObject({ state: 'UNKNOWN', answer: { outcome: 'unknown' } });
      const again = async () => it.call(toolName(name), args);
      if (!repeatable) expect(await again()).toMatchObject({ outcome: 'unknown', operation: said.operation });
      const telling = tellingSecondsOf(contract[name]);
      await it.advance(telling - 1);
      await recover(it.parts);
      expect((await it.operation(said.operation)).state).toBe('UNKNOWN');
      await it.advance(2 + quietSecondsOf(contract[name]) - telling);
      await recover(it.parts);
      const found = kind !== '5xx' ? 'SUCCEEDED' : charging.includes(name) ? 'UNKNOWN' : 'FAILED';
      const state = reads ? found : 'UNKNOWN';
      const outcome = { SUCCEEDED: 'done', FAILED: 'declined', UNKNOWN: 'unknown' }[state];
      expect(await told()).toMatchObject({ state, answer: { outcome } });
      if (state === 'UNKNOWN' && !repeatable) expect(await again()).toMatchObject({ operation: said.operation });
      expect(wire.sent).toHaveLength(sent);
      expect(await it.effects(name)).toHaveLength(kind === '5xx' ? 0 : 1);
    });
  });

  describe.each(faultsOf(name, 8))('lost by $kind', ({ kind }) => {
    it.runIf(repeatable)('goes out once more as the same request', async () => {
      const { it, said, args } = await lost(kind);
      expect((await it.call(toolName(name), args)).operation).toBe(said.operation);
      const [first, second] = wire.sent.slice(-2);
      expect(second).toBe(first);
    });

    it('is settled by a person as not happened, after the quiet period alone, and can then be made anew', async () => {
      const { it, said, args } = await lost(kind);
      // Whoever has the reader asks its app once more before a person may say so.
      const rounds = contract[name].transport === 'reader' ? 2 : 1;
      const seconds = rounds * tellingSecondsOf(contract[name]);
      expect(await settle(it, said.operation, false)).toMatchObject({
        ok: false,
        because: `It may still take effect until ${new Date(begins + seconds * 1_000).toISOString()}.`,
      });
      await it.advance(seconds);
      expect(await settle(it, said.operation, false)).toMatchObject({ ok: true, state: 'FAILED' });
      expect((await it.through(toolName(name), args)).operation).not.toBe(said.operation);
      expect((await it.operation(said.operation)).state).toBe('FAILED');
    });

    it('is settled by a person as happened: the same call tells so, and nothing is sent', async () => {
      const { it, said, args } = await lost(kind);
      const before = wire.sent.length;
      const known = await statesIn(it);
      expect(await settle(it, said.operation, true)).toMatchObject({ ok: true, state: 'RESOLVED' });
      // What a call locks, such as the payment of a refund, may be another thing than what it moves.
      const changed = (await statesIn(it)).filter(({ handle, state }) =>
        known.every((it) => it.handle !== handle || it.state !== state),
      );
      const { moves } = operations[name].observe;
      expect(changed.filter(({ kind }) => kind !== moves?.kind)).toEqual([]);
      const told = await it.call('get_operation', { operation: said.operation });
      expect(told.data).toMatchObject({ state: 'RESOLVED', answer: { outcome: 'done' } });
      if ((await it.operation(said.operation)).reference === '') return;
      expect(await it.call(toolName(name), args)).toMatchObject({ outcome: 'done', replayed: true });
      expect(wire.sent.length).toBe(before);
    });
  });

  const isAllowed = operations[name].policy.approval !== undefined || contract[name].effect === 'money';
  it.runIf(repeatable).each([
    ['goes out once more', limits.repeatMinutes * 60, true],
    [isAllowed ? 'goes out no more' : 'goes out at any time', limits.repeatMinutes * 60 + 1, !isAllowed],
  ] as const)('%s after %i seconds', async (_, seconds, isSent) => {
    const { it, said, args } = await lost('timeout-after-commit');
    const sent = wire.sent.length;
    await it.advance(seconds);
    const preview = await it.call('preview_call', { tool: toolName(name), arguments: args });
    const again = await it.call(toolName(name), args);
    expect(again.operation).toBe(said.operation);
    expect(wire.sent.length - sent).toBe(isSent ? 1 : 0);
    if (!isSent) expect(again).toMatchObject({ outcome: 'unknown', error: { rule: 'EN-06', retry: 'never' } });
    if (!isSent) expect(preview.data.verdict).toMatchObject({ outcome: 'unknown' });
  });

  it('is given up after the quiet period, not before, where its process dies over it', async () => {
    const { it, args } = await opened();
    const dead = dying(it);
    const call = () => dead.call(toolName(name), args, agent);
    const first = await call().catch((error: Error) => error.message);
    if (first !== 'killed') {
      await it.approve(first as Said); // a person is asked before anything is sent
      await expect(call()).rejects.toThrow('killed');
    }
    const [row] = await it.operations();
    expect(row).toMatchObject({ name, state: 'SENDING', result: null });
    await it.advance(quietSecondsOf(contract[name]) - 1);
    expect(await recover(it.parts)).toBe(0);
    expect(await it.call(toolName(name), args)).toMatchObject({ outcome: 'unknown', error: { code: 'IN_FLIGHT' } });
    await it.advance(1);
    expect(await recover(it.parts)).toBe(1);
    expect(await recover(it.parts)).toBe(0);
    // Nothing was sent, and where the platform can be asked it says so.
    const state = readBack.includes(name) && !charging.includes(name) ? 'FAILED' : 'UNKNOWN';
    expect(await it.operation(row?.id)).toMatchObject({ state });
    expect(await it.effects(name)).toEqual([]);
  });
});

it('a repeat is not undone by the late no to the first sending', async () => {
  // The first sending is answered 429, but only after the second has begun.
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const arrived = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let sendings = 0;
  const it = await fresh({
    platform: (real) => async (request) => {
      if (!request.url.endsWith('/cancel')) return real(request);
      const sending = sendings++;
      const answer = await real(request);
      arrived[sending]?.resolve();
      await gates[sending]?.promise;
      return answer;
    },
  });
  const instruction = await bought(it);
  await it.fault('cancelPurchase', '429');
  const first = it.call('cancel_purchase', { instruction });
  await arrived[0]?.promise;
  await quiet(it);
  const second = createEngine(it.parts).call('cancel_purchase', { instruction }, agent);
  await arrived[1]?.promise;
  gates[0]?.resolve();
  expect(await first).toMatchObject({ outcome: 'unknown' });
  gates[1]?.resolve();
  expect(await second).toMatchObject({ outcome: 'done', data: { state: 'CANCELLED' } });
  expect((await it.operations())[0]).toMatchObject({ name: 'cancelPurchase', state: 'SUCCEEDED', attempt: 2 });
  expect(await it.effects('cancelPurchase')).toHaveLength(1);
});

describe('a call that was sent while the clock was a year ahead', () => {
  it.each([
    ['of a process that was killed', 'SENDING', undefined],
    ['whose answer was lost', 'UNKNOWN', 'timeout-after-commit'],
  ] as const)('%s, is looked for once a whole quiet period is over since it was seen', async (_, state, fault) => {
    const it = await fresh();
    const { ports } = it.parts;
    const ahead = { now: () => ports.clock.now() + 365 * 86_400_000 };
    const failpoint = (point: string) => {
      if (fault === undefined && point === 'F2') throw new Error('killed');
    };
    if (fault !== undefined) await it.fault('createPlan', fault);
    const engine = createEngine({ ...it.parts, ports: { ...ports, clock: ahead, failpoint } });
    await engine.call('create_plan', plan(), agent).catch(() => undefined);
    const [row] = await it.operations();
    expect(row).toMatchObject({ name: 'createPlan', state });
    await recover(it.parts);
    expect(await it.operation(row?.id)).toEqual(row);
    // The clock goes forward by itself: nobody has waited that long.
    await it.advance(86_400);
    await recover(it.parts);
    expect(await it.operation(row?.id)).toEqual(row);
    for (const seconds of [60, limits.quietSeconds - 61]) {
      await it.advance(seconds);
      await recover(it.parts);
      expect(await it.operation(row?.id)).toEqual(row);
    }
    await it.advance(1);
    await recover(it.parts);
    expect(await it.operation(row?.id)).toMatchObject({ state: fault === undefined ? 'FAILED' : 'SUCCEEDED' });
  });
});

/** A world whose platform is never taken for gone: these tests lose more answers than that allows. */
async function fresh(replace: Replacements = {}): Promise<World> {
  const it = await world({ replace });
  staysSound(it);
  return it;
}

const staysSound = (it: World): void =>
  onTestFinished(async () => {
    expect(await it.parts.ledger.verify()).toMatchObject({ ok: true });
  });

/** An engine on the same ledger that dies once the intent is on disk. */
const dying = (it: World) =>
  createEngine({
    ...it.parts,
    ports: {
      ...it.parts.ports,
      failpoint: (point) => {
        if (point === 'F2') throw new Error('killed');
      },
    },
  });
