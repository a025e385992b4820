import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { createStdioWire } from '../../src/mcp/stdio-transport.ts';

// A client over stdio that does not read what it is answered.

const line = (it: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...it })}\n`;

it('keeps a bounded number of bytes where a client sends 100,000 requests and reads no answer', async () => {
  const stdin = new PassThrough();
  const stdout = new PassThrough({ highWaterMark: 65_536 });
  const wire = createStdioWire({ stdin, stdout });
  let begun = 0;
  const answer = { text: 'x'.repeat(100_000) };
  wire.onmessage = (message) => {
    if ('id' in message && message.id !== undefined) {
      begun++;
      const { id } = message;
      setImmediate(() => void wire.send({ jsonrpc: '2.0', id, result: answer }));
    }
  };
  await wire.start();
  let written = 0;
  for (let turn = 0; turn < 200; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toBeLessThanOrEqual(limits.connectionRequests + 1);
    while (written < 100_000 && begun <= limits.connectionRequests + 1 && !stdin.writableNeedDrain) {
      stdin.write(line({ id: written, method: 'tools/list' }));
      written++;
    }
  }
  const held = stdout.writableLength + stdout.readableLength + stdin.readableLength;
  console.log(
    `stdio: of ${written} requests that could be written, ${begun} were begun; ${held} bytes are held; ${Math.round(process.memoryUsage().rss / 1_048_576)} MB resident.`,
  );
  expect(begun).toBeLessThanOrEqual(limits.connectionRequests + 1);
  expect(held).toBeLessThan((limits.connectionRequests + 2) * 100_100 + 400_000);
  stdout.resume(); // and who reads is served to the end
  for (let turn = 0; turn < 20_000 && begun < written; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(begun).toBe(written);
});

it('has no more requests in progress after questions that were taken back', async () => {
  const stdin = new PassThrough();
  const wire = createStdioWire({ stdin, stdout: new PassThrough() });
  let begun = 0;
  wire.onmessage = () => void begun++;
  await wire.start();
  for (let id = 0; id < 100; id++) {
    await wire.send({ jsonrpc: '2.0', id, method: 'elicitation/create', params: {} });
    await wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
  }
  for (let id = 0; id < 100; id++) stdin.write(line({ id, method: 'tools/list' }));
  for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(begun).toBe(limits.connectionRequests);
});
