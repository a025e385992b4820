import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { exported, formats } from '../../src/cli/export.ts';
import { Secret } from '../../src/core/secret.ts';
import type { Caller } from '../../src/ledger/ledger.ts';
import { agent, deny, openWorld, quiet, settle, type World, world } from '../engine/support.ts';
import { type Sink, search } from '../promises/encodings.ts';
import { bytesIn } from '../promises/entries.ts';
import { folder } from '../support/folder.ts';

const operator: Caller = { tenant: 'default', principal: 'operator', role: 'operator' };
const organization = 'harbour_audio_test';
const withOperators = { configure: { hasOperatorCalls: true } };

const ask = (here: World, args: object = { organization }, caller = operator) =>
  here.call('generate_device_key', args, caller);
const generate = (here: World) => here.through('generate_device_key', { organization }, operator);
const redeem = ({ running: { engine } }: World, handle: string, by: 'app' | 'operator' = 'operator') =>
  engine.redeem('default', handle, by);

describe('a device key is generated (KY-01)', () => {
  it('for an operator, once a person has approved it, and never without one', async () => {
    const here = await world(withOperators);
    const asked = await ask(here);
    expect(asked).toMatchObject({ outcome: 'needs_approval', error: { rule: 'EN-04' } });
    expect(asked.approval?.text).toContain(organization);
    expect(await here.effects('generateDeviceKey')).toEqual([]);
    await here.approve(asked);
    expect(await ask(here)).toMatchObject({
      outcome: 'done',
      data: { state: 'ACTIVE', expires: '2029-01-15T09:00:00.000Z', collectBy: '2026-01-15T09:15:00.000Z' },
    });
    expect(await here.effects('generateDeviceKey')).toHaveLength(1);
  });

  it('and asked for again it is another key, which a person approves again', async () => {
    const here = await world(withOperators);
    const first = await generate(here);
    expect(await ask(here)).toMatchObject({ outcome: 'needs_approval' });
    const second = await generate(here);
    expect(second.data.key).not.toBe(first.data.key);
    expect(await redeem(here, second.data.key)).not.toEqual(await redeem(here, first.data.key));
    expect(await here.effects('generateDeviceKey')).toHaveLength(2);
  });

  it.each([[{}], [{ organization: '' }], [{ organization: 7 }]])('not without an organization: %j', async (args) => {
    const here = await world(withOperators);
    expect(await ask(here, args)).toMatchObject({
      outcome: 'refused',
      error: { rule: 'KY-01', field: 'organization' },
    });
    expect(here.sent).toEqual([]);
  });

  it('not for another merchant: the platform knows none', async () => {
    const here = await world(withOperators);
    const said = await here.through('generate_device_key', { organization: 'somebody_else' }, operator);
    expect(said).toMatchObject({ outcome: 'declined', error: { field: 'organization' } });
    expect(await here.control('GET', 'device-keys')).toEqual({ keys: [] });
  });

  it('not after a person has said no', async () => {
    const here = await world(withOperators);
    await deny(here, await ask(here));
    expect(await ask(here)).toMatchObject({ outcome: 'refused', error: { code: 'APPROVAL_DENIED' } });
    expect(await here.effects('generateDeviceKey')).toEqual([]);
  });

  it.each(['agent', 'app', 'customer'] as const)('not by the %s, in no profile', async (role) => {
    const here = await world(withOperators);
    expect(await ask(here, { organization }, { ...agent, role })).toMatchObject({ error: { code: 'UNKNOWN_TOOL' } });
  });

  it('not by an operator outside of the operator profile', async () => {
    expect(await ask(await world())).toMatchObject({ error: { code: 'UNKNOWN_TOOL' } });
  });
});

describe('a generated key', () => {
  it('is handed to the operator, once, and to nobody else', async () => {
    const here = await world(withOperators);
    const { key } = (await generate(here)).data;
    expect(await redeem(here, key, 'app')).toBeUndefined();
    expect(await redeem(here, key)).toEqual({ key: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/) });
    expect(await redeem(here, key)).toBeUndefined();
    const [redeemed] = (await here.audit()).filter(({ event }) => event === 'redeemed');
    expect(redeemed?.body).toEqual({ key });
  });

  it('is gone from the vault after its time', async () => {
    const here = await world(withOperators);
    const { key } = (await generate(here)).data;
    await here.advance(901);
    expect(await redeem(here, key)).toBeUndefined();
  });

  it('is not what an operator gets for the credentials of a payment', async () => {
    const here = await world(withOperators);
    const { key } = (await generate(here)).data;
    expect((await here.thing(key)).body).toMatchObject({ organization, secret: expect.any(String) });
    expect(await redeem(here, 'credentials_none')).toBeUndefined();
  });
});

