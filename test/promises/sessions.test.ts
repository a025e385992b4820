import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { channels } from '../../src/engine/approval-channels.ts';
import { onPort } from '../faces/agents.ts';
import { nextWeek, tokens, type World, world } from '../faces/support.ts';

// Clients of the 2025 revisions over HTTP, over real sockets: within a session a question reaches their user.

const authorization = `Bearer ${tokens.agent}`;
const withForms = { configuration: { channels } };
type Elicited = { readonly mode?: string; readonly url?: string; readonly message: string };

/** A client of the former SDK, whose user says yes to a form and opens a page. */
async function joined(url: URL, elicitation: Record<string, object> | undefined, token = authorization) {
  const heard: Elicited[] = [];
  const client = new Client({ name: 'test', version: '0' }, { capabilities: elicitation ? { elicitation } : {} });
  if (elicitation !== undefined)
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      heard.push(params as Elicited);
      return { action: 'accept', ...('url' in params ? {} : { content: { approve: true } }) };
    });
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: token } } });
  // The library's types differ from its own interface in how they write an absent session id.
  await client.connect(transport as Parameters<Client['connect']>[0]);
  onTestFinished(() => client.close());
  const call = async (name: string, args: object) =>
    // biome-ignore lint/suspicious/noExplicitAny: answers are compared whole, not typed
    (await client.callTool({ name, arguments: { ...args } })).structuredContent as any;
  return { client, transport, heard, call, id: String(transport.sessionId) };
}

const order = async (here: World) => ({
  ...{ card: 'card_ada', reference: 'order-1', limit: { amount: '40.00', currency: 'GBP' }, description: 'A cable' },
  until: await nextWeek(here),
});

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
const hello = JSON.stringify({
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
});

/** One request by hand; answers its status, and ends its stream. */
async function asked(url: URL, method: string, id: string | undefined, body?: string, token = authorization) {
  const headers = { ...json, authorization: token, ...(id === undefined ? {} : { 'mcp-session-id': id }) };
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });
  await response.body?.cancel();
  return response;
}

describe('within a session', () => {
  it('a form reaches the user, and the same call goes on', async () => {
    const here = await world(withForms);
    const { call, heard } = await joined(await onPort(here), { form: {} });
    await call('enroll_card', { card: 'card_ada' });
    expect(await call('initiate_purchase', await order(here))).toMatchObject({ outcome: 'done' });
    expect(heard).toMatchObject([{ message: expect.stringContaining('40.00 GBP') }]);
  });

  it('a second request with the id of one under way is refused, and the first gets its own answer', async () => {
    const here = await world(withForms);
    const url = await onPort(here);
    const { client, call, id } = await joined(url, { form: {} });
    const refused: number[] = [];
    client.setRequestHandler(ElicitRequestSchema, async () => {
      for (let of = 0; of < 9; of++) {
        const { status } = await asked(url, 'POST', id, list.replace('"id":1', `"id":${of}`));
        if (status !== 200) refused.push(status);
      }
      return { action: 'accept', content: { approve: true } };
    });
    await call('enroll_card', { card: 'card_ada' });
    expect(await call('initiate_purchase', await order(here))).toMatchObject({ outcome: 'done' });
    expect(refused).toEqual([400]);
    expect(await call('list_operations', {})).toMatchObject({ outcome: 'done' });
  });

  it('no form is shown where the operator does not count one', async () => {
    const here = await world();
    const { call, heard } = await joined(await onPort(here), { form: {} });
    await call('enroll_card', { card: 'card_ada' });
    expect(await call('initiate_purchase', await order(here))).toMatchObject({ outcome: 'needs_approval' });
    expect(heard).toEqual([]);
  });

  it('a client that opens pages gets the address of one, and only the page decides', async () => {
    const here = await world();
    const url = await onPort(here);
    const { call, heard } = await joined(url, { url: {} });
    await call('enroll_card', { card: 'card_ada' });
    const args = await order(here);
    const { outcome, approval } = await call('initiate_purchase', args);
    expect(outcome).toBe('needs_approval');
    expect(heard).toMatchObject([{ mode: 'url', url: new URL(`/approve/${approval.id}`, url).href }]);
    await here.http('POST', `/approve/${approval.id}`, 'person', { decision: 'approve' });
    expect(await call('initiate_purchase', args)).toMatchObject({ outcome: 'done' });
  });

  it('GET opens a stream, one for each session, and DELETE ends it', async () => {
    const url = await onPort(await world());
    const { transport, id } = await joined(url, undefined);
    expect((await asked(url, 'POST', id, list)).status).toBe(200);
    const second = await asked(url, 'GET', id); // the client has opened the first
    expect([200, 409]).toContain(second.status);
    await transport.terminateSession();
    for (const method of ['POST', 'GET', 'DELETE'])
      expect((await asked(url, method, id, method === 'POST' ? list : undefined)).status).toBe(404);
  });

  it('a stream brings what the server sends', async () => {
    const url = await onPort(await world());
    const begun = await asked(url, 'POST', undefined, hello);
    const id = String(begun.headers.get('mcp-session-id'));
    const headers = { ...json, authorization, 'mcp-session-id': id };
    const stream = await fetch(url, { headers });
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    await stream.body?.cancel();
  });
});

