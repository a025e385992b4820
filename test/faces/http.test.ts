import { createServer, request as httpRequest } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Replacements } from '../../src/cli/compose.ts';
import { limits } from '../../src/core/limits.ts';
import { freezeTenant, unfreeze } from '../../src/engine/freeze.ts';
import { IntegrityError } from '../../src/engine/integrity-error.ts';
import { listen } from '../../src/http/listen.ts';
import { deliveryCall } from '../../src/http/platform-events.ts';
import { createHttpFace, type HttpFace } from '../../src/http/server.ts';
import { open } from '../../src/listener/port.ts';
import { connect, inProcess, onPort } from './agents.ts';
import { ask, doors } from './doors.ts';
import { nextWeek, over, secrets, tokens, world } from './support.ts';
import { call2025, call2026 } from './wire.ts';

// What the HTTP face does for the merchant's app and for people, and what comes back.

describe('what comes back', () => {
  const headers = {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-accel-buffering': 'no',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  };

  it.each(['/healthz', '/mcp', '/nothing', '/approvals', '/sandbox/clock'])('is safe to receive: %s', async (path) => {
    const { face } = await world();
    const response = await ask(face, path, { authorization: `Bearer ${tokens.agent}` });
    expect(Object.fromEntries(response.headers)).toMatchObject(headers);
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('tells health to anybody, and nothing about what is not there', async () => {
    const { http } = await world();
    expect((await http('GET', '/healthz')).body).toEqual({ status: 'ok', environment: 'sandbox' });
    expect(await http('GET', '/nothing')).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
    expect(await http('PUT', '/shoppers', 'app', {})).toMatchObject({ status: 404 });
    const slip: { readonly body: unknown } = await http('GET', '/aprovals');
    expect(JSON.stringify(slip.body)).toContain('/approvals');
    const strange = await http('GET', '/correcthorse');
    expect(JSON.stringify(strange.body)).not.toContain('correcthorse');
  });

  it('says nothing of what broke inside', async () => {
    const here = await world({
      configure: ({ engine }) => {
        Object.assign(engine.parts.ledger, {
          transaction: () => Promise.reject(new Error('/secret/path: disk I/O error')),
        });
      },
    });
    expect(await here.http('GET', '/operations', 'person')).toMatchObject({
      status: 500,
      body: { error: { code: 'INTERNAL' } },
    });
    const { result } = await call2026(here, 'find_shopper', {});
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { outcome: 'refused', error: { code: 'INTERNAL_HALT', retry: 'same_call' }, next: [] },
    });
    expect(JSON.stringify(result)).not.toContain('secret');
    expect(here.failures.map(String)).toEqual([
      'Error: /secret/path: disk I/O error',
      'Error: /secret/path: disk I/O error',
    ]);
  });
});

describe('a body', () => {
  const big = 'x'.repeat(262_144);
  const typed = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

  it.each(doors.filter(([method]) => method === 'POST'))(
    'of more than 256 KiB is refused: %s %s',
    async (method, path, role) => {
      const { face } = await world();
      const init = { method, body: JSON.stringify({ big }) };
      const response = await ask(
        face,
        path,
        { authorization: `Bearer ${tokens[role]}`, 'content-type': 'application/json' },
        init,
      );
      expect(response.status).toBe(413);
      expect(await response.json()).toMatchObject({ error: { code: 'TOO_LARGE' } });
    },
  );

  it('that has a property twice is refused by every route and path of MCP, whoever sends it', async () => {
    const { face } = await world();
    const ping = '{"id":7,"jsonrpc":"2.0","method":"ping"';
    const twice = [`${ping},"m\\u0065thod":"ping"}`, `${ping},"params":{"a":[{"c":"}","d":"\\"","c" : "f"}]}}`];
    const simulated = /^ALL \/(sandbox|reader-screen|[a-z-]+)\/\*$/;
    // A delivery is signed, and decides nothing: it tells what to look at.
    const calls = face.calls.filter((call) => /^(POST|PUT|PATCH|DELETE|ALL) /.test(call) && call !== deliveryCall);
    const taking = calls.filter((call) => call.startsWith('ALL /mcp') || !simulated.test(call));
    const answered = new Map<string, readonly unknown[]>();
    for (const call of taking) {
      const path = (call.split(' ')[1] ?? '').replace(':id', 'x').replace('*', 'readonly');
      const seen: unknown[] = [];
      for (const token of Object.values(tokens))
        for (const body of twice) {
          const headers = { authorization: `Bearer ${token}`, ...typed };
          const response = await ask(face, path, headers, { method: 'POST', body });
          if (response.status !== 401) seen.push([response.status, await response.json()]);
        }
      answered.set(call, seen);
    }
    const refused = { error: { code: 'INVALID_ARGUMENT', rule: 'EN-01' } };
    const unread = { id: 7, error: { code: -32_600 } };
    for (const [call, seen] of answered) {
      expect([call, seen.length > 0]).toEqual([call, true]);
      for (const one of seen) expect([call, one]).toMatchObject([call, [400, /\/mcp/.test(call) ? unread : refused]]);
    }
    expect([...answered.keys()].toSorted()).toEqual([
      ...['ALL /mcp', 'ALL /mcp/*', 'POST /act', 'POST /act/take', 'POST /approvals/:id', 'POST /approve/:id'],
      ...[
        'POST /calls/:id',
        'POST /credentials/:id/redeem',
        'POST /operations/:id',
        'POST /receipts',
        'POST /shoppers',
      ],
      'POST /things/:id/link',
    ]);
  });

  it('that is not UTF-8 is refused by every route and path of MCP: it would say what nobody has sent', async () => {
    const { face } = await world();
    const garbled = (before: string, after: string) =>
      Buffer.concat([Buffer.from(before), Buffer.from([0xff, 0xfe]), Buffer.from(after)]);
    const paths = [
      '/shoppers',
      '/receipts',
      '/calls/x',
      '/approvals/x',
      '/approve/x',
      '/operations/x',
      '/act',
      '/act/take',
    ];
    for (const path of paths)
      for (const token of Object.values(tokens)) {
        const headers = { authorization: `Bearer ${token}`, ...typed };
        const response = await ask(face, path, headers, { method: 'POST', body: garbled('{"displayName":"', '"}') });
        if (response.status === 401) continue;
        expect([path, response.status, await response.json()]).toMatchObject([
          path,
          400,
          { error: { code: 'INVALID_ARGUMENT', message: expect.stringContaining('must be JSON'), rule: 'EN-01' } },
        ]);
      }
    const call = '{"id":7,"jsonrpc":"2.0","method":"tools/call","params":{"name":"find_shopper","arguments":{"name":"';
    for (const path of ['/mcp', '/mcp/readonly']) {
      const headers = { authorization: `Bearer ${tokens.agent}`, ...typed };
      const response = await ask(face, path, headers, { method: 'POST', body: garbled(call, '"}}}') });
      expect([response.status, await response.json()]).toMatchObject([400, { id: null, error: { code: -32_700 } }]);
    }
  });

  it('that has the same property in several things, or as a text, is served', async () => {
    const { http } = await world();
    const shopper = { displayName: '{"a":1,"a":2}', email: 'bo@example.com' };
    const more = { card: { a: { email: 'x' } }, cards: [{ email: 'x' }, { email: 'y' }] };
    const { body } = await http('POST', '/shoppers', 'app', { ...shopper, ...more });
    expect(JSON.stringify(body)).not.toContain('twice');
  });

  it('of unknown length is refused as soon as it is too long', async () => {
    const url = await onPort(await world());
    const status = await new Promise((resolve) => {
      const sent = httpRequest(
        new URL('/shoppers', url),
        { method: 'POST', headers: { authorization: `Bearer ${tokens.app}`, 'content-type': 'application/json' } },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      sent.on('error', () => {}); // the rest of the body finds a closed door
      sent.write(`{"big":"${big}`);
      sent.end('"}');
    });
    expect(status).toBe(413);
  });

  it.each([
    ['{"card": 4111', 'application/json', 400],
    ['4111111111111111', 'text/plain', 415],
    ['{"displayName":"Bo"}', 'text/plain', 415],
    ['a=b', 'application/x-www-form-urlencoded', 415],
  ])('that is no JSON is refused without being repeated: %s as %s', async (body, type, status) => {
    const { face } = await world();
    const response = await ask(
      face,
      '/shoppers',
      { authorization: `Bearer ${tokens.app}`, 'content-type': type },
      { method: 'POST', body },
    );
    expect(response.status).toBe(status);
    expect(await response.text()).not.toContain(body);
  });

  const hello = { protocolVersion: '2025-06-18', clientInfo: { name: 'test', version: '0' } };
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const greeting = (levels: number) =>
    `{"id":7,"jsonrpc":"2.0","method":"initialize","params":{"capabilities":{"experimental":${nested(levels)}},${JSON.stringify(hello).slice(1)}}`;

  it('is nested too deeply for a message of MCP is refused unread', async () => {
    const here = await world();
    const send = (body: string) =>
      ask(here.face, '/mcp', { authorization: `Bearer ${tokens.agent}`, ...typed }, { method: 'POST', body });
    const deepest = limits.messageLevels - 3;
    expect((await send(greeting(deepest))).status).toBe(200);
    const response = await send(greeting(deepest + 1));
    expect([response.status, await response.json()]).toMatchObject([400, { id: 7, error: { code: -32600 } }]);
    expect((await send(greeting(20_000))).status).toBe(400);
    expect(here.failures).toEqual([]);
  });

  it.each([
    [405, /POST/, { method: 'GET' }, {}],
    [406, /Accept must/, { method: 'POST', body: greeting(1) }, { accept: 'application/json' }],
    [415, /Content-Type/, { method: 'POST', body: greeting(1) }, { 'content-type': 'text/plain' }],
    [400, /MCP-Protocol-Version/, { method: 'POST', body: greeting(1) }, { 'mcp-protocol-version': '1999-01-01' }],
  ])('is no request of MCP is refused with its reason: %i', async (status, reason, init, headers) => {
    const { face } = await world();
    const sent = { authorization: `Bearer ${tokens.agent}`, ...typed, ...headers };
    const response = await ask(face, '/mcp', sent, init);
    expect([response.status, await response.json()]).toMatchObject([
      status,
      { error: { message: expect.stringMatching(reason) } },
    ]);
  });
});

describe("the merchant's app", () => {
  it('registers a shopper, and hears which field is wrong by which rule, never its value', async () => {
    const { http } = await world();
    const right = await http('POST', '/shoppers', 'app', { displayName: 'Eve Example', billTo: { country: 'GB' } });
    expect(right).toMatchObject({ status: 201, body: { shopper: expect.stringMatching(/^shopper_/), cards: [] } });
    const wrong = await http('POST', '/shoppers', 'app', { displayName: 'Eve', billTo: { country: 'Atlantis' } });
    expect(wrong).toMatchObject({
      status: 400,
      body: { error: { code: 'INVALID_ARGUMENT', field: 'billTo.country', rule: 'AP-01' } },
    });
    expect(JSON.stringify(wrong.body)).not.toContain('Atlantis');
    const misspelt = await http('POST', '/shoppers', 'app', { displayNam: 'Eve' });
    expect(misspelt).toMatchObject({ status: 400, body: { error: { rule: 'EN-01' }, faults: expect.any(Array) } });
  });

  it('posts no receipt for a purchase that nobody knows', async () => {
    const { http } = await world();
    const receipt = {
      instruction: 'instruction_none',
      transactionType: 'PURCHASE',
      transactionStatus: 'APPROVED',
      amount: '1.00',
      currency: 'GBP',
    };
    expect(await http('POST', '/receipts', 'app', receipt)).toMatchObject({
      status: 400,
      body: { error: { field: 'instruction', rule: 'EN-02' } },
    });
  });
});

/** A world where Ada's credentials were released. */
async function released() {
  const here = await world({ configuration: { tenants: { default: {}, other: {} } } });
  const agent = await connect(inProcess(here), { pin: '2026-07-28' });
  await agent.call('enroll_card', { card: 'card_ada' });
  const args = {
    card: 'card_ada',
    reference: 'order-1',
    limit: { amount: '40.00', currency: 'GBP' },
    until: await nextWeek(here),
    description: 'A cable',
  };
  const { answer } = await agent.call('initiate_purchase', args);
  await here.http('POST', `/approvals/${answer.approval?.id}`, 'person', { decision: 'approve' });
  const { instruction } = (await agent.call('initiate_purchase', args)).answer.data;
  const call = await agent.call('retrieve_credentials', { instruction, amount: '40.00', currency: 'GBP' });
  return { here, agent, instruction: String(instruction), credentials: String(call.answer.data.credentials) };
}

const nothing = {
  status: 404,
  body: { error: { code: 'NOT_FOUND', message: 'There are no credentials to redeem under this id.' } },
};

describe('released credentials', () => {
  it('are handed out once, however many ask at once, and the audit knows', async () => {
    const { here, credentials } = await released();
    const all = await Promise.all(
      Array.from({ length: 20 }, () => here.http('POST', `/credentials/${credentials}/redeem`, 'app')),
    );
    expect(all.filter(({ status }) => status === 200)).toMatchObject([
      { body: { number: expect.stringMatching(/^\d{12,19}$/), cryptogram: expect.any(String) } },
    ]);
    expect(all.find(({ status }) => status === 200)?.headers.get('cache-control')).toBe('no-store');
    for (const { status, body } of all.filter((it) => it.status !== 200)) expect({ status, body }).toEqual(nothing);
    const audit = await here.running.engine.parts.ledger.transaction('default', (tx) => tx.audit.list({ limit: 100 }));
    expect(audit.rows.filter(({ event }) => event === 'redeemed').map(({ body }) => body.credentials)).toEqual([
      credentials,
    ]);
  });

  it('are kept while the tenant is halted, and handed out when a person has looked', async () => {
    const { here, credentials } = await released();
    const { parts } = here.running.engine;
    const redeem = () => here.http('POST', `/credentials/${credentials}/redeem`, 'app');
    await freezeTenant(parts, 'default', new IntegrityError('It says what it never says.'));
    const { status, body } = await redeem();
    expect({ status, body }).toEqual({
      status: 503,
      body: { error: { code: 'INTERNAL_HALT', rule: 'EN-13', message: expect.stringContaining('an operator') } },
    });
    await unfreeze(parts, 'Looked into it.', { tenant: 'default', approver: 'ann', channel: 'cli' });
    expect((await redeem()).status).toBe(200);
  });

  it('that are unknown, used, expired, foreign or no credentials at all are the same 404', async () => {
    const { here, credentials, instruction } = await released();
    const other = createHttpFace({ engine: here.running.engine, tokens: secrets, tenant: 'other', version: '0' });
    onTestFinished(() => other.close());
    const foreign = await over('http://localhost', (request) => other.fetch(request)).http(
      'POST',
      `/credentials/${credentials}/redeem`,
      'app',
    );
    const unknown = await here.http('POST', '/credentials/credentials_nope/redeem', 'app');
    const kind = await here.http('POST', `/credentials/${instruction}/redeem`, 'app');
    await here.http('POST', '/sandbox/clock', undefined, { advance: 'PT16M' });
    const expired = await here.http('POST', `/credentials/${credentials}/redeem`, 'app');
    for (const { status, body } of [foreign, unknown, kind, expired]) expect({ status, body }).toEqual(nothing);
  });
});

describe('people', () => {
  it('see and decide approvals, once', async () => {
    const { here } = await released();
    const list = await here.http('GET', '/approvals?state=CONSUMED&limit=1', 'person');
    expect(list).toMatchObject({
      status: 200,
      body: {
        total: 1,
        items: [
          {
            state: 'CONSUMED',
            askedBy: 'agent',
            approver: 'person',
            channel: 'http',
            text: expect.stringContaining('40.00 GBP'),
          },
        ],
      },
    });
    const again = await here.http('POST', `/approvals/${list.body.items[0].approval}`, 'person', { decision: 'deny' });
    expect(again).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
    expect(await here.http('POST', '/approvals/apr_none', 'person', { decision: 'approve' })).toMatchObject({
      status: 404,
    });
  });

  it('read the same approval wherever it is shown, also as the answer to their decision', async () => {
    const { here, agent } = await released();
    const { answer } = await agent.call('initiate_purchase', {
      ...{ card: 'card_ada', reference: 'order-2', limit: { amount: '9.00', currency: 'GBP' } },
      ...{ until: await nextWeek(here), description: 'A lamp' },
    });
    const { id } = answer.approval ?? {};
    const waiting = (await here.http('GET', `/operations/${answer.operation}`, 'person')).body;
    expect(waiting).toEqual({
      ...{ operation: answer.operation, tool: 'initiate_purchase', state: 'PROPOSED', calledBy: 'agent', attempts: 0 },
      ...{ reference: 'order-2', begun: expect.any(String), changed: expect.any(String) },
      approval: (await here.http('GET', '/approvals', 'person')).body.items[0],
    });
    const decided = (await here.http('POST', `/approvals/${id}`, 'person', { decision: 'approve' })).body;
    expect(decided).toEqual({
      ...waiting.approval,
      ...{ state: 'APPROVED', decided: expect.any(String), approver: 'person', channel: 'http' },
    });
    expect((await here.http('GET', `/approvals/${id}`, 'person')).body).toEqual(decided);
    expect((await here.http('GET', `/operations/${answer.operation}`, 'person')).body.approval).toEqual(decided);
    expect(await here.http('GET', '/operations/op_none', 'person')).toMatchObject({ status: 404 });
  });

  it('see operations page by page', async () => {
    const { here } = await released();
    const first = await here.http('GET', '/operations?limit=2', 'person');
    expect(first.body).toMatchObject({
      total: 3,
      items: [{ tool: 'retrieve_credentials', state: 'SUCCEEDED' }, { tool: 'initiate_purchase' }],
      more: expect.any(String),
    });
    const second = await here.http(
      'GET',
      `/operations?limit=2&cursor=${encodeURIComponent(first.body.more)}`,
      'person',
    );
    expect(second.body).toMatchObject({ total: 3, items: [{ tool: 'enroll_card' }] });
    expect(second.body).not.toHaveProperty('more');
  });

  it.each([
    ['POST', '/approvals/apr_x', { decision: 'maybe' }, 'decision'],
    ['POST', '/approvals/apr_x', {}, 'decision'],
    ['POST', '/approvals/apr_x', { decision: 'approve', force: true }, 'request'],
    ['POST', '/approvals/apr_x', undefined, 'request'],
    ['POST', '/operations/op_x', { happened: 'yes', note: 'x' }, 'happened'],
    ['POST', '/operations/op_x', { happened: true }, 'note'],
    ['GET', '/operations?limit=0', undefined, 'limit'],
    ['GET', '/operations?limit=many', undefined, 'limit'],
    ['GET', '/operations?stat=UNKNOWN', undefined, 'request'],
    ['GET', '/approvals?cursor=nonsense', undefined, 'cursor'],
    ['GET', '/approvals?state=REQUESTD', undefined, 'state'],
    ['GET', '/approvals?state=UNKNOWN', undefined, 'state'],
    ['GET', '/operations?state=requested', undefined, 'state'],
    ['GET', '/operations?state=CONSUMED', undefined, 'state'],
  ])('hear which field is wrong: %s %s %j', async (method, path, body, field) => {
    const { http } = await world();
    expect(await http(method, path, 'person', body)).toMatchObject({
      status: 400,
      body: { error: { code: 'INVALID_ARGUMENT', field, rule: 'EN-01' } },
    });
  });

  it('settle what is unknown', async () => {
    const { here, agent, instruction } = await released();
    await here.http('POST', '/sandbox/faults', undefined, { on: 'cancelPurchase', kind: 'timeout-after-commit' });
    const lost = await agent.call('cancel_purchase', { instruction });
    expect(lost.answer.outcome).toBe('unknown');
    const note = 'paid with 4929 4212 3460 0821';
    expect(
      await here.http('POST', `/operations/${lost.answer.operation}`, 'person', { happened: true, note }),
    ).toMatchObject({ status: 400, body: { error: { code: 'INVALID_ARGUMENT', field: 'note', rule: 'EN-05' } } });
    const settled = await here.http('POST', `/operations/${lost.answer.operation}`, 'person', {
      happened: true,
      note: 'seen in the back office',
    });
    expect(settled).toMatchObject({ status: 200, body: { tool: 'cancel_purchase', state: 'RESOLVED' } });
    expect((await here.http('GET', `/operations/${lost.answer.operation}`, 'person')).body).toEqual(settled.body);
    expect((await agent.call('get_purchase', { instruction })).answer.data.state).toBe('CANCELLED');
    expect(await here.http('POST', '/operations/op_none', 'person', { happened: true, note: 'x' })).toMatchObject({
      status: 404,
    });
  });
});

describe('a port', () => {
  it('that is taken is told in one sentence', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as { port: number }; // it listens on a port
    const { face } = await world();
    await expect(listen(face, { port })).rejects.toThrow(
      `Purser can't listen: 127.0.0.1:${port} is already in use; choose another port or stop the program that uses it.`,
    );
  });

  it('is open to this machine alone where nothing is said', async () => {
    const server = createServer();
    onTestFinished(() => void server.close());
    await open(server, 'Purser', { port: 0 });
    expect(server.address()).toMatchObject({ address: '127.0.0.1' });
  });

  it('serves health over the wire and closes', async () => {
    const { face } = await world();
    const served = await listen(face, { port: 0 });
    expect(await (await fetch(`${served.url}/healthz`)).json()).toMatchObject({ status: 'ok' });
    await served.close();
    await expect(fetch(`${served.url}/healthz`)).rejects.toThrow();
  });

  it('that closes sends an answer that is not written yet', async () => {
    const { face } = await world();
    const [arrived, written] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const later: HttpFace = {
      ...face,
      fetch: async (...given) => {
        arrived.resolve();
        await written.promise;
        return face.fetch(...given);
      },
      idle: async () => {
        await face.idle();
        void turns().then(written.resolve);
      },
    };
    // Turns that pass between the end of a call and its answer on the wire.
    const turns = async (): Promise<void> => {
      for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    };
    const served = await listen(later, { port: 0 });
    const answer = fetch(`${served.url}/healthz`);
    await arrived.promise;
    await Promise.all([served.close(), expect(answer).resolves.toMatchObject({ status: 200 })]);
  });

  it.each(['2025-11-25', '2026-07-28'])(
    'that closes still sends the answer of a call that was under way, to a client of %s',
    async (revision) => {
      const [sent, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const platform: Replacements['platform'] = (real) => async (request) => {
        sent.resolve();
        await answered.promise;
        return real(request);
      };
      const { face } = await world({ replace: { platform } });
      const served = await listen(face, { port: 0 });
      const wire = async ({ headers, body }: Request) =>
        fetch(`${served.url}/mcp`, { method: 'POST', headers, body: await new Response(body).text() });
      const there = { face: { ...face, fetch: wire } };
      const card = { card: 'card_ada' };
      const call =
        revision === '2026-07-28'
          ? call2026(there, 'enroll_card', card)
          : call2025(there, 'enroll_card', JSON.stringify(card));
      await sent.promise;
      const closed = served.close();
      answered.resolve();
      expect(await call).toMatchObject({ status: 200, result: { structuredContent: { outcome: 'done' } } });
      await closed;
    },
  );
});

it('keeps the sandbox control away where there is none', async () => {
  const { running } = await world();
  const face = createHttpFace({ engine: running.engine, tokens: secrets, tenant: 'default', version: '0' });
  onTestFinished(() => face.close());
  expect((await ask(face, '/sandbox/clock')).status).toBe(404);
});

it('lets callers of other machines not reach the sandbox control', async () => {
  const { face } = await world();
  const from = (remoteAddress: string, path = '/sandbox/clock') =>
    face.fetch(new Request(`http://localhost${path}`), { incoming: { socket: { remoteAddress } } as never });
  expect((await from('127.0.0.1')).status).toBe(200);
  expect((await from('::ffff:127.0.0.1')).status).toBe(200);
  expect((await from('192.0.2.7')).status).toBe(404);
  expect((await from('::ffff:192.0.2.7')).status).toBe(404);
  // The sandbox knows no such link, and says so in its own words; who is far away does not even get these.
  const told = async (address: string) => (await from(address, '/pay/nobody')).json();
  expect(await told('127.0.0.1')).toEqual({ error: { message: 'This link leads to nothing.' } });
  expect(await told('192.0.2.7')).not.toEqual(await told('127.0.0.1'));
});
