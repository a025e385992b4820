import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { leaves } from '../../src/core/fields.ts';
import { keys } from '../../src/domains/device/keys.ts';
import { world } from '../engine/support.ts';
import { section, table } from './document.ts';

// Document 3, "Key generation", by its own table and list of fields.

const document = 'document-3-keys.md';
const { generateDeviceKey: generation } = keys;
const body = generation.body ?? z.never();
const listed = section(document, 'Secret key generation response fields');

it('is the operation of the document, under its rule', () => {
  const [[, method = '', path = ''] = []] = table(document, 'Key generation');
  expect(generation.call).toBe(`${method} ${path.replace('{base_url}', '')}`);
  expect(generation.shape).toBe('KY-01');
});

it('needs the organization of each key, and nothing else', () => {
  const fields = leaves(body).map(({ path, optional }) => [path, optional]);
  expect(fields).toEqual([['keyInformation[].organizationId', false]]);
  const isTaken = (given: unknown) => body.safeParse(given).success;
  expect([
    isTaken({ keyInformation: [{ organizationId: 'harbour' }] }),
    ...[{}, { keyInformation: [] }, { keyInformation: [{}] }, { keyInformation: [{ organizationId: '' }] }].map(
      isTaken,
    ),
  ]).toEqual([true, false, false, false, false]);
});

describe('the response', () => {
  const names = [...listed.matchAll(/`(\w+)(?:\[\])?`(?! \(required)/g)].map(([, name]) => name);
  const shown = (path: string) => path.split('.').at(-1);

  it('has every field of the document', () => {
    const values = ['ACCEPTED', 'ACTIVE', 'keyInformation'];
    const printed = new Set(names.filter((name) => !values.includes(String(name))));
    expect(new Set(leaves(generation.output[201]).map(({ path }) => shown(path)))).toEqual(printed);
  });

  it('of the sandbox has exactly these fields, with the values of the document', async () => {
    const here = await world();
    const generated = await here.parts.client.generateDeviceKey({
      body: { keyInformation: [{ organizationId: 'harbour_audio_test' }] },
    });
    expect(generated.body).toEqual({
      submitTimeUtc: '2026-01-15T09:00:00.000Z',
      status: 'ACCEPTED',
      keyInformation: [
        {
          ...{ organizationId: 'harbour_audio_test', externalOrganizationId: 'harbour_audio_test', status: 'ACTIVE' },
          key: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
          keyId: expect.stringMatching(/^[\da-f-]{36}$/),
          expirationDate: '2029-01-15T09:00:00.000Z',
        },
      ],
    });
  });

  it('is another key each time, because one cannot be retrieved again', async () => {
    const { client } = (await world()).parts;
    const ask = async () => {
      const generated = await client.generateDeviceKey({
        body: { keyInformation: [{ organizationId: 'harbour_audio_test' }] },
      });
      return generated.body.keyInformation[0];
    };
    const [one, other] = [await ask(), await ask()];
    expect(one?.keyId).not.toBe(other?.keyId);
    expect(one?.key).not.toBe(other?.key);
  });
});