describe('an id of a session', () => {
  it('opens nothing by itself: not without a token, nor with one of another role', async () => {
    const url = await onPort(await world());
    const { id } = await joined(url, undefined);
    for (const token of ['', 'Bearer wrong', `Bearer ${tokens.app}`, `Bearer ${tokens.person}`])
      expect((await asked(url, 'POST', id, list, token)).status).toBe(401);
  });

  it('is worth nothing at another service, nor at a path with other tools', async () => {
    const [url, other] = [await onPort(await world()), await onPort(await world())];
    const { id } = await joined(new URL('/mcp/readonly', url), undefined);
    expect((await asked(new URL('/mcp/readonly', url), 'POST', id, list)).status).toBe(200);
    expect((await asked(url, 'POST', id, list)).status).toBe(404);
    expect((await asked(new URL('/mcp/readonly', other), 'POST', id, list)).status).toBe(404);
  });

  it.each(['', 'session_unknown', '../../mcp', '4111111111111111'])('that never was gets 404: "%s"', async (id) => {
    const url = await onPort(await world());
    const response = await fetch(url, {
      ...{ method: 'POST', body: list },
      headers: { ...json, authorization, 'mcp-session-id': id },
    });
    expect([response.status, await response.json()]).toMatchObject([404, { error: { code: -32001 }, id: null }]);
  });

  it('expires when nobody has used it for half an hour, and not while a stream is open', async () => {
    let now = 0;
    const url = await onPort(await world({ face: { clock: { now: () => now } } }));
    const idle = String((await asked(url, 'POST', undefined, hello)).headers.get('mcp-session-id'));
    now += 29 * 60_000;
    expect((await asked(url, 'POST', idle, list)).status).toBe(200);
    const open = String((await asked(url, 'POST', undefined, hello)).headers.get('mcp-session-id'));
    const stream = await fetch(url, { headers: { ...json, authorization, 'mcp-session-id': open } });
    now += 30 * 60_000;
    expect((await asked(url, 'POST', idle, list)).status).toBe(404);
    expect((await asked(url, 'POST', open, list)).status).toBe(200);
    await stream.body?.cancel();
  });
});

it('there is a bounded number of sessions: the one idle longest ends for another', async () => {
  let now = 0;
  const url = await onPort(await world({ face: { clock: { now: () => now++ } } }));
  const ids: string[] = [];
  for (let count = 0; count < 65; count++)
    ids.push(String((await asked(url, 'POST', undefined, hello)).headers.get('mcp-session-id')));
  expect(new Set(ids).size).toBe(65);
  const statuses = [];
  for (const id of [ids[0], ids[1], ids[64]]) statuses.push((await asked(url, 'POST', id, list)).status);
  expect(statuses).toEqual([404, 200, 200]);
});

it('without a session, requests are served as before', async () => {
  const url = await onPort(await world());
  expect((await asked(url, 'POST', undefined, list)).status).toBe(200);
});
