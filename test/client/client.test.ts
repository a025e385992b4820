import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createClient, createClientOf } from '../../src/client/client.ts';
import { createJwt } from '../../src/client/signing.ts';
import { contract } from '../../src/domains/index.ts';
import { plans, settings } from './plans.ts';
import {
  bodyOf,
  clientOn,
  clock,
  confirm,
  confirmation,
  confirmed,
  credentials,
  loopback,
  recorder,
  rejection,
  signer,
} from './support.ts';

describe('a call', () => {
  it('sends the serialised body once, signed over those bytes, and answers status and body', async () => {
    const got: unknown[] = [];
    await using server = await loopback(async (request, response) => {
      const bytes = await bodyOf(request);
      const { host, connection, 'content-length': length, signature, ...headers } = request.headers;
      got.push({ method: request.method, url: request.url, headers, body: JSON.parse(bytes.toString()) });
      expect(headers.digest).toBe(`SHA-256=${createHash('sha256').update(bytes).digest('base64')}`);
      expect({ host, length }).toStrictEqual({ host: new URL(server.baseUrl).host, length: String(bytes.length) });
      expect({ connection, signature }).toStrictEqual({
        connection: 'close',
        signature: expect.stringContaining('keyid='),
      });
      response.writeHead(202, { 'content-type': 'application/hal+json;charset=utf-8' }).end(JSON.stringify(confirmed));
    });

    expect(await confirm(server.client)).toStrictEqual({ status: 202, body: confirmed });
    expect(got).toStrictEqual([
      {
        method: 'POST',
        url: '/acp/v1/instructions/ins-1/confirmations',
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          date: 'Sun, 06 Nov 1994 08:49:37 GMT',
          digest: expect.stringMatching(/^SHA-256=/),
          'user-agent': 'purser/0.0.0',
          'v-c-client-id': 'purser-0.0.0',
          'v-c-merchant-id': 'test_merchant',
          'v-c-sdk-telemetry-merchant-id': 'test_merchant',
        },
        body: confirmation.body,
      },
    ]);
  });

  it('has a method for every operation of the contract and one to describe', () => {
    const { platform } = recorder({});
    expect(Object.keys(clientOn(platform)).sort()).toStrictEqual([...Object.keys(contract), 'describe'].sort());
  });

  it('goes to the configured prefix', async () => {
    const { requests, platform } = recorder(confirmed, 202);
    await confirm(createClient({ ...settings, platform, agentPrefix: '/icc/v1' }));
    expect(requests.map((it) => it.url)).toStrictEqual(['http://127.0.0.1/icc/v1/instructions/ins-1/confirmations']);
  });

  it('leaves the paths of other operations alone when the prefix is switched', async () => {
    const { requests, platform } = recorder({ totalCount: 0 });
    await createClientOf(plans, { ...settings, platform, agentPrefix: '/icc/v1' }).listPlans({ query: {} });
    expect(requests.map((it) => it.url)).toStrictEqual(['http://127.0.0.1/rbs/v1/plans']);
  });

  it('encodes a query, and leaves out what is undefined', async () => {
    const { requests, platform } = recorder({ totalCount: 0 });
    const client = createClientOf(plans, { ...settings, platform });
    await client.listPlans({ query: { name: "a b&c=d#é'", limit: 20, from: '2026-03-01T00:00:00Z' } });
    expect(requests.map((it) => new URL(it.url).search)).toStrictEqual([
      '?name=a%20b%26c%3Dd%23%C3%A9%27&limit=20&from=2026-03-01T00%3A00%3A00Z',
    ]);
  });

  it('signs the query as it goes out', async () => {
    const targets: string[] = [];
    const { requests, platform } = recorder({ totalCount: 0 });
    const client = createClientOf(plans, {
      ...settings,
      platform,
      signer: async ({ url, headers }) => {
        targets.push(url);
        return headers;
      },
    });
    await client.listPlans({ query: { name: "it's [x] ü" } });
    expect(targets).toStrictEqual(requests.map((it) => it.url));
  });

  it.each([
    ['HTTP Signature', signer, /^Signature keyid="5d1f7b52-8a4c-4b8e-9a53-3a9d2f7c1e60", .*signature="[\w+/=]+"$/],
    ['JWT', createJwt({ credentials, clock, ids: { uuid: () => 'jti' } }), /^Bearer [\w-]+\.[\w-]+\.[\w-]+$/],
  ])(
    'DC-01 asks for an offer with the headers Authorization and keyId, by %s, and nothing else',
    async (_, by, form) => {
      const { requests, platform } = recorder({}, 400);
      const client = createClient({ ...settings, platform, signer: by });
      const amountDetails = { originalAmount: '1.00', originalCurrency: 'USD' } as const;
      const body = { orderInformation: { amountDetails }, paymentInformation: { card: { number: '400000' } } };
      await rejection(client.offerConversion({ body }));
      await rejection(client.listPlans({ query: {} }));
      const [offer, other] = requests.map(({ headers }) => headers);
      expect(offer?.get('authorization')).toMatch(form);
      expect([offer?.get('keyid'), other?.get('keyid')]).toEqual([credentials.keyId, null]);
      expect(other?.has('authorization')).toBe(!other?.has('signature'));
    },
  );

  it('sends an empty object with a digest where a POST has no body, and nothing with a DELETE', async () => {
    const { requests, platform } = recorder({ id: 'p-1' });
    await createClientOf(plans, { ...settings, platform }).activatePlan({ id: 'p-1' });
    const deleted = recorder(undefined);
    const gone = await createClientOf(plans, { ...settings, platform: deleted.platform }).deletePlan({ id: 'p-1' });

    const sent = [...requests, ...deleted.requests].map(async (it) => [await it.text(), it.headers.get('digest')]);
    expect(await Promise.all(sent)).toStrictEqual([
      ['{}', 'SHA-256=RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o='],
      ['', null],
    ]);
    expect(gone).toStrictEqual({ status: 200, body: undefined });
  });

  it('takes a 304 for an answer where the contract states one', async () => {
    const { platform } = recorder(undefined, 304);
    const client = createClientOf(plans, { ...settings, platform });
    expect(await client.activatePlan({ id: 'p-1' })).toStrictEqual({ status: 304, body: undefined });
  });
});

