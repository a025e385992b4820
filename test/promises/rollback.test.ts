import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { anchorFile } from '../../src/cli/anchor.ts';
import { compose, type Running } from '../../src/cli/compose.ts';
import { readConfiguration } from '../../src/cli/config.ts';
import type { Configuration } from '../../src/cli/configuration.ts';
import { started } from '../../src/cli/start.ts';
import type { Platform } from '../../src/client/platform.ts';
import type { ReaderTransport } from '../../src/core/reader.ts';
import { Secret } from '../../src/core/secret.ts';
import { contract, type OperationName } from '../../src/domains/index.ts';
import { recordDecision } from '../../src/engine/approval-service.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { toolName } from '../../src/engine/tool.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { Anchor, AnchorStore } from '../../src/ledger/verification.ts';
import { changing } from '../engine/changing.ts';
import { type World, world, worldOf } from '../engine/support.ts';
import { agent, folder, order, run } from '../faces/cli.ts';
import { playRowsOneIn } from '../support/drawn.ts';

playRowsOneIn(3);

// A ledger that was put back is older than its anchor, whatever else was put back with it, and then nothing is sent.

const names = Object.keys(changing) as (keyof typeof changing & OperationName)[];
const halted = { outcome: 'refused', error: { code: 'INTERNAL_HALT', rule: 'EN-13' } };

/** An anchor that is kept in memory; an error is one that can't be read. */
function kept(anchor: Anchor | undefined) {
  const store: AnchorStore & { anchor: Anchor | Error | undefined } = {
    anchor,
    read: () => {
      if (store.anchor instanceof Error) throw store.anchor;
      return store.anchor;
    },
    write: (next) => {
      store.anchor = next;
    },
  };
  return store;
}

const unreadable = new Error('Others may read the anchor file.');

/** A world whose engine has an anchor; `sent` says of each request by a method, and of each change through a reader, whether the anchor covered it. */
async function anchored(method: string = 'POST') {
  const sent: boolean[] = [];
  const faults: unknown[] = [];
  let ledger: Ledger | undefined;
  let store: ReturnType<typeof kept> | undefined;
  const leaves = async () => {
    sent.push((await ledger?.head())?.seq === store?.read()?.seq && (await lastEvent(it)) === 'sent');
  };
  const platform = (real: Platform) => async (request: Request) => {
    if (request.method !== 'GET' || method === 'GET') await leaves();
    return real(request);
  };
  const reader = (_: string, simulated: ReaderTransport | undefined) =>
    simulated && {
      ...simulated,
      send: async (...given: Parameters<ReaderTransport['send']>) => {
        if (given[0].effect !== 'read') await leaves();
        return simulated.send(...given);
      },
    };
  const after: { intent?: () => void } = {};
  const failpoint = (point: string) => {
    if (point === 'F2') after.intent?.();
  };
  const it = await world({ replace: { platform, reader, failpoint, onFault: (fault) => faults.push(fault) } });
  ledger = it.parts.ledger;
  store = kept(await ledger.head());
  const engine = createEngine({ ...it.parts, anchor: store });
  return { it: worldOf({ ...it.running, engine } as Running), store, ledger, sent, after, faults };
}

const lastEvent = (it: World) =>
  it.parts.ledger.transaction('default', async (tx) => (await tx.audit.list({ limit: 1 })).rows[0]?.event);

