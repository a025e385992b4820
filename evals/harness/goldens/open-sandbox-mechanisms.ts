import { createHttpSignature } from '../../../src/client/signing.ts';
import { Secret } from '../../../src/core/secret.ts';
import { createSandbox, type Sandbox, type SandboxOptions, sandboxSeed } from '../../../src/sandbox/index.ts';
import { each, type Lines, type Mechanisms } from './lines.ts';
import { start } from './thing-bodies.ts';

// What an open sandbox makes of requests that a session can't have, and what it sends by itself, and until when.

const host = 'https://sandbox.purser.test';
const clock = { now: () => start };
const { secret, ...seeded } = sandboxSeed.credentials;
const signer = createHttpSignature({ credentials: { ...seeded, sharedSecret: new Secret(secret) }, clock });

const opened = (options: Partial<SandboxOptions> = {}): Sandbox =>
  createSandbox({ file: ':memory:', clock, frozenAt: start, ...options });

type Bytes = Uint8Array<ArrayBuffer>;
const bytesOf = (text: string): Bytes => new Uint8Array(Buffer.from(text));

/** The answer to a request, whose signature is that of what it says to send. */
async function answered(
  sandbox: Sandbox,
  [method = '', path = '']: readonly string[],
  sends: Bytes | undefined,
  says: Bytes | undefined = sends,
): Promise<Response> {
  const url = host + path;
  const headers = await signer({ method, url, headers: {}, ...(says === undefined ? {} : { body: says }) });
  return sandbox.handle(new Request(url, { method, headers, ...(sends === undefined ? {} : { body: sends }) }), path);
}

/** Bodies that are read as text, and others. */
const readable = (): Promise<Lines> =>
  each(
    [
      ['of ASCII', bytesOf('{"a":1}')],
      ['of longer letters', bytesOf('{"a":"é€😀"}')],
      ['with a byte order mark', bytesOf('\ufeff{"a":1}')],
      ['with a byte that no text has', new Uint8Array([0x7b, 0xff, 0x7d])],
      ['that ends within a letter', new Uint8Array([0x7b, 0xc3])],
      ['with a letter in too many bytes', new Uint8Array([0x7b, 0xc0, 0xaf, 0x7d])],
      ['with half of a pair', new Uint8Array([0x7b, 0xed, 0xa0, 0x80, 0x7d])],
      ['in UTF-16', new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00])],
    ] as const,
    async ([what, bytes]) => {
      const sandbox = opened();
      const answer = await answered(sandbox, ['POST', '/rbs/v1/plans'], bytes);
      const { reason, message } = (await answer.json()) as { readonly reason?: string; readonly message?: string };
      await sandbox.close();
      return [what, [answer.status, reason, message]] as const;
    },
  );

/** Which requests need a digest: those with a body, and those whose method allows one. */
const digested = (): Promise<Lines> =>
  each(
    [
      ['POST', '/rbs/v1/plans'],
      ['PUT', '/invoicing/v2/invoiceSettings'],
      ['PATCH', '/rbs/v1/plans/nothing'],
      ['GET', '/rbs/v1/plans/nothing'],
      ['DELETE', '/rbs/v1/plans/nothing'],
    ] as const,
    async (call) => {
      const sandbox = opened();
      const [nothing, some] = [bytesOf(''), bytesOf('{}')];
      const ways: readonly (readonly [sends: Bytes | undefined, says?: Bytes])[] =
        call[0] === 'GET' ? [[undefined]] : [[undefined], [nothing, nothing], [some], [some, nothing]];
      const statuses: number[] = [];
      for (const [sends, says] of ways) statuses.push((await answered(sandbox, call, sends, says)).status);
      const undigested = await withoutDigest(sandbox, call, some);
      await sandbox.close();
      return [call[0], [...statuses, undigested]] as const;
    },
  );

/** The status of a request with a body and a signature that says nothing of it. */
async function withoutDigest(sandbox: Sandbox, [method, path]: readonly [string, string], body: Bytes) {
  if (method === 'GET') return 'never';
  const headers = await signer({ method, url: host + path, headers: {} });
  return (await sandbox.handle(new Request(host + path, { method, headers, body }), path)).status;
}

const invoice = bytesOf(
  JSON.stringify({
    customerInformation: { name: 'Ada Example', email: 'ada@example.com' },
    invoiceInformation: {
      ...{ deliveryMode: 'email', sendImmediately: true },
      ...{ description: 'Repair', dueDate: '2026-03-01' },
    },
    orderInformation: { amountDetails: { totalAmount: '40.00', currency: 'USD' } },
  }),
);
const bill = (sandbox: Sandbox) => answered(sandbox, ['POST', '/invoicing/v2/invoices'], invoice);

