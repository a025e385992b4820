import { describe, expect, it, onTestFinished } from 'vitest';
import type { Replacements } from '../../src/cli/compose.ts';
import { contract } from '../../src/domains/index.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { recover } from '../../src/engine/recover.ts';
import type { FaultKind } from '../../src/sandbox/index.ts';
import { looking } from './billing.ts';
import { changing } from './changing.ts';
import { agent, bought, change, payment, quiet, type Said, settle, type World, world } from './support.ts';

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

/** All faults, for what needs two of each operation in turn to be seen. */
const isLong = process.env.SOAK === '1';

type Name = keyof typeof changing;

/** Those for which a person is asked here. */
const asking: readonly Name[] = [
  ...(['initiatePurchase', 'createSubscription', 'createFollowOnSubscription', 'reactivateSubscription'] as const),
  ...(['updateSubscription', 'updateInvoice', 'createInvoice', 'publishInvoice'] as const),
  'updateInvoiceSettings',
];

/** Those whose outcome the platform can be asked about. */
const readBack: readonly Name[] = [
  ...(['createPlan', 'activatePlan', 'deactivatePlan', 'deletePlan'] as const),
  ...(['createSubscription', 'createFollowOnSubscription', 'updateSubscription', 'cancelSubscription'] as const),
  ...(['suspendSubscription', 'reactivateSubscription', 'createInvoice', 'cancelInvoice', 'publishInvoice'] as const),
];
/** Those that might charge somebody twice if what is not found yet were taken for nothing. */
const charging: readonly Name[] = ['createSubscription', 'createFollowOnSubscription'];

