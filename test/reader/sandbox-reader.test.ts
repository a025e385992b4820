import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fileWith, folder, run, start } from '../faces/cli.ts';
import { dial, report } from './app.ts';

// `purser sandbox reader`: the simulated reader as an app of its own, over the protocol of a real one.

/** A `purser serve` and its reader, both on one data folder. */
async function joined() {
  const data = folder();
  const served = start(['serve', '--port', '0', '--data', data, '--json']);
  const { url, tokens } = JSON.parse(await served.line());
  const token = readFileSync(tokens.reader, 'utf8').trim();
  const base = String(url).replace('/mcp', '');
  const at = `${base.replace('http', 'ws')}/reader`;
  const reader = start(['sandbox', 'reader', '--data', data, '--url', at, '--json']);
  expect(JSON.parse(await reader.line())).toEqual({ connected: at });
  const look = async () => {
    const answer = await fetch(`${base}/reader`, { headers: { authorization: `Bearer ${token}` } });
    return answer.json();
  };
  return { served, reader, look, url: at, token };
}

it('connects, is seen, and ends cleanly', async () => {
  const { served, reader, look } = await joined();
  expect(await look()).toMatchObject({ connected: true, reader: { environment: 'test', sdkVersion: '3.5.0' } });
  expect(await reader.stop('SIGTERM')).toMatchObject({ code: 0, err: expect.stringContaining('stopped.') });
  expect((await served.stop('SIGTERM')).code).toBe(0);
});

it.each([
  ['before "purser serve" has written it', undefined, 'start "purser serve" first'],
  ['that is of another data folder', 'a-token-of-somewhere-else', 'it does not know the token'],
])('does not go on with a token %s', async (_, token, why) => {
  const { url } = await joined();
  const file = token === undefined ? join(folder(), 'none') : fileWith(token);
  const ended = await run(['sandbox', 'reader', '--data', folder(), '--url', url, '--token', file]);
  expect(ended).toMatchObject({ code: 1, out: '', err: expect.stringContaining(why) });
});

it.each(['nonsense', 'ftp://127.0.0.1/reader', 'ws://127.0.0.1:8377/reader#part', ''])(
  'does not start with an address that is none: "%s"',
  async (url) => {
    const ended = await run(['sandbox', 'reader', '--data', folder(), '--token', fileWith('a-token'), '--url', url]);
    expect(ended).toEqual({ code: 2, out: '', err: expect.stringMatching(/^purser: --url must be .*\n$/) });
  },
);

it('does not take turns with another app that has connected', async () => {
  const { reader, look, url, token } = await joined();
  const other = dial({ url }, { token });
  await once(other, 'open');
  other.send(JSON.stringify({ type: 'hello', reader: report }));
  const { code, err } = await reader.over;
  expect([code, err]).toEqual([1, expect.stringContaining('Another app of this merchant has connected')]);
  expect(await look()).toMatchObject({ connected: true, reader: { serialNumbers: report.serialNumbers } });
});