/** Three webhook addresses that get the events of an invoice. */
async function subscribed(sandbox: Sandbox): Promise<void> {
  const path = '/sandbox/webhooks';
  for (const name of ['one', 'two', 'three']) {
    const products = [{ productId: 'customerInvoicing', eventTypes: ['invoicing.customer.invoice.send'] }];
    const body = JSON.stringify({ name, products, webhookUrl: `https://shop.example.com/${name}` });
    await sandbox.handle(new Request(host + path, { method: 'POST', body }), path);
  }
}

/** What a sandbox sends while something is done to it, with the most at a time and how it ends. */
async function sending(work: (sandbox: Sandbox, told: Told) => Promise<unknown>): Promise<unknown> {
  const told: Told = { sent: 0, during: async () => {} };
  let [running, most] = [0, 0];
  const sandbox = opened({
    send: async () => {
      told.sent += 1;
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      await told.during().finally(() => {
        running -= 1;
      });
      return 200;
    },
  });
  await subscribed(sandbox);
  try {
    const more = await work(sandbox, told);
    return [`${told.sent} sent`, `${most} at a time`, ...(more === undefined ? [] : [more])];
  } catch (error) {
    return [`${told.sent} sent`, error instanceof Error ? error.message : error];
  } finally {
    await sandbox.close().catch(() => undefined); // some have closed it
  }
}

interface Told {
  sent: number;
  /** What is done while one is sent. */
  during: () => Promise<unknown>;
}

/** Works once. */
const onlyOnce = (work: () => Promise<unknown>): (() => Promise<unknown>) => {
  let isDone = false;
  return async () => {
    if (isDone) return;
    isDone = true;
    await work();
  };
};

const sent = (): Promise<Lines> =>
  each(
    [
      ['nothing is due', (sandbox) => sandbox.deliver()],
      [
        'an event is due',
        async (sandbox) => {
          await bill(sandbox);
          await sandbox.deliver();
        },
      ],
      ['nobody asks for it', bill],
      [
        'it is asked twice at once',
        async (sandbox) => {
          await bill(sandbox);
          await Promise.all([sandbox.deliver(), sandbox.deliver()]);
        },
      ],
      [
        'it is asked again later',
        async (sandbox) => {
          await bill(sandbox);
          await sandbox.deliver();
          await bill(sandbox);
          await sandbox.deliver();
        },
      ],
      [
        'another event comes while one is sent',
        async (sandbox, told) => {
          await bill(sandbox);
          told.during = onlyOnce(() => bill(sandbox));
          await sandbox.deliver();
        },
      ],
      [
        'it is closed while one is sent',
        async (sandbox, told) => {
          await bill(sandbox);
          let closed: Promise<void> | undefined;
          told.during = onlyOnce(async () => {
            closed = sandbox.close();
          });
          await sandbox.deliver();
          await closed;
        },
      ],
      [
        'it is closed and asked while one is sent',
        async (sandbox, told) => {
          await bill(sandbox);
          const all: Promise<void>[] = [];
          told.during = onlyOnce(async () => {
            all.push(sandbox.deliver(), sandbox.close(), sandbox.deliver());
          });
          await sandbox.deliver();
          await Promise.all(all);
        },
      ],
      [
        'it is closed before it is asked',
        async (sandbox) => {
          await bill(sandbox);
          await sandbox.close();
          await sandbox.deliver();
        },
      ],
      [
        'sending breaks off, and it is asked again',
        async (sandbox, told) => {
          await bill(sandbox);
          told.during = onlyOnce(() => Promise.reject(new Error('The sender broke.')));
          const ended = await sandbox.deliver().then(
            () => 'no error',
            (error: Error) => error.message,
          );
          await sandbox.deliver();
          return ended;
        },
      ],
    ] as readonly (readonly [string, (sandbox: Sandbox, told: Told) => Promise<unknown>])[],
    async ([what, work]) => [
      what,
      await sending(async (sandbox, told) => {
        const found = await work(sandbox, told);
        return typeof found === 'string' ? found : undefined;
      }),
    ],
  );

export const openSandboxMechanisms: Mechanisms = {
  'bodies of requests that the sandbox reads': readable,
  'requests by their method: without a body, with an empty one, with one, with that of another, without a digest':
    digested,
  'what a sandbox sends by itself, by what is done to it': sent,
};