describe.each(names.map((name, at) => [name, at] as const))('%s', (name, at) => {
  it('leaves only after the anchor covers its intent', async () => {
    const { it, sent } = await anchored(contract[name].method);
    const args = await changing[name](it);
    const before = sent.length;
    await it.through(toolName(name), args);
    expect(sent.slice(before)).toEqual([true]);
  });

  const damages = [
    ['ahead of the ledger', ({ seq, hash }: Anchor) => ({ seq: seq + 3, hash })],
    ['in another ledger', ({ seq }: Anchor) => ({ seq, hash: 'f'.repeat(64) })],
    ['missing', () => undefined],
    ['a file that cannot be read', () => unreadable],
  ] as const;
  // Each operation meets one of them, each of them meets a quarter of the operations.
  it.each(damages.slice(at % 4, (at % 4) + 1))(
    'is neither begun nor, where it was approved, sent while the anchor is %s',
    async (_, damage) => {
      const { it, store, ledger, sent, faults } = await anchored();
      const args = await changing[name](it);
      const before = sent.length;
      const whole = store.anchor;
      store.anchor = damage(await ledger.head());
      const { data } = await it.call('preview_call', { tool: toolName(name), arguments: args });
      const said = await it.call(toolName(name), args);
      expect(said).toMatchObject(halted);
      expect(data.verdict).toEqual(said);
      // Whoever can mend it hears why.
      expect(faults.includes(unreadable)).toBe(store.anchor instanceof Error);
      store.anchor = whole;
      await it.running.engine.inspect();
      const first = await it.call(toolName(name), args);
      if (first.outcome === 'needs_approval') {
        await it.approve(first);
        store.anchor = damage(await ledger.head());
        expect(await it.call(toolName(name), args)).toMatchObject(halted);
      }
      expect(sent).toHaveLength(before + (first.outcome === 'needs_approval' ? 0 : 1));
    },
  );

  it('is not sent where the anchor moves ahead once the intent is on disk', async () => {
    const { it, store, ledger, sent, after } = await anchored();
    const args = await changing[name](it);
    const before = sent.length;
    after.intent = () => {
      store.anchor = { seq: 1_000_000, hash: 'f'.repeat(64) };
    };
    expect(await it.through(toolName(name), args)).toMatchObject(halted);
    expect(sent).toHaveLength(before);
    const { rows } = await ledger.transaction('default', (tx) => tx.operations.list({}, { limit: 1 }));
    expect(rows).toMatchObject([{ name, state: 'FAILED' }]);
  });
});

const settings = (more: Partial<Configuration> = {}): Configuration => ({
  ...readConfiguration({ PURSER_STATE: folder() }, { data: join(folder(), 'data') }),
  ...more,
});

/** A Purser that counts what changes something on the platform. */
async function start(configuration: Configuration, onSending: () => void = () => undefined) {
  const sent: string[] = [];
  const running = await compose(configuration, {
    platform: (real) => (request) => {
      if (new URL(request.url).pathname.includes('/instructions') && request.method !== 'GET') {
        sent.push(request.url);
        onSending();
      }
      return real(request);
    },
  });
  return { running, sent, call: (tool: string, args: unknown) => running.engine.call(tool, args, agent) };
}

/** A purchase that a person has approved. */
async function askFor({ running, call }: Awaited<ReturnType<typeof start>>): Promise<void> {
  await call('enroll_card', { card: order.card });
  const { approval } = await call('initiate_purchase', order);
  await recordDecision(running.engine.parts, approval?.id ?? '', 'approve', {
    ...{ tenant: 'default', approver: 'eve', channel: 'cli' },
  } as const);
}

