import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { Anchor, AnchorStore } from '../../src/ledger/verification.ts';
import { databases, folder, openHere, postgresPlace, superuser } from './support/databases.ts';
import { wireTo } from './support/proxy.ts';

/** A store in a file, as two processes share it; `written` is what this one wrote. */
function storeIn(file: string) {
  const written: number[] = [];
  const store: AnchorStore = {
    read: () => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Anchor) : undefined),
    write: (anchor) => {
      written.push(anchor.seq);
      writeFileSync(file, JSON.stringify(anchor));
    },
  };
  return { store, written };
}

const append = (ledger: Ledger, tenant: string) =>
  ledger.transaction(tenant, (tx) => tx.audit.append({ event: 'sent', body: {}, at: 1 }));

describe.each(databases)('an anchor of a ledger on $name', (database) => {
  it('never moves back, whoever moves it: several connections append and move it at once', async () => {
    const place = await database.place();
    const { store, written } = storeIn(join(folder(), 'anchor'));
    const ledgers = await Promise.all([openHere(place), openHere(place), openHere(place)]);
    const [first] = ledgers;
    store.write(await first.head());
    const moved = await Promise.all(
      Array.from({ length: 24 }, async (_, at) => {
        const ledger = ledgers[at % ledgers.length] ?? first;
        const row = await append(ledger, `tenant ${at % 5}`);
        const isMoved = await ledger.advanceAnchor(store);
        return isMoved && (store.read()?.seq ?? 0) >= row.seq;
      }),
    );
    expect(moved).toEqual(Array.from({ length: 24 }, () => true));
    expect(written).toEqual([...new Set(written)].toSorted((one, other) => one - other));
    expect(store.read()).toEqual(await first.head());
  });

  it('is read once the lock is held: whoever moved it meanwhile has finished', async () => {
    const place = await database.place();
    const [one, other] = [await openHere(place), await openHere(place)];
    const { store } = storeIn(join(folder(), 'anchor'));
    store.write(await one.head());
    let reads = 0;
    const counted: AnchorStore = {
      ...store,
      read: () => {
        reads += 1;
        return store.read();
      },
    };
    // On SQLite whoever writes holds the lock that every move takes.
    const [held, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    onTestFinished(() => free.resolve());
    const row = await append(one, 'shop');
    const moving = one.transaction('shop', async (tx) => {
      await tx.audit.append({ event: 'sent', body: {}, at: 2 });
      held.resolve();
      await free.promise;
    });
    await held.promise;
    const moved = other.advanceAnchor(counted);
    for (let turns = 0; turns < 20; turns += 1) await new Promise<void>((resolve) => setImmediate(resolve));
    if (database.name === 'SQLite') expect(reads).toBe(0);
    free.resolve();
    await moving;
    expect(await moved).toBe(true);
    expect(reads).toBe(1);
    expect(store.read()?.seq).toBeGreaterThanOrEqual(row.seq);
  });

  it('is not moved where the chain does not hold it', async () => {
    const ledger = await openHere(await database.place());
    const { store, written } = storeIn(join(folder(), 'anchor'));
    const genesis = await ledger.head();
    const { seq, hash } = await append(ledger, 'shop');
    await append(ledger, 'shop');
    expect(await ledger.advanceAnchor(store)).toBe(false);
    for (const anchor of [
      { seq: 9, hash },
      { seq, hash: genesis.hash },
    ]) {
      store.write(anchor);
      expect(await ledger.containsAnchor(anchor)).toBe(false);
      expect(await ledger.advanceAnchor(store)).toBe(false);
      expect(store.read()).toEqual(anchor);
    }
    expect(await ledger.containsAnchor(undefined)).toBe(false);
    expect(await ledger.containsAnchor(genesis)).toBe(true);
    expect(await ledger.containsAnchor({ seq, hash })).toBe(true);
    expect(written).toHaveLength(2);
  });
});

it('is moved on PostgreSQL by one replica after the other: a slow one holds up the next, and never moves it back', async () => {
  const place = await postgresPlace();
  const wire = await wireTo(place.url);
  const slow = await openHere({ ...place, url: wire.url });
  const quick = await openHere(place);
  const { store, written } = storeIn(join(folder(), 'anchor'));
  store.write(await quick.head());
  await append(quick, 'shop');
  const answer = wire.holdAnswerTo('"anchored"');
  const slowMove = slow.advanceAnchor(store);
  await answer.reached; // the slow one has read the head, and has not heard of it
  await append(quick, 'shop');
  let isMoved = false;
  const quickMove = quick.advanceAnchor(store).finally(() => {
    isMoved = true;
  });
  const client = await superuser(place);
  const isWaiting = async () => {
    const { rows } = await client.query(
      `select from pg_locks where locktype = 'advisory' and not granted
         and (classid::bigint << 32 | objid::bigint) = hashtextextended($1, 0)`,
      [`${place.schema} anchor`],
    );
    return rows.length > 0;
  };
  while (!isMoved && !(await isWaiting()));
  answer.release();
  expect([await slowMove, await quickMove, written]).toEqual([true, true, [0, 1, 2]]);
  expect(store.read()).toEqual(await quick.head());
});
