/**
 * A second process on the same ledger, for `processes.test.ts`: says `ready`, waits for the parent, then plays its role.
 */
import { once } from 'node:events';
import { Secret } from '../../../src/core/secret.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { openLedger } from '../../../src/ledger/store.ts';
import { operation } from '../rows-data.ts';

const [role = '', name = '', count = '0'] = process.argv.slice(2);
const told = JSON.parse(process.env.LEDGER ?? '{}') as
  | { readonly file: string }
  | { readonly url: string; readonly schema: string };

const roles: { readonly [role: string]: ((it: Ledger) => Promise<unknown>) | undefined } = {
  /** Adds to one shared count, so that a lost update shows; also appends to the shared chain. */
  count: async (it) => {
    for (let step = 0; step < Number(count); step += 1)
      await it.transaction('shop', async (tx) => {
        const found = await tx.observations.find('count');
        if (found) await tx.observations.update(found, { body: { value: Number(found.body.value) + 1 } }, step);
        else
          await tx.observations.insert(
            { handle: 'count', kind: 'count', owner: '', state: '', body: { value: 1 } },
            step,
          );
        await tx.audit.append({ event: 'counted', body: { name, step }, at: step });
      });
  },
  /** Tries to open each of many subjects, against the others; tells how many it got. */
  race: async (it) => {
    let won = 0;
    for (let subject = 0; subject < Number(count); subject += 1) {
      const row = operation({ id: `${name}${subject}`, subject: `subject${subject}` });
      const outcome = await it
        .transaction('shop', (tx) => tx.operations.insert(row))
        .catch((error: unknown) => (error instanceof Error ? error.name : 'unknown'));
      if (typeof outcome !== 'string') won += 1;
      else if (outcome !== 'AlreadyOpen') throw new Error(outcome);
    }
    return won;
  },
  /** Commits one step, and is killed in the middle of the next. */
  die: async (it) => {
    await it.transaction('shop', (tx) => tx.operations.insert(operation({ id: 'committed' })));
    await it.transaction('shop', async (tx) => {
      await tx.operations.insert(operation({ id: 'half done' }));
      await tx.audit.append({ event: 'sent', body: {}, at: 1 });
      process.kill(process.pid, 'SIGKILL');
    });
  },
};

process.send?.('ready');
await once(process, 'message');
const it = await openLedger({
  ...('file' in told ? told : { ...told, url: new Secret(told.url) }),
  key: new Secret(Buffer.alloc(32)),
});
const done = await roles[role]?.(it);
await it.close();
process.send?.({ done: done ?? null });
process.disconnect();