describe('the types', () => {
  it('know every path name, body and answer', () => {
    // The compiler checks these; they are never run.
    const client = clientOn(recorder({}).platform);
    const body = structuredClone(confirmation.body);
    const calls = [
      // @ts-expect-error the path name is spelt as the documents print it
      () => client.confirmTransaction({ instructionId: 'ins-1', body }),
      // @ts-expect-error the path name is missing
      () => client.confirmTransaction({ body }),
      // @ts-expect-error the body is missing
      () => client.confirmTransaction({ instructionID: 'ins-1' }),
      // @ts-expect-error a required field is missing
      () => client.confirmTransaction({ instructionID: 'ins-1', body: { clientCorrelationId: 'x' } }),
      () =>
        client.cancelPurchase({
          instructionID: 'ins-1',
          // @ts-expect-error the correlation id is text
          body: { clientCorrelationId: 7, deviceInformation: {} as never, assuranceData: [] },
        }),
      // @ts-expect-error there is no such operation
      () => client.confirmTransactions({}),
      // @ts-expect-error describe knows each operation's input
      () => client.describe('confirmTransaction', { body }),
      async () => {
        const answer = await client.enrollCard({} as never);
        if (answer.status === 202) return answer.body.pendingEvents;
        // @ts-expect-error only a 202 has pending events that are certain
        const events: string[] = answer.body.pendingEvents;
        return events;
      },
    ];
    expect(calls).toHaveLength(8);
  });
});
