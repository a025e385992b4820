import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { reveal, Secret } from '../../src/core/secret.ts';
import { memorySecretStore, sealedSecretStore } from '../../src/ledger/secret-store.ts';
import { openLedger } from '../../src/ledger/store.ts';
import { testKey } from './support/databases.ts';

const counted = () => {
  let count = 0;
  return { key: (prefix: string) => `${prefix}_${++count}` };
};
const key = new Secret(Buffer.alloc(32, 7));
const value = { number: '4000001234567899', cryptogram: 'AAAA' };
const keeping = { tenant: 'shop', expiresAt: 1_000 };

describe.each([
  ['in memory', () => memorySecretStore({ ids: counted() })],
  ['sealed in the ledger', () => sealedSecretStore({ ids: counted(), key, random: randomBytes })],
])('a safe %s', (_, open) => {
  const kept = async () => {
    const ledger = await openLedger({ file: ':memory:', key: testKey });
    const safe = open();
    const handle = await ledger.transaction('shop', (tx) => safe.put(tx.sealed, new Secret(value), keeping));
    const redeem = async (tenant: string, named: string, now: number) =>
      (await ledger.transaction(tenant, (tx) => safe.redeem(tx.sealed, named, tenant, now)))?.value;
    const find = async (tenant: string, now: number) => {
      const found = await ledger.transaction(tenant, (tx) => safe.find(tx.sealed, handle, tenant, now));
      return found && reveal(found);
    };
    const forget = () => ledger.transaction('shop', (tx) => safe.forget(tx.sealed, handle, 'shop', 1));
    return { ledger, handle, redeem, find, forget };
  };

  it('hands a secret out, once', async () => {
    const { ledger, handle, redeem } = await kept();
    expect([await redeem('shop', handle, 1), await redeem('shop', handle, 1)]).toEqual([value, undefined]);
    await ledger.close();
  });

  it('hands nothing to another tenant, and does not tell it from nothing', async () => {
    const { ledger, handle, redeem } = await kept();
    expect([await redeem('other', handle, 1), await redeem('other', 'secret_9', 1)]).toEqual([undefined, undefined]);
    expect(await redeem('shop', handle, 1)).toEqual(value);
    await ledger.close();
  });

  it('finds a secret as often as it is looked for, until it is told to forget it', async () => {
    const { ledger, find, forget } = await kept();
    expect([await find('shop', 1), await find('other', 1), await find('shop', 999)]).toEqual([value, undefined, value]);
    await forget();
    expect(await find('shop', 1)).toBeUndefined();
    await ledger.close();
  });

  it('finds nothing at the end of its time', async () => {
    const { ledger, find } = await kept();
    expect(await find('shop', 1_000)).toBeUndefined();
    await ledger.close();
  });

  it('forgets at the end of its time', async () => {
    const { ledger, handle, redeem } = await kept();
    expect(await redeem('shop', handle, 1_000)).toBeUndefined();
    await ledger.close();
  });
});

describe('a sealed safe', () => {
  const ledgerWith = async () => {
    const ledger = await openLedger({ file: ':memory:', key: testKey });
    const safe = sealedSecretStore({ ids: counted(), key, random: randomBytes });
    const handle = await ledger.transaction('shop', (tx) => safe.put(tx.sealed, new Secret(value), keeping));
    return { ledger, safe, handle };
  };

  it('shows nothing of the secret in the row', async () => {
    const { ledger, handle } = await ledgerWith();
    const row = await ledger.transaction('shop', (tx) => tx.sealed.take(handle, 1));
    expect(Buffer.from(row?.sealed ?? '', 'base64').toString('latin1')).not.toContain(value.number);
    await ledger.close();
  });

  it('does not open a text that was changed, or moved to another row', async () => {
    const { ledger, safe, handle } = await ledgerWith();
    const row = await ledger.transaction('shop', (tx) => tx.sealed.take(handle, 1));
    if (row === undefined) throw new Error('The secret was kept just now.');
    const flipped = Buffer.from(row.sealed, 'base64');
    flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 1;
    const replaced = [
      { handle, sealed: flipped.toString('base64'), expiresAt: row.expiresAt },
      { handle: 'secret_7', sealed: row.sealed, expiresAt: row.expiresAt },
      { handle: 'secret_8', sealed: row.sealed, expiresAt: row.expiresAt + 1 },
    ];
    for (const other of replaced) {
      await ledger.transaction('shop', (tx) => tx.sealed.put(other));
      const opening = ledger.transaction('shop', (tx) => safe.redeem(tx.sealed, other.handle, 'shop', 1));
      await expect(opening).rejects.toThrow();
    }
    await ledger.close();
  });

  it('is not opened with another key', async () => {
    const { ledger, handle } = await ledgerWith();
    const thief = sealedSecretStore({ ids: counted(), key: new Secret(Buffer.alloc(32, 8)), random: randomBytes });
    const opening = ledger.transaction('shop', (tx) => thief.redeem(tx.sealed, handle, 'shop', 1));
    await expect(opening).rejects.toThrow('PURSER_VAULT_KEY_FILE');
    const own = sealedSecretStore({ ids: counted(), key, random: randomBytes });
    const again = await ledger.transaction('shop', (tx) => own.redeem(tx.sealed, handle, 'shop', 1));
    expect(again?.value).toEqual(value);
    await ledger.close();
  });
});
