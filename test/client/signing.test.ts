import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createHttpSignature, createJwt } from '../../src/client/signing.ts';
import { Secret } from '../../src/core/secret.ts';
import { clock, credentials, keyText, printed, signer } from './support.ts';

const body = '{"clientCorrelationId":"0b8f6a3e-6f0e-4c58-9b1e-2f2f4f0a7c11"}';

describe('HTTP Signature', () => {
  // Worked out by hand from the public description of the scheme. The signing string was
  //   host: 127.0.0.1:4010
  //   date: Sun, 06 Nov 1994 08:49:37 GMT
  //   request-target: post /acp/v1/tokens?trace=a%20b
  //   digest: SHA-256=s6hJd9SGVn/N2Qo7XIAWNE69XurA0A/nkBswruwPy1w=
  //   v-c-merchant-id: test_merchant
  // and the two Base64 texts come from openssl, not from our code:
  //   printf '%s' "$BODY" | openssl dgst -sha256 -binary | base64
  //   printf '%s' "$STRING" | openssl dgst -sha256 -hmac 'purser-test-key-32-bytes-long-ok' -binary | base64
  it('signs a POST as the published clients do', async () => {
    const headers = await signer({
      method: 'POST',
      url: 'http://127.0.0.1:4010/acp/v1/tokens?trace=a%20b',
      headers: { accept: 'application/json' },
      body: new TextEncoder().encode(body),
    });
    expect(headers).toStrictEqual({
      accept: 'application/json',
      host: '127.0.0.1:4010',
      date: 'Sun, 06 Nov 1994 08:49:37 GMT',
      digest: 'SHA-256=s6hJd9SGVn/N2Qo7XIAWNE69XurA0A/nkBswruwPy1w=',
      'v-c-merchant-id': 'test_merchant',
      'v-c-sdk-telemetry-merchant-id': 'test_merchant',
      signature:
        'keyid="5d1f7b52-8a4c-4b8e-9a53-3a9d2f7c1e60", algorithm="HmacSHA256", ' +
        'headers="host date request-target digest v-c-merchant-id", ' +
        'signature="Bz4/IR+0o5u2b2N4FFyhUx0dcSqogC4a5AD0ReU2kSs="',
    });
  });

  // The same, without a digest:
  //   host: platform.example
  //   date: Sun, 06 Nov 1994 08:49:37 GMT
  //   request-target: delete /rbs/v1/plans/4711
  //   v-c-merchant-id: test_merchant
  it('signs a DELETE without a digest', async () => {
    const { signature, digest } = await signer({
      method: 'DELETE',
      url: 'https://platform.example/rbs/v1/plans/4711',
      headers: {},
    });
    expect({ signature, digest }).toStrictEqual({
      digest: undefined,
      signature:
        'keyid="5d1f7b52-8a4c-4b8e-9a53-3a9d2f7c1e60", algorithm="HmacSHA256", ' +
        'headers="host date request-target v-c-merchant-id", ' +
        'signature="4SeW9uQpAwyIWShIA9qmMW/o9UwrnNuqkvi6/Tx2EAE="',
    });
  });

  it('signs text and its bytes alike', async () => {
    const signable = { method: 'PUT', url: 'https://platform.example/a', headers: {} };
    expect(await signer({ ...signable, body: '{"name":"Zoë"}' })).toStrictEqual(
      await signer({ ...signable, body: new TextEncoder().encode('{"name":"Zoë"}') }),
    );
  });
});

describe('JWT with the shared secret', () => {
  const jwt = createJwt({ credentials, clock, ids: { uuid: () => '2d7f0c1e-0000-4000-8000-000000000001' } });

  const opened = async (method: string, sent?: string) => {
    const { authorization = '', ...rest } = await jwt({
      method,
      url: 'https://platform.example/acp/v1/tokens?trace=a%20b',
      headers: { accept: 'application/json' },
      ...(sent === undefined ? {} : { body: sent }),
    });
    const token = authorization.replace(/^Bearer /, '');
    const [header = '', claims = '', signature = ''] = token.split('.');
    const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
    return { header: decode(header), claims: decode(claims), signature, signed: `${header}.${claims}`, rest };
  };

  it('carries each claim of a POST, and nothing else', async () => {
    const { header, claims, rest } = await opened('POST', body);
    expect({ header, claims, rest }).toStrictEqual({
      header: { typ: 'JWT', alg: 'HS256', kid: '5d1f7b52-8a4c-4b8e-9a53-3a9d2f7c1e60' },
      claims: {
        digest: 's6hJd9SGVn/N2Qo7XIAWNE69XurA0A/nkBswruwPy1w=',
        'digest-algorithm': 'SHA-256',
        iat: 784_111_777,
        exp: 784_111_897,
        'request-host': 'platform.example',
        'request-resource-path': '/acp/v1/tokens?trace=a%20b',
        'request-method': 'post',
        iss: 'test_merchant',
        jti: '2d7f0c1e-0000-4000-8000-000000000001',
        'v-c-jwt-version': '2',
        'v-c-merchant-id': 'test_merchant',
      },
      rest: { accept: 'application/json' },
    });
  });

  it('has no digest without a body', async () => {
    const { claims } = await opened('GET');
    expect(Object.keys(claims)).not.toContain('digest');
    expect(Object.keys(claims)).not.toContain('digest-algorithm');
  });

  it('is signed with HS256 and the decoded key', async () => {
    const { signed, signature } = await opened('POST', body);
    expect(signature).toBe(createHmac('sha256', Buffer.from(keyText, 'base64')).update(signed).digest('base64url'));
  });

  it('takes the digest over the very bytes', async () => {
    const { claims } = await opened('PUT', '{"name":"Zoë"}');
    expect(claims.digest).toBe(createHash('sha256').update('{"name":"Zoë"}').digest('base64'));
  });
});

describe('credentials that can not sign', () => {
  it.each([
    ['a merchant id that would break a header', { merchantId: 'me\r\nx: y' }, 'The merchant id may only have'],
    ['a key id with a quote', { keyId: 'k"' }, 'The key id may only have'],
    [
      'a secret that is not Base64',
      { sharedSecret: new Secret('do-not-print-this-secret') },
      'The shared secret is not',
    ],
    ['an empty secret', { sharedSecret: new Secret('') }, 'The shared secret is not'],
  ])('refuses %s at once, without repeating it', (_, wrong, says) => {
    const make = () => createHttpSignature({ credentials: { ...credentials, ...wrong }, clock });
    expect(make).toThrow(says);
    try {
      make();
    } catch (error) {
      expect(printed(error)).not.toMatch(/do-not-print|x: y|k"/);
    }
  });
});
