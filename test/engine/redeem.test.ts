import { expect, it } from 'vitest';
import { redeemSecret } from '../../src/engine/redeem.ts';
import { CommitUnknown, LedgerUnavailable } from '../../src/ledger/errors.ts';
import { authentication, prove } from './passkey.ts';
import { bought, payment, settle, type World, world } from './support.ts';

// Released credentials, as the merchant's payment system gets them.

async function released() {
  const here = await world();
  const instruction = await bought(here);
  const { data } = await here.call('retrieve_credentials', payment(instruction));
  return { here, instruction, credentials: String(data.credentials) };
}
const redeemed = async (here: World) =>
  (await here.audit()).filter(({ event }) => event === 'redeemed').map(({ body }) => body);

it('hands credentials out once, and the audit says which, of what purchase', async () => {
  const { here, instruction, credentials } = await released();
  expect(await redeemSecret(here.parts, 'default', credentials, 'app')).toMatchObject({
    cryptogram: expect.any(String),
  });
  expect(await redeemSecret(here.parts, 'default', credentials, 'app')).toBeUndefined();
  expect(await redeemed(here)).toEqual([{ credentials, instruction }]);
});

it('keeps credentials in memory whose redemption was not stored, and hands them out once it is', async () => {
  const { here, instruction, credentials } = await released();
  const { ledger } = here.parts;
  type Transaction = typeof ledger.transaction;
  const redeem = (transaction: Transaction) =>
    redeemSecret({ ...here.parts, ledger: { ...ledger, transaction } }, 'default', credentials, 'app');
  const undone: Transaction = (tenant, work) =>
    ledger.transaction(tenant, async (tx) => {
      await work(tx);
      throw new LedgerUnavailable('full');
    });
  await expect(redeem(undone)).rejects.toThrow('full');
  // A ledger that several replicas share runs a transaction again by itself.
  const again: Transaction = async (tenant, work) => {
    await undone(tenant, work).catch(() => undefined);
    return ledger.transaction(tenant, work);
  };
  expect(await redeem(again)).toMatchObject({ cryptogram: expect.any(String) });
  expect(await redeem(again)).toBeUndefined();
  expect(await redeemed(here)).toEqual([{ credentials, instruction }]);
});

it('hands nothing out twice of which nobody knows whether it was stored', async () => {
  const { here, credentials } = await released();
  const { ledger } = here.parts;
  const lost: typeof ledger.transaction = async (...call) => {
    await ledger.transaction(...call);
    throw new CommitUnknown('lost');
  };
  const parts = { ...here.parts, ledger: { ...ledger, transaction: lost } };
  await expect(redeemSecret(parts, 'default', credentials, 'app')).rejects.toThrow('lost');
  expect(await redeemSecret(here.parts, 'default', credentials, 'app')).toBeUndefined();
});

it('hands out nothing for a handle that nobody knows, or of another thing, or that holds no secret', async () => {
  const { here, instruction, credentials } = await released();
  await here.parts.ledger.transaction('default', async (tx) => {
    const found = await tx.observations.find(credentials);
    const secret = found?.body.secret ?? '';
    await tx.observations.insert({ handle: 'card_like', kind: 'card', owner: '', state: '', body: { secret } }, 1);
    await tx.observations.insert(
      { handle: 'credentials_bare', kind: 'credentials', owner: '', state: '', body: {} },
      1,
    );
  });
  for (const handle of ['credentials_none', instruction, 'card_like', 'credentials_bare'])
    expect([handle, await redeemSecret(here.parts, 'default', handle, 'app')]).toEqual([handle, undefined]);
  expect(await redeemed(here)).toEqual([]);
});

