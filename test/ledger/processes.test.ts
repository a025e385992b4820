import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openLedger } from '../../src/ledger/store.ts';
import { folder, ledger, operation } from './rows.ts';

const CHILD = new URL('./children/child.ts', import.meta.url);

/** Starts processes that wait for each other, lets them go at once, and answers what they said and how they ended. */
async function together(file: string, role: string, names: readonly string[], count = 0) {
  const children = names.map((name) => fork(CHILD, [file, role, name, String(count)], { execArgv: [] }));
  onTestFinished(() => {
    for (const child of children) child.kill('SIGKILL');
  });
  await Promise.all(children.map((child) => once(child, 'message')));
  return Promise.all(children.map(release));
}

async function release(child: ChildProcess) {
  const said: unknown[] = [];
  child.on('message', (message) => said.push(message));
  child.send('go');
  const [code, signal] = await once(child, 'exit');
  return { code, signal, said: said.at(-1) };
}

const well = (done: unknown) => ({ code: 0, signal: null, said: { done } });

// Starting processes takes as long as the machine is loaded; nothing here depends on how long.
const PATIENCE = { timeout: 60_000 };

describe('several processes on one ledger', PATIENCE, () => {
  it('may all be the first to open it', async () => {
    const file = `${folder()}/purser.db`;
    const ended = await together(file, 'count', ['a', 'b', 'c', 'd'], 1);
    expect(ended).toEqual([well(null), well(null), well(null), well(null)]);
    const it = await ledger(file);
    expect(await it.verifyAudit()).toMatchObject({ ok: true, rows: 4 });
  });

  it('lose no update and keep one chain', async () => {
    const file = `${folder()}/purser.db`;
    await together(file, 'count', ['a', 'b', 'c'], 100);
    const it = await ledger(file);
    const counted = await it.transaction('shop', (tx) => tx.observations.find('count'));
    expect([counted?.body, counted?.version]).toEqual([{ value: 300 }, 300]);
    expect(await it.verifyAudit()).toMatchObject({ ok: true, rows: 300 });
  });

  it('open each subject once', async () => {
    const file = `${folder()}/purser.db`;
    const ended = await together(file, 'race', ['a', 'b', 'c'], 100);
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
    const won = ended.map(({ said }) => (said as { readonly done: number }).done);
    expect(won.reduce((sum, wins) => sum + wins)).toBe(100);
    const it = await ledger(file);
    const { total } = await it.transaction('shop', (tx) => tx.operations.list({}, { limit: 1 }));
    expect(total).toBe(100);
  });

  it('keep what was committed, and nothing of a step in which one was killed', async () => {
    const file = `${folder()}/purser.db`;
    const [ended] = await together(file, 'die', ['a']);
    expect(ended).toMatchObject({ signal: 'SIGKILL' });
    const it = await ledger(file);
    await it.transaction('shop', async (tx) => {
      expect(await tx.operations.find('committed')).toMatchObject({ state: 'SENDING' });
      expect(await tx.operations.find('half done')).toBeUndefined();
    });
    expect(await it.verifyAudit()).toMatchObject({ ok: true, rows: 0 });
  });
});

describe('two ledgers of one process on one file', PATIENCE, () => {
  it('wait for each other without stopping the process', async () => {
    const file = `${folder()}/purser.db`;
    const [one, other] = await Promise.all([ledger(file), ledger(file)]);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? one : other).transaction('shop', async (tx) => {
          await tx.operations.insert(operation({ id: `op${index}` }));
          await new Promise<void>((resume) => setImmediate(resume));
          await tx.audit.append({ event: 'sent', body: {}, at: index });
        }),
      ),
    );
    expect(await one.verifyAudit()).toEqual(await other.verifyAudit());
    expect(await other.verifyAudit()).toMatchObject({ ok: true, rows: 20 });
  });

  it('lets one be closed while the other goes on', async () => {
    const file = `${folder()}/purser.db`;
    const it = await ledger(file);
    await (await openLedger({ file })).close();
    await it.transaction('shop', (tx) => tx.operations.insert(operation({ id: 'op' })));
    expect(await (await ledger(file)).tenants()).toEqual(['shop']);
  });
});