describe('where the answer is lost', () => {
  it('a key may exist that nobody has: nothing is generated for that organization until a person has looked', async () => {
    const here = await world(withOperators);
    await here.fault('generateDeviceKey', 'timeout-after-commit');
    const lost = await generate(here);
    expect(lost).toMatchObject({ outcome: 'unknown', error: { code: 'OUTCOME_UNKNOWN' } });
    expect(await ask(here)).toMatchObject({ outcome: 'unknown', operation: lost.operation });
    await quiet(here);
    expect(await ask(here)).toMatchObject({ outcome: 'unknown' });
    expect(await here.effects('generateDeviceKey')).toHaveLength(1);
    await settle(here, lost.operation, true);
    expect(await generate(here)).toMatchObject({ outcome: 'done' });
    expect(await here.control('GET', 'device-keys')).toMatchObject({ keys: [{}, {}] });
  });

  it.each([
    ['two keys', { keyInformation: [{}, {}] }],
    ['no key', { keyInformation: [] }],
    ['a key with a line end', { keyInformation: [{ key: 'one\ntwo' }] }],
    ['a key without an id', { keyInformation: [{ keyId: undefined }] }],
  ])('or has %s, which nobody could keep', async (_, answer) => {
    const here = await world({
      ...withOperators,
      replace: { platform: (real) => async (request) => replied(await real(request), answer) },
    });
    expect(await generate(here)).toMatchObject({ outcome: 'unknown', error: { rule: 'EN-08' } });
    expect(await here.operations()).toMatchObject([{ state: 'UNKNOWN' }]);
  });
});

/** The sandbox's answer with another list of keys, each as the sandbox made it but for what is given. */
async function replied(response: Response, { keyInformation }: { readonly keyInformation: readonly object[] }) {
  const body = (await response.json()) as { readonly keyInformation?: readonly object[] };
  const [made] = body.keyInformation ?? [];
  if (made === undefined) return Response.json(body, response);
  return Response.json(
    { ...body, keyInformation: keyInformation.map((more) => ({ ...made, ...more })) },
    { status: 201 },
  );
}

describe.each([
  ['in memory', undefined],
  ['sealed in the ledger', new Secret(Buffer.from('a vault key of more than thirty-two bytes'))],
])('with a vault %s', (_, vaultKey) => {
  it('no answer, row, audit, file or log has a key, whatever became of it', async () => {
    const data = join(folder(), 'data');
    mkdirSync(data, { mode: 0o700 });
    const keys: Record<string, string> = {};
    const seen: string[] = [];
    let spoil: ((key: string, body: object) => Response) | undefined;
    const here = await openWorld({
      configure: { data, vaultKey, hasOperatorCalls: true },
      replace: {
        onFault: (fault) => void seen.push(inspect(fault, { depth: 9 })),
        platform: (real) => async (request) => {
          const response = await real(request);
          const body = (await response.clone().json()) as {
            readonly keyInformation?: readonly [{ readonly key: string }];
          };
          const key = body.keyInformation?.[0].key;
          if (key === undefined) return response;
          keys[`key ${Object.keys(keys).length}`] = key;
          return spoil?.(key, body) ?? response;
        },
      },
    });
    const say = (answer: unknown) => void seen.push(JSON.stringify(answer), inspect(answer, { depth: 20 }));
    const spoilers: readonly (typeof spoil)[] = [
      undefined,
      (key) => Response.json({ status: 'ACCEPTED', key }, { status: 201 }),
      (key) => Response.json({ [key]: key }, { status: 200 }),
      (key, body) => Response.json({ ...body, keyInformation: [{ key }] }, { status: 201 }),
      (key) => new Response(key, { status: 201 }),
      (key) => Response.json({ status: key, reason: 'SYSTEM_ERROR', keyInformation: [{ key }] }, { status: 502 }),
    ];
    for (spoil of spoilers) {
      const said = await generate(here);
      say(said);
      say(await ask(here));
      if (said.outcome === 'unknown') await settle(here, said.operation, true);
      for (const tool of ['list_operations', 'list_approvals']) say(await here.call(tool, {}, agent));
      if (said.operation !== undefined) say(await here.call('get_operation', { operation: said.operation }, operator));
    }
    say(await here.operations());
    const sinks: Sink[] = [{ name: 'answers', bytes: Buffer.from(seen.join('\n')) }, ...bytesIn(data)];
    for (const [name, format] of formats) {
      const pieces: string[] = [];
      for await (const piece of exported(here.parts.ledger, format)) pieces.push(piece);
      sinks.push({ name: `audit as ${name}`, bytes: Buffer.from(pieces.join('')) });
    }
    const before = search(sinks, keys);
    await here.running.close();
    expect(Object.keys(keys)).toHaveLength(spoilers.length);
    expect([before.hits, search(bytesIn(data), keys).hits]).toEqual([[], []]);
  });
});
