import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { folder, start } from '../faces/cli.ts';
import type { tokens as knownTokens } from '../faces/support.ts';

// What the tests of Purser's borders share: raw bytes to a port, and the built commands behind one.

export interface Got {
  readonly status: number;
  readonly text: string;
}

/** Sends bytes as they are and reads until the other side closes. */
const raw = (port: number, bytes: string | Buffer): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      text += chunk;
      if (isWhole(text)) socket.destroy(); // a stream of MCP keeps its connection, whatever was asked
    });
    socket.on('error', () => undefined); // a server may close before it has read everything
    socket.once('close', () => resolve(text));
    socket.write(bytes);
  });

/** Whether an answer has come to its end: by its length, by its last chunk, or because it has no body. */
function isWhole(text: string): boolean {
  const at = text.indexOf('\r\n\r\n');
  if (at < 0) return false;
  const head = text.slice(0, at);
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  if (length !== undefined) return text.length - at - 4 >= Number(length);
  return /^transfer-encoding: chunked/im.test(head) ? text.endsWith('0\r\n\r\n') : /^HTTP\/1\.1 20[24] /.test(head);
}

/** One request with these header lines, on a connection of its own. */
export async function sent(port: number, line: string, headers: readonly string[], body = ''): Promise<Got> {
  const text = await raw(port, `${[`${line} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n')}${body}`);
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text };
}

/** The built `purser serve` on a free port, with its tokens. */
export async function builtServe() {
  const data = folder();
  const served = start(['serve', '--port', '0', '--json', '--data', data], { env: { PURSER_TOOLSETS: 'all' } });
  const { url, tokens } = JSON.parse(await served.line());
  const token = (role: keyof typeof knownTokens) => readFileSync(tokens[role], 'utf8').trim();
  return { ...served, data, port: Number(new URL(url).port), token };
}

/** The built `purser sandbox` on a free port. */
export async function builtSandbox() {
  const served = start(['sandbox', '--port', '0', '--json', '--data', folder()]);
  const { url } = JSON.parse(await served.line());
  return { ...served, port: Number(new URL(url).port) };
}
