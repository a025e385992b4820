import { format, inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { reveal, Secret } from '../../src/core/secret.ts';
import { createVault } from '../../src/ledger/vault.ts';

const NUMBER = '4111111111111111';

function vault() {
  let given = 0;
  return createVault<string>({
    ids: {
      key: (prefix) => {
        given += 1;
        return `${prefix}_${given}`;
      },
    },
  });
}

describe('a secret', () => {
  const secret = new Secret(NUMBER);

  it('opens for reveal', () => {
    expect(reveal(secret)).toBe(NUMBER);
  });

  it.each([
    ['a template', () => `${secret}`],
    ['concatenation', () => `a${String(secret)}`],
    ['JSON', () => JSON.stringify({ secret, list: [secret] })],
    ['inspect', () => inspect({ secret }, { showHidden: true, depth: null, getters: true, customInspect: true })],
    ['inspect without customs', () => inspect({ secret }, { showHidden: true, customInspect: false })],
    ['format', () => format('%s %o %O %j', secret, secret, secret, secret)],
    ['spreading', () => JSON.stringify({ ...secret })],
    ['entries', () => JSON.stringify([Object.entries(secret), Reflect.ownKeys(secret).length])],
    ['cloning', () => inspect(structuredClone(secret), { showHidden: true })],
    ['an error', () => inspect(new Error('no', { cause: secret }))],
  ])('shows nothing in %s', (_where, show) => {
    expect(show()).not.toContain(NUMBER);
  });
});

describe('the vault', () => {
  it('hands a secret out once', () => {
    const it = vault();
    const handle = it.put(new Secret(NUMBER), { tenant: 'shop', expiresAt: 1000 });
    const taken = it.take(handle, 'shop', 999);
    expect([handle, taken && reveal(taken), it.take(handle, 'shop', 999)]).toEqual(['secret_1', NUMBER, undefined]);
  });

  it('hands nothing out from its expiry on', () => {
    const it = vault();
    const [early, late] = [1, 2].map(() => it.put(new Secret(NUMBER), { tenant: 'shop', expiresAt: 1000 }));
    expect([it.take(early ?? '', 'shop', 1000), it.take(late ?? '', 'shop', 1001)]).toEqual([undefined, undefined]);
    expect(it.take(late ?? '', 'shop', 1)).toBeUndefined();
  });

  it('hands nothing to another tenant, and keeps it for its own', () => {
    const it = vault();
    const handle = it.put(new Secret(NUMBER), { tenant: 'shop', expiresAt: 1000 });
    expect(it.take(handle, 'other', 1)).toBeUndefined();
    expect(it.take('secret_9', 'shop', 1)).toBeUndefined();
    expect(it.take(handle, 'shop', 1)).toBeInstanceOf(Secret);
  });

  it('refuses a handle that was given before', () => {
    const it = createVault<string>({ ids: { key: () => 'same' } });
    it.put(new Secret(NUMBER), { tenant: 'shop', expiresAt: 1000 });
    expect(() => it.put(new Secret('2'), { tenant: 'shop', expiresAt: 1000 })).toThrow('must not repeat');
  });

  it('shows nothing of what it keeps', () => {
    const it = vault();
    it.put(new Secret(NUMBER), { tenant: 'shop', expiresAt: 1000 });
    expect(inspect(it, { showHidden: true, depth: null })).not.toContain(NUMBER);
  });
});
