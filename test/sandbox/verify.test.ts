import { describe, expect, it } from 'vitest';
import { Bench, type Bend, credentials, enrollment, host, signed, start, tokened } from './support.ts';

const base = `http://${host}`;
const path = '/acp/v1/tokens';
const body = JSON.stringify({
  ...enrollment('shopper_ada'),
  clientCorrelationId: '00000000-0000-4000-8000-000000000001',
});
const other = body.replace('"Ada"', '"Bda"');
const denied = { status: 401, body: { response: { rmsg: 'Authentication Failed' } } };
const otherSecret = Buffer.from('another secret altogether').toString('base64');

/** The text with one bit of its last letter or digit changed. */
const flipped = (text = '') =>
  text.replace(/[A-Za-z0-9](?=[^A-Za-z0-9]*$)/, (letter) => String.fromCharCode(letter.charCodeAt(0) ^ 1));
const flip = (name: string) => (headers: Record<string, string>) => {
  headers[name] = flipped(headers[name]);
};
const drop = (name: string) => (headers: Record<string, string>) => {
  delete headers[name];
};

type Sign = typeof signed;
const send = async (sign: Sign, bend?: Bend) => {
  const bench = new Bench();
  const told = await bench.send(sign(base, 'POST', path, body, bend));
  return { ...told, effects: await bench.effects() };
};

describe('an HTTP signature', () => {
  const list = 'host date request-target digest v-c-merchant-id';
  const minutes = (count: number) => start + count * 60_000;

  it.each<[string, Bend | undefined]>([
    ['as the client sends it', undefined],
    ['with the older name of the request target', { target: '(request-target)' }],
    ['in another order', { list: 'digest v-c-merchant-id date host request-target' }],
    ['five minutes early', { at: minutes(-5) }],
    ['five minutes late', { at: minutes(5) }],
  ])('is accepted %s', async (_, bend) => {
    expect((await send(signed, bend)).status).toBe(200);
  });

  it.each<[string, Bend]>([
    ['another body', { body: other }],
    ['another body with its own digest', { body: other, headers: (it) => Object.assign(it, digestOf(other)) }],
    ['another digest', { headers: flip('digest') }],
    ['no digest', { headers: drop('digest') }],
    ['a digest that is not signed', { list: 'host date request-target v-c-merchant-id' }],
    ['another date', { headers: (it) => Object.assign(it, { date: new Date(start + 1000).toUTCString() }) }],
    ['no date', { headers: drop('date') }],
    ['a date that is not signed', { list: list.replace('date ', '') }],
    ['an old date', { at: minutes(-5) - 1000 }],
    ['a future date', { at: minutes(5) + 1000 }],
    ['another path', { path: '/icc/v1/tokens' }],
    ['another query', { path: `${path}?a=1` }],
    ['a path that is not signed', { list: list.replace('request-target ', '') }],
    ['another host', { headers: (it) => Object.assign(it, { host: 'sandbox.purser.tesu' }) }],
    ['a host that is not signed', { list: list.replace('host ', '') }],
    ['another merchant header', { headers: flip('v-c-merchant-id') }],
    ['another merchant', { merchantId: 'harbour_audio_tesu' }],
    ['a merchant that is not signed', { list: list.replace(' v-c-merchant-id', '') }],
    ['another key id', { keyId: flipped(credentials.keyId) }],
    ['another secret', { secret: otherSecret }],
    ['another algorithm', { algorithm: 'HmacSHA512' }],
    ['a header signed twice', { list: `${list} date` }],
    ['one bit of the signature', { headers: flip('signature') }],
    ['no signature', { headers: drop('signature') }],
  ])('is refused with %s', async (_, bend) => {
    expect(await send(signed, bend)).toEqual({ ...denied, effects: [] });
  });

  it('is about real time, whatever the virtual clock shows', async () => {
    const bench = new Bench();
    await bench.control('POST', 'clock', { now: '2030-01-01T00:00:00Z' });
    expect((await bench.enroll('shopper_ada')).status).toBe(200);
    expect((await bench.control('GET', 'clock')).body.now).toBe('2030-01-01T00:00:00.000Z');
  });
});

