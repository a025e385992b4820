import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { folder, run, start } from '../faces/cli.ts';
import { search } from '../promises/encodings.ts';
import { bytesIn } from '../promises/entries.ts';
import { closedWith, dial, inbox, refusedWith, report } from './app.ts';

// `purser serve` as a process of its own, and the app of a reader that connects to it.

it('purser serve takes an app with the token of its file, tells it when it stops, and prints no token', async () => {
  const data = folder();
  const served = start(['serve', '--port', '0', '--data', data, '--json']);
  const { url, tokens } = JSON.parse(await served.line());
  const token = readFileSync(tokens.reader, 'utf8').trim();
  expect([tokens.reader, statSync(tokens.reader).mode & 0o777]).toEqual([`${data}/reader.token`, 0o600]);
  const at = { url: `${String(url).replace('http', 'ws').replace('/mcp', '')}/reader` };

  const wrong = 'a-token-that-is-not-the-right-one';
  expect(await refusedWith(dial(at, { token: wrong }))).toMatchObject({ status: 401 });
  const socket = dial(at, { token });
  const { next } = inbox(socket);
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'hello', reader: report }));
  expect(await next()).toMatchObject({ type: 'welcome' });
  const port = new URL(url).port;
  const doctor = await run(['doctor', '--data', data], { env: { PURSER_PORT: port } });
  expect(doctor.out).toContain('its app is connected');

  const bad = dial(at, { token });
  await once(bad, 'open');
  bad.send(`{"type":"hello","token":"${token}"}`);
  expect(await closedWith(bad)).toBe(4400);

  const closed = closedWith(socket);
  const { code, out, err } = await served.stop('SIGTERM');
  expect([code, await closed]).toEqual([0, 1001]);
  const sinks = [
    { name: 'said', bytes: Buffer.from(`${out}${err}${doctor.out}${doctor.err}`) },
    ...bytesIn(data).filter(({ name }) => !name.includes('reader.token')),
  ];
  expect(search(sinks, { token, wrong }).hits).toEqual([]);
});