const toolOf = (name: Name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const cells = (Object.keys(changing) as Name[]).flatMap((name, place) =>
  faults.map(([kind, applied], at) => ({ name, kind, applied, isTurn: isLong || (place + at) % 4 === 0 })),
);

/** Keeps what the platform is sent, but for what is only asked of it. */
function wiretap() {
  const sent: string[] = [];
  return {
    sent,
    replace: {
      platform: (real: (request: Request) => Promise<Response>) => async (request: Request) => {
        if (request.method !== 'GET')
          sent.push(`${request.method} ${new URL(request.url).pathname} ${await request.clone().text()}`);
        return real(request);
      },
    },
  };
}

async function lost(it: World, name: Name, kind: FaultKind): Promise<{ readonly said: Said; readonly args: object }> {
  const args = await changing[name](it);
  await it.fault(name, kind);
  return { said: await it.through(toolOf(name), args), args };
}

it('is about every operation that changes something', () => {
  expect(looking.filter((name) => contract[name].effect !== 'read')).toEqual([]);
  const classed = (Object.keys(changing) as Name[]).filter((name) => contract[name].recovery === 'readBack');
  expect(classed.filter((name) => !readBack.includes(name))).toEqual([]);
});

describe.each(cells)('$name, lost by $kind', ({ name, kind, applied, isTurn }) => {
  const repeatable = contract[name].recovery === 'repeat';
  const reads = readBack.includes(name);

  it('is unknown, listed, told by get_operation, and has the effects the platform says', async () => {
    const it = await fresh();
    const { said } = await lost(it, name, kind);
    expect(said).toMatchObject({ outcome: 'unknown', error: { code: 'OUTCOME_UNKNOWN', retry: 'never' } });
    expect(await it.effects(name)).toHaveLength(applied ? 1 : 0);
    const listed = await it.call('list_operations', { state: 'UNKNOWN' });
    expect(listed.data.items).toMatchObject([{ operation: said.operation, tool: toolOf(name), state: 'UNKNOWN' }]);
    const told = await it.call('get_operation', { operation: said.operation });
    expect(told).toMatchObject({ outcome: 'done', data: { state: 'UNKNOWN', answer: { outcome: 'unknown' } } });
  });

  it.runIf(isTurn)(repeatable ? 'goes out once more as the same request' : 'is never sent a second time', async () => {
    const wire = wiretap();
    const it = await fresh(wire.replace);
    const { said, args } = await lost(it, name, kind);
    const before = wire.sent.length;
    const again = await it.call(toolOf(name), args);
    expect(again.operation).toBe(said.operation);
    if (repeatable) {
      expect(wire.sent.slice(before)).toEqual(wire.sent.slice(-1));
      expect(wire.sent.at(-1)).toBe(wire.sent[before - 1]);
      return;
    }
    await quiet(it);
    expect(again.outcome).toBe('unknown');
    expect(wire.sent).toHaveLength(before);
    expect(await it.effects(name)).toHaveLength(kind === '5xx' ? 0 : 1);
  });

  it(`past the quiet period ${reads ? 'ends as the platform has it' : 'waits for a person'}`, async () => {
    const wire = wiretap();
    const it = await fresh(wire.replace);
    const { said, args } = await lost(it, name, kind);
    await it.advance(119);
    await recover(it.running.engine.parts);
    expect((await it.operation(said.operation)).state).toBe('UNKNOWN');
    const before = wire.sent.length;
    await it.advance(2);
    await recover(it.running.engine.parts);
    const found = kind !== '5xx' ? 'SUCCEEDED' : charging.includes(name) ? 'UNKNOWN' : 'FAILED';
    const ends = reads ? found : 'UNKNOWN';
    expect((await it.operation(said.operation)).state).toBe(ends);
    const told = await it.call('get_operation', { operation: said.operation });
    expect(told.data.answer.outcome).toBe({ SUCCEEDED: 'done', FAILED: 'declined', UNKNOWN: 'unknown' }[ends]);
    if (ends === 'UNKNOWN' && !repeatable)
      expect(await it.call(toolOf(name), args)).toMatchObject({ operation: said.operation });
    expect(wire.sent).toHaveLength(before);
    expect(await it.effects(name)).toHaveLength(kind === '5xx' ? 0 : 1);
  });

  it.runIf(isTurn)(
    'is settled by a person as not happened, after the quiet period alone, and can then be made anew',
    async () => {
      const it = await fresh();
      const { said, args } = await lost(it, name, kind);
      expect(await settle(it, said.operation, false)).toMatchObject({
        ok: false,
        because: 'It may still take effect: nobody can know before 2026-01-15T09:02:00.000Z.',
      });
      await it.advance(120);
      expect(await settle(it, said.operation, false)).toMatchObject({ ok: true, state: 'FAILED' });
      const anew = await it.through(toolOf(name), args);
      expect(anew.operation).not.toBe(said.operation);
      expect((await it.operation(said.operation)).state).toBe('FAILED');
    },
  );

  it.runIf(isTurn)('is settled by a person as happened: the same call tells so, and nothing is sent', async () => {
    const wire = wiretap();
    const it = await fresh(wire.replace);
    const { said, args } = await lost(it, name, kind);
    const before = wire.sent.length;
    expect(await settle(it, said.operation, true)).toMatchObject({ ok: true, state: 'RESOLVED' });
    const told = await it.call('get_operation', { operation: said.operation });
    expect(told.data).toMatchObject({ state: 'RESOLVED', answer: { outcome: 'done' } });
    const referenced = (await it.operation(said.operation)).reference !== '';
    if (!referenced) return;
    expect(await it.call(toolOf(name), args)).toMatchObject({ outcome: 'done', replayed: true });
    expect(wire.sent.length).toBe(before);
  });
});

describe('a call that is under way when its process dies', () => {
  it.each(Object.keys(changing) as Name[])('is given up after the quiet period, not before: %s', async (name) => {
    const it = await fresh();
    const args = await changing[name](it);
    if (asking.includes(name)) await it.approve(await it.call(toolOf(name), args));
    const dead = dying(it);
    await expect(dead.call(toolOf(name), args, agent)).rejects.toThrow('killed');
    const [row] = await it.operations();
    expect(row).toMatchObject({ name, state: 'SENDING', result: null });
    await it.advance(119);
    expect(await recover(it.running.engine.parts)).toBe(0);
    expect(await it.call(toolOf(name), args)).toMatchObject({ outcome: 'unknown', error: { code: 'IN_FLIGHT' } });
    await it.advance(1);
    expect(await recover(it.running.engine.parts)).toBe(1);
    expect(await recover(it.running.engine.parts)).toBe(0);
    // Nothing was sent, and where the platform can be asked it says so.
    const state = readBack.includes(name) && !charging.includes(name) ? 'FAILED' : 'UNKNOWN';
    expect(await it.operation(row?.id)).toMatchObject({ state });
    expect(await it.effects(name)).toEqual([]);
  });
});

describe('a repeat', () => {
  it('that is refused proves nothing of the first sending', async () => {
    const it = await fresh();
    const instruction = await bought(it);
    await it.fault('cancelPurchase', 'timeout-after-commit');
    const first = await it.call('cancel_purchase', { instruction });
    // The platform refuses what it has already done.
    const again = await it.call('cancel_purchase', { instruction });
    expect([first.outcome, again.outcome]).toEqual(['unknown', 'unknown']);
    expect(await it.operation(first.operation)).toMatchObject({ state: 'UNKNOWN', attempt: 2 });
    expect(await it.effects('cancelPurchase')).toHaveLength(1);
  });

  it('teaches what was sent, so that what follows names the mandate that the platform knows', async () => {
    const it = await fresh();
    const instruction = await bought(it);
    const narrower = change(instruction, { limit: { amount: '60.00', currency: 'GBP' } });
    await it.fault('updatePurchase', '5xx');
    await it.call('update_purchase', narrower);
    expect(await it.call('update_purchase', narrower)).toMatchObject({ outcome: 'done' });
    expect(await it.call('retrieve_credentials', payment(instruction))).toMatchObject({ outcome: 'done' });
  });

  it('is not undone by the late no to the first sending', async () => {
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
    const second = createEngine(it.running.engine.parts).call('cancel_purchase', { instruction }, agent);
    await arrived[1]?.promise;
    gates[0]?.resolve();
    expect(await first).toMatchObject({ outcome: 'unknown' });
    gates[1]?.resolve();
    expect(await second).toMatchObject({ outcome: 'done', data: { state: 'CANCELLED' } });
    expect((await it.operations())[0]).toMatchObject({ name: 'cancelPurchase', state: 'SUCCEEDED', attempt: 2 });
    expect(await it.effects('cancelPurchase')).toHaveLength(1);
  });
});

describe('a ledger whose chain can not be read just now', () => {
  it('is asked again by the next call', async () => {
    const it = await fresh();
    const { parts } = it.running.engine;
    let failures = 1;
    const engine = createEngine({
      ...parts,
      ledger: {
        ...parts.ledger,
        verify: (...args) => (failures-- > 0 ? Promise.reject(new Error('busy')) : parts.ledger.verify(...args)),
      },
    });
    await expect(engine.call('enroll_card', { card: 'card_ada' }, agent)).rejects.toThrow('busy');
    expect(await engine.call('enroll_card', { card: 'card_ada' }, agent)).toMatchObject({ outcome: 'done' });
  });
});

/** A world whose platform is never taken for gone: these tests lose more answers than that allows. */
async function fresh(replace: Replacements = {}): Promise<World> {
  const it = await world({ replace });
  onTestFinished(async () => {
    expect(await it.running.engine.parts.ledger.verify()).toMatchObject({ ok: true });
  });
  return it;
}

/** An engine on the same ledger that dies once the intent is on disk. */
const dying = (it: World) =>
  createEngine({
    ...it.running.engine.parts,
    ports: {
      ...it.running.engine.parts.ports,
      failpoint: (point) => {
        if (point === 'F2') throw new Error('killed');
      },
    },
  });
