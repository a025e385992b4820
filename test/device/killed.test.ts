import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { compose } from '../../src/cli/compose.ts';
import type { DeviceTransactionDocument } from '../../src/domains/device/sandbox/documents.ts';
import { recordDecision } from '../../src/engine/approval-service.ts';
import type { FailPoint } from '../../src/engine/settings.ts';
import { connectApp } from '../../src/reader/client.ts';
import { type Reader, readerTransport } from '../../src/reader/transport.ts';
import { createSandbox, simulatedReader } from '../../src/sandbox/index.ts';
import { charging } from '../engine/device.ts';
import { agent, begins, configuration, person, type Said } from '../engine/support.ts';
import { programOf } from '../support/bundled.ts';
import { playRowsOneIn } from '../support/drawn.ts';
import { folder } from '../support/folder.ts';
import type { Job } from './children/counter.ts';

playRowsOneIn(3);

// Real kill -9, over a real WebSocket: a Purser in a process of its own dies at each point of a charge, while the reader and its books live on.

/** Nobody listens there: a charge goes to the reader. */
const sandboxUrl = 'http://127.0.0.1:9';

/** What the reader does while its Purser dies, what the ledger knows after a restart, and what the books have then. */
const deaths: readonly (readonly [point: FailPoint, when: string, at: When, row: string, books: readonly string[]])[] =
  [
    ['F0', 'before the intent is written', 'self', 'APPROVED', []],
    ['F1', 'while the intent is written', 'self', 'APPROVED', []],
    ['F2', 'before anything is sent', 'self', 'FAILED', []],
    ['F3', 'as the call reaches the reader', 'call', 'SUCCEEDED', ['Approved']],
    ['F3', 'while the customer looks for a card, and leaves', 'waiting', 'SUCCEEDED', ['Aborted']],
    ['F4', 'after the card was charged', 'end', 'SUCCEEDED', ['Approved']],
    ['F5', 'with the answer read', 'self', 'SUCCEEDED', ['Approved']],
    ['F6', 'with the answer recorded', 'self', 'SUCCEEDED', ['Approved']],
    ['F7', 'with the agent told', 'self', 'SUCCEEDED', ['Approved']],
    ['F8', 'when all is over', 'self', 'SUCCEEDED', ['Approved']],
  ];
type When = 'self' | 'call' | 'waiting' | 'end';

// As long as the machine needs: a process is started and killed, and nothing here depends on how long that takes.
it.each(deaths)('killed at %s, %s: one charge in the books in the end', { timeout: 600_000 }, async (...death) => {
  const [point, , at, row, books] = death;
  let now = begins;
  const clock = { now: () => now };
  const data = folder();
  const sandbox = createSandbox({ file: join(data, 'platform.sqlite'), clock });
  onTestFinished(() => sandbox.close());
  const control = (path: string, body: object) =>
    sandbox.handle(
      new Request(`https://sandbox.purser.test/sandbox/${path}`, { method: 'POST', body: JSON.stringify(body) }),
    );
  const charges = async () =>
    (await sandbox.world.snapshot()).documents
      .filter(({ kind }) => kind === 'deviceTransaction')
      .map(({ body }) => (body as DeviceTransactionDocument).status);
  const real = simulatedReader(sandbox);
  const settings = configuration({ data, sandboxUrl });
  const start = () =>
    compose(settings, {
      clock,
      platform: () => (request) => sandbox.handle(request),
      reader: () => readerTransport(real),
    });

  const first = await start();
  await control('reader', { state: 'enrolled', educationShown: true });
  const { data: seen } = (await first.engine.call('device_status', {}, agent)) as Said;
  const args = charging(seen.device);
  const { approval } = await first.engine.call('charge_device', args, agent);
  await recordDecision(first.engine.parts, approval?.id ?? '', 'approve', person);
  await first.close();
  if (at === 'waiting') await control('reader', { taps: 'person' });

  const program = await programOf(new URL('./children/counter.ts', import.meta.url));
  const child = fork(program.file, [], {
    env: { ...process.env, ...program.env, PURSER_DATA: data, PURSER_SANDBOX_URL: sandboxUrl, PURSER_TOOLSETS: 'all' },
    execArgv: [],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exit = once(child, 'exit');
  const [{ port }] = (await Promise.race([once(child, 'message'), exit])) as [{ readonly port: number }];
  const kill = async () => {
    child.kill('SIGKILL');
    await exit;
  };
  const under: Promise<unknown>[] = [];
  const reader: Reader = {
    send: (call, input, watch) => {
      if (call !== 'startChargeTransaction') return real.send(call, input, watch);
      const charged = (async () => {
        if (at === 'call') await kill();
        const end = await real.send(call, input, {
          ...watch,
          onProgress: (progress) => {
            watch.onProgress(progress);
            if (at === 'waiting' && progress.step === 'WAITING_FOR_CARD') void kill();
          },
        });
        if (at === 'end') await kill();
        return end;
      })();
      under.push(charged);
      return charged;
    },
  };
  const app = await new Promise<ReturnType<typeof connectApp>>((resolve) => {
    const made = connectApp({ url: `ws://127.0.0.1:${port}/reader`, token: 'none' }, reader, () => resolve(made));
  });
  child.send({ point, args, now } satisfies Job);
  expect((await exit)[1]).toBe('SIGKILL');
  await app.closed;
  await Promise.allSettled(under);

  expect(await charges()).toEqual(books);
  await control('reader', { taps: 'auto' });
  now += 1_000;
  const second = await start();
  onTestFinished(() => second.close());
  // Before the quiet period is over nobody says what became of it, and no other card is tapped.
  const early = await second.engine.call('charge_device', charging(seen.device, { reference: 'sale-2' }), agent);
  expect(early.outcome).toBe(['F2', 'F3', 'F4', 'F5'].includes(point) ? 'refused' : 'needs_approval');
  now += 601_000;
  await second.engine.recover();
  const { rows } = await second.engine.parts.ledger.transaction('default', (tx) =>
    tx.operations.list({}, { limit: 9 }),
  );
  const oldest = rows.filter(({ name }) => name === 'chargeDevice').at(-1);
  expect(oldest?.state).toBe(row);
  const again = (await second.engine.call('charge_device', args, agent)) as Said;
  if (again.outcome === 'needs_approval')
    await recordDecision(second.engine.parts, again.approval?.id ?? '', 'approve', person);
  const last = (await second.engine.call('charge_device', args, agent)) as Said;
  expect(last).toMatchObject({ outcome: 'done', data: { state: 'APPROVED' } });
  expect((await charges()).toSorted()).toEqual([...new Set([...books, 'Approved'])].toSorted());
  expect((await second.engine.parts.ledger.verify()).ok).toBe(true);
});
