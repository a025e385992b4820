import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { createStdioWire } from '../../src/mcp/stdio-transport.ts';

// Lines of several messages, and lines that no message is: what comes through the wire, and what is said to the client.

/** A wire on whose revision client and server have agreed. */
async function agreed(protocolVersion: string) {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const wire = createStdioWire({ stdin, stdout });
  const heard: JSONRPCMessage[] = [];
  wire.onmessage = (message) => void heard.push(message);
  await wire.start();
  const told = (): unknown[] => {
    const lines = String(stdout.read() ?? '').split('\n');
    return lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  };
  const say = async (line: string) => {
    stdin.write(`${line}\n`);
    for (let left = 5; left > 0; left--) await turn();
  };
  await say('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}');
  await wire.send({ jsonrpc: '2.0', id: 0, result: { protocolVersion } });
  told();
  heard.length = 0;
  return { wire, heard, told, say, stdin };
}
const ping = (id: number) => ({ jsonrpc: '2.0' as const, id, method: 'ping' });
const note = { jsonrpc: '2.0' as const, method: 'notifications/initialized' };
const invalid = (id: number | null) => ({ id, error: { code: -32_600 } });

describe('a batch', () => {
  it('is taken where its revision is agreed on, one message after the other', async () => {
    const { heard, told, say } = await agreed('2025-03-26');
    await say(JSON.stringify([ping(1), note, ping(2)]));
    await say(JSON.stringify([note]));
    expect([heard, told()]).toEqual([[ping(1), note, ping(2), note], []]);
  });

  it.each(['2024-11-05', '2025-06-18', '2025-11-25'])('is refused as a whole under %s', async (revision) => {
    const { heard, told, say } = await agreed(revision);
    await say(JSON.stringify([ping(1), note]));
    expect(heard).toEqual([]);
    expect(told()).toMatchObject([invalid(null)]);
  });

  it('that is empty is none, and each of its messages is looked at as if it came alone', async () => {
    const { heard, told, say } = await agreed('2025-03-26');
    await say('[]');
    await say(JSON.stringify([ping(1), 7, null, [ping(2)], { ...ping(3), method: 3 }, ping(1), ping(4)]));
    expect(heard).toEqual([ping(1), ping(4)]);
    expect(told()).toMatchObject([null, null, null, null, 3, null].map(invalid));
  });

  it('of as many messages as it may have is refused one by one', async () => {
    const { heard, told, say } = await agreed('2025-03-26');
    await say(`[${'1,'.repeat(limits.batchMessages - 1)}1]`);
    // As many as the client hasn't read yet; then it is waited for.
    const first = told();
    expect(first.length).toBeGreaterThan(100);
    expect(first).toMatchObject(first.map(() => invalid(null)));
    expect(heard).toEqual([]);
  });

  it.each([
    ['one more', (): number => limits.batchMessages],
    ['as many as a line has room for', () => Math.floor((limits.requestBytes - '[1]'.length) / '1,'.length)],
  ])('of more, %s, is refused once, as a whole', async (_, others) => {
    const { heard, told, say } = await agreed('2025-03-26');
    await say(`[${'1,'.repeat(others())}1]`);
    expect(told()).toMatchObject([invalid(null)]);
    expect(heard).toEqual([]);
  });

  it('is taken but for the message that has a property twice', async () => {
    const { heard, told, say } = await agreed('2025-03-26');
    const params = { '],{"': ['"', { deep: [[]] }, '\\'], id: 7, méthode: ' ' };
    const others = [{ ...ping(2), params }, ping(3)] as const;
    const twice = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"ping","params":{"a":[1,{"b":1,"b":2}]}}`;
    await say(` [ ${twice(1)} , ${JSON.stringify(others[0])},${twice(4)},\t${JSON.stringify(others[1])} ]`);
    expect(heard).toEqual(others);
    expect(told()).toMatchObject([1, 4].map(invalid));
  });

  it('has no more in progress at once than messages that come alone', async () => {
    const { wire, heard, say } = await agreed('2025-03-26');
    const most = limits.connectionRequests;
    await say(JSON.stringify(Array.from({ length: most + 2 }, (_, at) => ping(at + 1))));
    await say(JSON.stringify(ping(most + 3)));
    expect(heard).toHaveLength(most);
    for (const id of [1, 2, 3]) await wire.send({ jsonrpc: '2.0', id, result: {} });
    for (let left = 5; left > 0; left--) await turn();
    expect(heard.slice(most)).toEqual([ping(most + 1), ping(most + 2), ping(most + 3)]);
  });
});

describe('an answer to a question that no answer is', () => {
  it.each([
    ['has a list for its result', '{"jsonrpc":"2.0","id":7,"result":[]}'],
    [
      'has a result and an error',
      '{"jsonrpc":"2.0","id":7,"result":{"action":"accept"},"error":{"code":1,"message":"x"}}',
    ],
    ['has neither', '{"jsonrpc":"2.0","id":7}'],
    ['is cut off', '{"jsonrpc":"2.0","id":7,"result":{"action":'],
    ['is too long', `{"jsonrpc":"2.0","id":7,"result":{"action":"${'x'.repeat(limits.requestBytes)}"}}`],
  ])('ends the question at once where it %s', async (_, line) => {
    const { wire, heard, told, say } = await agreed('2025-11-25');
    await wire.send({ jsonrpc: '2.0', id: 7, method: 'elicitation/create', params: {} });
    told();
    await say(line);
    expect([heard, told()]).toMatchObject([[{ id: 7, error: { code: expect.any(Number) } }], []]);
    await say(line);
    expect([heard.length, told()]).toMatchObject([1, [{ id: 7, error: { code: expect.any(Number) } }]]);
  });

  it('ends it within a batch, too', async () => {
    const { wire, heard, say } = await agreed('2025-03-26');
    await wire.send({ jsonrpc: '2.0', id: 7, method: 'elicitation/create', params: {} });
    await say('[{"jsonrpc":"2.0","id":7,"result":[]}]');
    expect(heard).toMatchObject([{ id: 7, error: { code: -32_600 } }]);
  });

  it.each([
    ['{"jsonrpc":"2.0","id":"0","result":{"action":"accept"}}', { id: '0', result: { action: 'accept' } }],
    ['{"jsonrpc":"2.0","id":"0","result":[]}', { id: 0, error: { code: -32_600 } }],
  ])('ends it once where its id comes back as text: %s', async (line, ended) => {
    const { wire, heard, told, say, stdin } = await agreed('2025-11-25');
    await wire.send({ jsonrpc: '2.0', id: 0, method: 'elicitation/create', params: {} });
    told();
    await say(line);
    expect([heard, told()]).toMatchObject([[ended], []]);
    stdin.end();
    for (let left = 5; left > 0; left--) await turn();
    expect(heard).toHaveLength(1);
  });

  it('is not a faulty request of the client under the same id', async () => {
    const { wire, heard, told, say } = await agreed('2025-11-25');
    await wire.send({ jsonrpc: '2.0', id: 7, method: 'elicitation/create', params: {} });
    told();
    await say('{"jsonrpc":"2.0","id":7,"method":"ping","params":3}');
    expect([heard, told()]).toMatchObject([[], [invalid(7)]]);
  });
});
