import { createHash, createHmac } from 'node:crypto';
import { request } from 'node:http';
import { createSandbox } from '../../src/sandbox/index.ts';
import { serveSandbox } from '../../src/sandbox/serve.ts';
import { credentials, start } from './support.ts';

const key = Buffer.from(credentials.secret, 'base64');
const sha = (body: Buffer) => createHash('sha256').update(body).digest('base64');
const hmac = (text: string, digest: 'base64' | 'base64url') => createHmac('sha256', key).update(text).digest(digest);

export interface RawAnswer {
  readonly status: number;
  // A test looks at whatever came.
  // biome-ignore lint/suspicious/noExplicitAny: assertions say what is expected
  readonly body: any;
}

/**
 * A client of the platform that shares nothing with Purser: it signs the very path that it puts on the wire, over a real socket,
 * and normalises nothing.
 */
export async function rawClient(now = start) {
  const sandbox = createSandbox({ file: ':memory:', clock: { now: () => now }, seed: 7, frozenAt: now });
  const served = await serveSandbox(sandbox, { port: 0 });
  const { host, port } = new URL(served.url);

  const send = (method: string, path: string, headers: Record<string, string>, body?: Buffer): Promise<RawAnswer> =>
    new Promise((resolve, reject) => {
      const sent = request(
        { host: '127.0.0.1', port: Number(port), method, path, headers: { host, ...headers } },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            resolve({ status: answer.statusCode ?? 0, body: text === '' ? undefined : JSON.parse(text) });
          });
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });

  const bytesOf = (body: unknown) => (Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body)));

  /** Signs with HTTP Signature. */
  const call = (method: string, path: string, body?: unknown): Promise<RawAnswer> => {
    const bytes = body === undefined ? undefined : bytesOf(body);
    const date = new Date(now).toUTCString();
    const signed: [string, string][] = [
      ['host', host],
      ['date', date],
      ['request-target', `${method.toLowerCase()} ${path}`],
      ...(bytes === undefined ? [] : ([['digest', `SHA-256=${sha(bytes)}`]] as [string, string][])),
      ['v-c-merchant-id', credentials.merchantId],
    ];
    const text = signed.map(([name, value]) => `${name}: ${value}`).join('\n');
    const headers = Object.fromEntries(signed.filter(([name]) => name !== 'request-target'));
    const signature = `keyid="${credentials.keyId}", algorithm="HmacSHA256", headers="${signed.map(([name]) => name).join(' ')}", signature="${hmac(text, 'base64')}"`;
    return send(method, path, { ...headers, signature, 'content-type': 'application/json' }, bytes);
  };

  /** Signs with a JWT; `claims` replace those of a good one. */
  const token = (method: string, path: string, claims: object = {}): Promise<RawAnswer> => {
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const iat = Math.floor(now / 1000);
    const text = `${encode({ typ: 'JWT', alg: 'HS256', kid: credentials.keyId })}.${encode({
      ...{ iat, exp: iat + 120, 'request-host': host, 'request-resource-path': path },
      ...{ 'request-method': method.toLowerCase(), iss: credentials.merchantId, jti: '1', 'v-c-jwt-version': '2' },
      ...{ 'v-c-merchant-id': credentials.merchantId, ...claims },
    })}`;
    return send(method, path, { authorization: `Bearer ${text}.${hmac(text, 'base64url')}` });
  };

  return { call, token, send, sandbox, now, close: () => served.close() };
}
