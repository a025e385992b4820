import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { delivering, sendNear } from '../../src/cli/sandbox-deliveries.ts';
import { keyOfSandbox } from '../../src/cli/sandbox-subscription.ts';
import { reveal } from '../../src/core/secret.ts';
import { Bench } from '../sandbox/support.ts';
import { bill, path, subscription } from './support.ts';

// Deliveries over real connections, to this machine alone.

interface Got {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** An address that takes deliveries. */
async function receiver(statuses: readonly number[] = []) {
  const got: Got[] = [];
  const server = createServer(async (request, response) => {
    got.push({ headers: request.headers, body: await text(request) });
    response.writeHead(statuses[got.length - 1] ?? 204, { location: '/elsewhere' }).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => new Promise<void>((closed) => void server.close(() => closed())));
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?a=b` };
}

async function subscribed(webhookUrl: string) {
  const bench = new Bench({ send: sendNear });
  const served = delivering(bench.sandbox, (failure) => {
    throw failure;
  });
  Object.assign(bench, { sandbox: served });
  const { body } = await bench.call('POST', path, subscription({ webhookUrl, healthCheckUrl: undefined }));
  await bench.call('PUT', `${path}/${body.webhookId}/status`, { status: 'ACTIVE' });
  const { keyId, key } = (await bench.control('GET', `webhooks/${body.webhookId}/key`)).body;
  return { bench, keyId, key };
}

describe('a sandbox that is served', () => {
  it('posts an event after the request that caused it, signed over the very bytes', async () => {
    const { got, url } = await receiver();
    const { bench, key } = await subscribed(url);
    await bench.call('POST', '/invoicing/v2/invoices', bill);
    await bench.sandbox.deliver();
    const [{ headers, body } = { headers: {}, body: '' }, ...more] = got;
    const [, at = '', sig] = /^t=(\d+);keyId=[^;]+;sig=(.+)$/.exec(String(headers['v-c-signature'])) ?? [];
    expect(sig).toBe(createHmac('sha256', Buffer.from(key, 'base64')).update(`${at}.${body}`).digest('base64'));
    expect([headers['content-type'], JSON.parse(body).eventType, more]).toEqual([
      ...['application/json', 'invoicing.customer.invoice.send', []],
    ]);
    await bench.sandbox.close();
  });

  it('lends the server of its process the key that signs, whoever made it', async () => {
    const { bench, keyId, key } = await subscribed('http://127.0.0.1:9/hook');
    const made = (await bench.call('POST', '/kms/egress/v2/keys-sym', {})).body.keyInformation;
    const lent = await Promise.all([keyId, made.keyId, 'none'].map((id) => keyOfSandbox(bench.sandbox, id)));
    expect(lent.map((it) => it && reveal(it))).toEqual([key, made.key, undefined]);
    await bench.sandbox.close();
  });

  it('takes no redirection, and tries again by its policy', async () => {
    const { got, url } = await receiver([302, 500]);
    const { bench } = await subscribed(url);
    await bench.call('POST', '/invoicing/v2/invoices', bill);
    await bench.sandbox.deliver();
    await bench.control('POST', 'clock', { advance: 'PT1H' });
    await bench.sandbox.deliver();
    expect(got.map(({ headers }) => headers['v-c-retry-count'])).toEqual(['0', '1', '2']);
    await bench.sandbox.close();
  });

  it('sends nothing to any other machine, and nothing once it is closed', async () => {
    const far = await subscribed('https://books.example.com/hook');
    await far.bench.call('POST', '/invoicing/v2/invoices', bill);
    await far.bench.sandbox.deliver();
    const { deliveries } = (await far.bench.control('GET', 'deliveries')).body;
    expect(deliveries).toMatchObject([{ state: 'PENDING', attempts: [{ status: null }] }]);
    await far.bench.sandbox.close();
    await far.bench.sandbox.deliver();
  });

  it.each(['http://127.0.0.1.example.com/', 'http://10.0.0.1/', 'http://localhost@example.com/'])(
    'does not take %s for this machine',
    async (url) => {
      expect(await sendNear({ id: 'one', due: 0, url, headers: {}, body: '' })).toBeNull();
    },
  );

  it('says of an address where nobody listens that nobody answered', async () => {
    const { url } = await receiver();
    const nobody = url.replace(/:\d+/, ':1');
    expect(await sendNear({ id: 'one', due: 0, url: nobody, headers: {}, body: '' })).toBeNull();
  });
});
