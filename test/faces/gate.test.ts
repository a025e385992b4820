import { connect as connectSocket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/core/secret.ts';
import { createHttpFace } from '../../src/http/server.ts';
import { onPort } from './agents.ts';
import { ask, doors } from './doors.ts';
import { secrets, tokens, world } from './support.ts';

// Who may come in over HTTP, and by which door.

describe('the host and the origin', () => {
  it('of this machine are let in', async () => {
    const { face } = await world();
    const status = async (headers: Record<string, string>) => (await ask(face, '/healthz', headers)).status;
    for (const host of ['localhost', 'LOCALHOST:8377', '127.0.0.1', '127.0.0.1:1', '[::1]', '[::1]:8377'])
      expect(await status({ host }), host).toBe(200);
    for (const origin of ['http://localhost:8377', 'https://localhost:8377'])
      expect(await status({ host: 'localhost:8377', origin }), origin).toBe(200);
  });

  const hosts = [
    ...['evil.example', 'localhost.evil.example', 'evil.example:8377', 'localhost@evil.example', 'localhost.'],
    ...['127.0.0.1.nip.io', '127.1', '2130706433', '0x7f000001', '0.0.0.0', '[::]', '[::ffff:127.0.0.1]', '::1'],
    ...['localhost:8377:1', 'localhost:', 'localhost:123456', 'localhost, evil.example', 'localhost evil.example'],
    ...['localhost/x', 'xn--lcalhost-7mg'],
  ];
  const origins = [
    ...['http://evil.example', 'null', 'http://localhost', 'http://localhost:3000', 'http://127.0.0.1:8377'],
    ...['http://localhost:8377.evil.example', 'http://localhost:8377/', 'http://LOCALHOST:8377', 'file://'],
    ...['chrome-extension://abc', 'http://user@localhost:8377', 'http://localhost:8377, http://evil.example', '*', ''],
  ];
  const others = [
    ...hosts.map((host) => ({ field: 'Host', headers: { host } })),
    ...origins.map((origin) => ({ field: 'Origin', headers: { host: 'localhost:8377', origin } })),
  ];

  it.each(['/healthz', '/mcp', '/sandbox/clock', '/approvals'])('of anybody else are kept out: %s', async (path) => {
    const { face } = await world();
    for (const { field, headers } of others) {
      const response = await ask(face, path, { ...headers, authorization: `Bearer ${tokens.agent}` });
      expect([response.status, await response.json()], JSON.stringify(headers)).toMatchObject([
        403,
        { error: { code: 'FORBIDDEN', field } },
      ]);
    }
  });

  it('serves other names and origins where it was told to, and those with a port on that port alone', async () => {
    const { face } = await world({ face: { hosts: ['pay.example:443'], origins: ['https://app.example'] } });
    const at = (host: string, origin: string) =>
      face.fetch(new Request('http://pay.example:443/healthz', { headers: { host, origin } }));
    expect((await at('pay.example:443', 'https://app.example')).status).toBe(200);
    expect((await at('pay.example:444', 'https://app.example')).status).toBe(403);
    expect((await at('pay.example', 'https://app.example')).status).toBe(403);
    expect((await at('localhost', 'https://app.example')).status).toBe(403);
  });

  it('refuses a request line that names another host than the header', async () => {
    const url = await onPort(await world());
    const answer = await new Promise<string>((resolve) => {
      const socket = connectSocket(Number(url.port), '127.0.0.1', () =>
        socket.end(
          `GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost:${url.port}\r\nConnection: close\r\n\r\n`,
        ),
      );
      let text = '';
      socket.on('data', (chunk) => {
        text += String(chunk);
      });
      socket.on('close', () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 40[03] /);
    expect(answer).not.toContain('"ok"');
  });
});

describe.each(doors)('%s %s', (method, path, role) => {
  const none = [
    '',
    'Bearer',
    'Bearer ',
    'Basic YWdlbnQ6',
    `Bearer ${tokens[role]}x`,
    `Bearer x${tokens[role]}`,
    `Bearer ${tokens[role].slice(1)}`,
    `bearer${tokens[role]}`,
    tokens[role],
    `Bearer ${tokens[role]} ${tokens[role]}`,
  ];
  const others = Object.entries(tokens)
    .filter(([name]) => name !== role)
    .map(([, token]) => `Bearer ${token}`);

  it(`opens to the ${role} alone`, async () => {
    const { face } = await world();
    for (const authorization of [...none, ...others]) {
      const response = await ask(face, path, { authorization }, { method });
      expect(response.status, authorization).toBe(401);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm="purser"/);
      expect(await response.text()).not.toContain(tokens[role]);
    }
    expect((await ask(face, path, { authorization: `Bearer ${tokens[role]}` }, { method })).status).not.toBe(401);
  });
});

it('does not start where two roles have one token: the agent could approve its own calls', async () => {
  const { running } = await world();
  const same = { ...secrets, person: new Secret<string>(tokens.agent) };
  expect(() => createHttpFace({ engine: running.engine, tenant: 'default', version: '0', tokens: same })).toThrow(
    'The tokens of agent and person must differ.',
  );
});
