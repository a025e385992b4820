import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { inspect } from 'node:util';
import { type Client, createClient } from '../../src/client/client.ts';
import type { Platform } from '../../src/client/platform.ts';
import { createHttpPlatform, type Timeouts } from '../../src/client/platform.ts';
import { createHttpSignature } from '../../src/client/signing.ts';
import { Secret } from '../../src/core/secret.ts';

/** 1994-11-06T08:49:37Z, the date that RFC 7231 prints. */
export const clock = { now: () => 784_111_777_000 };

/** Base64 of the 32 characters `purser-test-key-32-bytes-long-ok`. */
export const keyText = 'cHVyc2VyLXRlc3Qta2V5LTMyLWJ5dGVzLWxvbmctb2s=';

export const credentials = {
  merchantId: 'test_merchant',
  keyId: '5d1f7b52-8a4c-4b8e-9a53-3a9d2f7c1e60',
  sharedSecret: new Secret(keyText),
};

export const signer = createHttpSignature({ credentials, clock });

export const patience: Timeouts = {
  connectMilliseconds: 5_000,
  headersMilliseconds: 5_000,
  bodyMilliseconds: 5_000,
  fileIdleMilliseconds: 5_000,
};

/** A value that no error may ever show. */
export const canary = '4111110000001234';

export const confirmation = {
  instructionID: 'ins-1',
  body: {
    clientCorrelationId: '0b8f6a3e-6f0e-4c58-9b1e-2f2f4f0a7c11',
    paymentInformation: { instrumentIdentifier: { id: canary } },
    confirmationData: [
      {
        clientReferenceInformation: { code: 'order-1' },
        processorInformation: { transactionType: 'PURCHASE', transactionStatus: 'APPROVED' },
      },
    ],
  },
} as const satisfies object;

export const confirmed = { clientCorrelationId: confirmation.body.clientCorrelationId, status: 'COMPLETED' };

export const clientOn = (platform: Platform, baseUrl = 'http://127.0.0.1'): Client =>
  createClient({ platform, baseUrl, signer, agentPrefix: '/acp/v1', clock, version: '0.0.0' });

/** Confirms the sample, mutable as the contract's types want it. */
export const confirm = (client: Client) => client.confirmTransaction(structuredClone(confirmation) as never);

/** What a promise was rejected with. */
export const rejection = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => {
      throw new Error('It was not rejected.');
    },
    (error: unknown) => error,
  );

/** All that a printed error could give away. */
export const printed = (error: unknown): string =>
  inspect(error, { showHidden: true, depth: Number.POSITIVE_INFINITY }) + String((error as Error).stack);

export interface Loopback {
  readonly baseUrl: string;
  readonly client: Client;
  readonly platform: Platform;
  /** How many connections were opened and requests begun. */
  readonly seen: { connections: number; requests: number };
  [Symbol.asyncDispose](): Promise<void>;
}

/** A real HTTP server on 127.0.0.1, and a client that speaks to it. */
export async function loopback(answer: RequestListener, timeouts: Timeouts = patience): Promise<Loopback> {
  const seen = { connections: 0, requests: 0 };
  const server = createServer((request, response) => {
    seen.requests += 1;
    answer(request, response);
  });
  server.on('connection', () => {
    seen.connections += 1;
  });
  const baseUrl = `http://127.0.0.1:${await listen(server)}`;
  const platform = createHttpPlatform({ baseUrl, timeouts });
  return {
    baseUrl,
    platform,
    client: clientOn(platform, baseUrl),
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await platform.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The bytes of a request's body. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** A port of 127.0.0.1 on which nobody listens. */
export async function closedPort(): Promise<number> {
  const server = createTcpServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export const listen = (server: TcpServer): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

/** A platform that keeps what it was asked, and always answers the same. */
export function recorder(body: unknown, status = 200) {
  const requests: Request[] = [];
  const platform = async (request: Request) => {
    requests.push(request);
    return body === undefined ? new Response(null, { status }) : Response.json(body, { status });
  };
  return { requests, platform };
}