it('hands out nothing of a purchase that is cancelled, and deletes it with the purchase', async () => {
  const { here, instruction, credentials } = await released();
  const kept = await here.parts.ledger.transaction('default', (tx) => tx.observations.find(credentials));
  const inVault = () =>
    here.parts.ledger.transaction('default', (tx) =>
      here.parts.vault.find(tx.sealed, String(kept?.body.secret), 'default', here.parts.ports.clock.now()),
    );
  expect(await inVault()).toBeDefined();
  expect((await here.through('cancel_purchase', { instruction })).outcome).toBe('done');
  expect(await inVault()).toBeUndefined();
  expect(await redeemSecret(here.parts, 'default', credentials, 'app')).toBeUndefined();
  expect(await redeemed(here)).toEqual([]);
});

it('hands out nothing that was released before the newest, once the purchase is cancelled', async () => {
  const { here, instruction, credentials } = await released();
  const again = await here.through(
    'retrieve_credentials',
    payment(instruction, { amount: '1.00', reference: 'second' }),
  );
  expect(again.outcome).toBe('done');
  expect((await here.through('cancel_purchase', { instruction })).outcome).toBe('done');
  expect(await redeemSecret(here.parts, 'default', credentials, 'app')).toBeUndefined();
  expect(await redeemed(here)).toEqual([]);
});

it.each([
  ['cancel_purchase', 'cancelPurchase', {}],
  ['update_purchase', 'updatePurchase', { limit: { amount: '10.00', currency: 'GBP' } }],
])(
  'hands out nothing while a call for the purchase is without a known end, and keeps it: %s',
  async (tool, name, more) => {
    const { here, instruction, credentials } = await released();
    await here.fault(name, 'late-apply', { times: 3, afterSeconds: 100_000 });
    const lost = await here.call(tool, { instruction, ...more });
    expect(lost.outcome).toBe('unknown');
    expect(await redeemSecret(here.parts, 'default', credentials, 'app')).toBeUndefined();
    await here.advance(180);
    await settle(here, lost.operation, false);
    expect(await redeemSecret(here.parts, 'default', credentials, 'app')).toBeDefined();
  },
);

it('hands out what was released while the outcome of a further release is unknown', async () => {
  const { here, instruction, credentials } = await released();
  await here.fault('retrieveCredentials', 'timeout-after-commit');
  const further = payment(instruction, { amount: '1.00', reference: 'second' });
  expect((await here.through('retrieve_credentials', further)).outcome).toBe('unknown');
  expect(await redeemSecret(here.parts, 'default', credentials, 'app')).toBeDefined();
});

it.each([
  ['deletes', '39.99', 'GBP', false],
  ['hands out', '40.00', 'GBP', true],
  ['deletes', '40.00', 'EUR', false],
])('hands out nothing above what the purchase allows by now: %s at %s %s', async (_, amount, currency, isGood) => {
  const { here, instruction, credentials } = await released();
  const kept = await here.thing(credentials);
  expect((await here.through('update_purchase', { instruction, limit: { amount, currency } })).outcome).toBe('done');
  const { parts } = here;
  const found = await parts.ledger.transaction('default', (tx) =>
    parts.vault.find(tx.sealed, String(kept.body.secret), 'default', parts.ports.clock.now()),
  );
  expect(found !== undefined).toBe(isGood);
  expect((await redeemSecret(parts, 'default', credentials, 'app')) !== undefined).toBe(isGood);
});

it('hands out nothing of an earlier release above what the purchase allows by now', async () => {
  const { here, instruction, credentials } = await released();
  const second = payment(instruction, { amount: '1.00', reference: 'second' });
  const { data } = await here.through('retrieve_credentials', second);
  await here.call('update_purchase', { instruction, limit: { amount: '10.00', currency: 'GBP' } });
  expect(await redeemSecret(here.parts, 'default', credentials, 'app')).toBeUndefined();
  expect(await redeemSecret(here.parts, 'default', data.credentials, 'app')).toBeDefined();
});

it('hands out what was paid with a passkey, which belongs to no purchase', async () => {
  const here = await world();
  const begun = await here.call('create_authentication_options', authentication());
  const { data } = await prove(here, begun.data.authentication);
  expect(await redeemSecret(here.parts, 'default', data.credentials, 'app')).toBeDefined();
});