describe('a copy of the ledger that is put back after a kill', () => {
  /** Approves a purchase, copies the ledger, buys, and leaves what a kill during the sending would have left. */
  async function rolledBack(configuration: Configuration) {
    const ledger = join(configuration.data, 'sandbox.sqlite');
    const copy = join(folder(), 'copy');
    const first = await start(configuration);
    await askFor(first);
    await first.running.close();
    copyFileSync(ledger, copy);
    const file = anchorFile(configuration) ?? '';
    let note = '';
    const second = await start(configuration, () => {
      note = readFileSync(file, 'utf8');
    });
    expect(await second.call('initiate_purchase', order)).toMatchObject({ outcome: 'done' });
    expect(second.sent).toHaveLength(1);
    await second.running.close();
    copyFileSync(copy, ledger);
    for (const companion of ['-wal', '-shm']) rmSync(`${ledger}${companion}`, { force: true });
    writeFileSync(file, note);
  }

  it('sends nothing a second time, and audit verify and doctor say so', async () => {
    const configuration = settings();
    await rolledBack(configuration);
    const third = await start(configuration);
    expect(await third.call('initiate_purchase', order)).toMatchObject(halted);
    expect(await third.call('list_operations', {})).toMatchObject({ outcome: 'done' });
    expect(third.sent).toEqual([]);
    await third.running.close();
    const env = { PURSER_STATE: configuration.state };
    const verified = await run(['audit', 'verify', '--data', configuration.data], { env });
    expect(verified).toMatchObject({ code: 1, err: expect.stringMatching(/the anchored row.*--init-anchor/s) });
    const doctor = await run(['doctor', '--data', configuration.data], { env });
    expect(doctor).toMatchObject({ code: 1, out: expect.stringMatching(/the anchored row.*--init-anchor/s) });
  });

  it('is told by a start, with the way out, and no more once that was taken', async () => {
    const configuration = settings();
    await rolledBack(configuration);
    const told = async (more: Partial<Configuration> = {}) => {
      const heard = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
      try {
        await (await started({ ...configuration, ...more })).close();
        return heard.mock.calls.join('');
      } finally {
        heard.mockRestore();
      }
    };
    expect(await told()).toContain('--init-anchor');
    // What the start has written is no newer for it.
    expect(await told()).toContain('--init-anchor');
    expect(await told({ initAnchor: true })).not.toContain('--init-anchor');
    expect(await told()).not.toContain('--init-anchor');
  });

  it('goes on where the operator makes a new anchor, and asks again for what may have been sent since the copy', async () => {
    const configuration = settings();
    await rolledBack(configuration);
    const third = await start({ ...configuration, initAnchor: true });
    expect(await third.call('initiate_purchase', order)).toMatchObject({ outcome: 'needs_approval' });
    expect(third.sent).toEqual([]);
    const { parts } = third.running.engine;
    const { rows } = await parts.ledger.transaction('default', (tx) => tx.approvals.list({}, { limit: 9 }));
    expect(rows.map(({ state }) => state)).toEqual(['REQUESTED', 'EXPIRED']);
    expect(await parts.ledger.verify()).toMatchObject({ ok: true });
    expect(await third.call('enroll_card', { card: 'card_bo' })).toMatchObject({ outcome: 'done' });
    await third.running.close();
  });
});

it('credentials that were redeemed once are not redeemed again from a copy, under a new anchor', async () => {
  const configuration = settings({ vaultKey: new Secret(Buffer.alloc(32, 7)) });
  const ledger = join(configuration.data, 'sandbox.sqlite');
  const copy = join(folder(), 'copy');
  const first = await start(configuration);
  await askFor(first);
  const { data } = await first.call('initiate_purchase', order);
  const released = await first.call('retrieve_credentials', { instruction: data?.instruction, ...order.limit });
  const credentials = String(released.data?.credentials);
  await first.running.close();
  copyFileSync(ledger, copy);
  const second = await start(configuration);
  expect(await second.running.engine.redeem('default', credentials)).toBeDefined();
  await second.running.close();
  copyFileSync(copy, ledger);
  for (const companion of ['-wal', '-shm']) rmSync(`${ledger}${companion}`, { force: true });
  const third = await start({ ...configuration, initAnchor: true });
  expect(await third.running.engine.redeem('default', credentials)).toBeUndefined();
  expect(await third.running.engine.parts.ledger.verify()).toMatchObject({ ok: true });
  await third.running.close();
});

describe('an anchor that is missing at the start', () => {
  it.each([
    ['named by the operator, even of a new ledger', true, false],
    ['of a ledger that holds something', false, true],
    ['named by the operator, of a ledger that holds something', true, true],
  ])('keeps Purser from starting: %s', async (_, isNamed, isUsed) => {
    const auditAnchorFile = isNamed ? join(folder(), 'anchor') : undefined;
    const configuration = settings({ auditAnchorFile });
    if (isUsed) {
      await (await start({ ...configuration, initAnchor: true })).running.close();
      rmSync(anchorFile(configuration) ?? '');
    }
    await expect(start(configuration)).rejects.toThrow('--init-anchor');
    const { running } = await start({ ...configuration, initAnchor: true });
    await running.close();
    await (await start(configuration)).running.close();
  });

  it('is made for a new ledger, apart from the data folder', async () => {
    const configuration = settings();
    const { running } = await start(configuration);
    await running.close();
    expect(anchorFile(configuration)?.startsWith(configuration.state)).toBe(true);
    expect(existsSync(anchorFile(configuration) ?? '')).toBe(true);
  });
});