describe('a signed token', () => {
  const iat = start / 1000;

  it.each<[string, Bend | undefined]>([
    ['as the client sends it', undefined],
    ['for a local host with a port', { claims: { 'request-host': 'localhost:4010' } }],
    ['just before it ends', { claims: { exp: iat + 1 } }],
  ])('is accepted %s', async (_, bend) => {
    expect((await send(tokened, bend)).status).toBe(200);
  });

  it.each<[string, Bend]>([
    ['another body', { body: other }],
    ['another digest', { claims: { digest: flipped('AAAA') } }],
    ['no digest', { claims: { digest: undefined } }],
    ['another digest algorithm', { claims: { 'digest-algorithm': 'SHA-512' } }],
    ['an end that has come', { claims: { exp: iat } }],
    ['no end', { claims: { exp: undefined } }],
    ['another path', { path: '/icc/v1/tokens' }],
    ['another path in the token', { claims: { 'request-resource-path': '/acp/v1/tokenz' } }],
    ['another method', { claims: { 'request-method': 'put' } }],
    ['another host', { claims: { 'request-host': 'elsewhere.example.com' } }],
    ['another issuer', { claims: { iss: 'harbour_audio_tesu' } }],
    ['another merchant', { claims: { 'v-c-merchant-id': 'harbour_audio_tesu' } }],
    ['another key id', { keyId: flipped(credentials.keyId) }],
    ['another secret', { secret: otherSecret }],
    ['no algorithm', { algorithm: 'none' }],
    ['another algorithm', { algorithm: 'HS512' }],
    [
      'one bit of the signature',
      { headers: (it) => Object.assign(it, { authorization: bitOf(it.authorization ?? '') }) },
    ],
    ['nothing after Bearer', { headers: (it) => Object.assign(it, { authorization: 'Bearer ' }) }],
  ])('is refused with %s', async (_, bend) => {
    expect(await send(tokened, bend)).toEqual({ ...denied, effects: [] });
  });
});

describe('what is asked of every request', () => {
  it('refuses one that is not signed at all', async () => {
    const request = new Request(base + path, { method: 'POST', body });
    expect(await new Bench().send(request)).toEqual(denied);
  });

  it('refuses a body above the limit before it is looked at', async () => {
    const huge = `{"padding":"${'0'.repeat(300_000)}"}`;
    expect((await new Bench().send(signed(base, 'POST', path, huge))).status).toBe(413);
  });

  it.each(['{', '[]', 'null', '"text"', '', '{"__proto__":{}}'])('refuses the body %s', async (wrong) => {
    const told = await new Bench().send(signed(base, 'POST', path, wrong));
    expect([told.status, told.body.error.detail.source]).toEqual([400, 'body']);
  });

  it('refuses a query with an empty value', async () => {
    const told = await new Bench().send(signed(base, 'POST', `${path}?startTime=`, body));
    expect([told.status, told.body.error.detail.source]).toEqual([400, 'startTime']);
  });

  it.each([
    ['GET', path, 405, 'POST, OPTIONS'],
    ['HEAD', path, 405, 'POST, OPTIONS'],
    ['DELETE', '/acp/v1/instructions/x', 405, 'PUT, OPTIONS'],
    ['OPTIONS', '/icc/v1/instructions/x/cancel', 204, 'PUT, OPTIONS'],
    ['POST', '/acp/v1/tokens/', 404, null],
    ['POST', '/acp/v1/instructions/x/y/credentials', 404, null],
    ['GET', '/', 404, null],
  ])('answers %s %s with %i', async (method, wanted, status, allow) => {
    const response = await new Bench().sandbox.handle(new Request(base + wanted, { method }));
    expect([response.status, response.headers.get('allow')]).toEqual([status, allow]);
  });
});

function digestOf(text: string) {
  const digest = signed(base, 'POST', path, text).headers.get('digest');
  return { digest };
}

/** A token with one bit of its signature changed, in a letter that is not the padded last one. */
const bitOf = (authorization: string) => {
  const at = authorization.lastIndexOf('.') + 3;
  const letter = authorization[at] === 'A' ? 'B' : 'A';
  return authorization.slice(0, at) + letter + authorization.slice(at + 1);
};
