import { PassThrough } from 'node:stream';
import { limits } from '../../../src/core/limits.ts';
import { createStdioWire } from '../../../src/mcp/stdio-transport.ts';
import { each, type Lines, type Mechanisms } from './lines.ts';

// What comes of the lines that a client writes to a server over stdio.

const request = (id: unknown, method = 'tools/list'): string => JSON.stringify({ jsonrpc: '2.0', id, method });
const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const long = (more: number): string => {
  const around = JSON.stringify({ jsonrpc: '2.0', id: 'long', method: 'x', params: { a: '' } });
  return around.replace('"a":""', `"a":"${'x'.repeat(limits.requestBytes - around.length + more)}"`);
};

const lines: readonly (readonly [what: string, ...lines: readonly string[]])[] = [
  ['a request', request(1)],
  ['a request whose id is a word', request('one')],
  ['two requests', request(1), request(2)],
  ['two requests of one id', request(1), request(1)],
  ['a request of no id', request(null)],
  ['a notification', '{"jsonrpc":"2.0","method":"notifications/initialized"}'],
  ['a cancellation', request(1), '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}'],
  ['an answer', '{"jsonrpc":"2.0","id":7,"result":{}}'],
  ['an error', '{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"No."}}'],
  ['an empty line', ''],
  ['a line of blanks', ' \t '],
  ['a request with blanks around it', `  ${request(1)}\t`],
  ['a request of two ids', '{"jsonrpc":"2.0","id":1,"id":2,"method":"x"}'],
  ['a notification of two methods', '{"jsonrpc":"2.0","method":"x","method":"notifications/initialized"}'],
  ['an answer of two results', '{"jsonrpc":"2.0","id":7,"result":{},"result":{"action":"accept"}}'],
  ['an answer of one id and two figures', '{"jsonrpc":"2.0","id":7,"result":{"a":1,"a":2}}'],
  ['an error of two codes', '{"jsonrpc":"2.0","id":7,"error":{"code":1,"code":2,"message":"No."}}'],
  ['an error of no id and two codes', '{"jsonrpc":"2.0","error":{"code":1,"code":2,"message":"No."}}'],
  ['no JSON', 'hello'],
  ['half a request', '{"jsonrpc":"2.0","id":3,"method":'],
  ['JSON of another kind', '{"id":4}'],
  ['another version', '{"jsonrpc":"1.0","id":5,"method":"x"}'],
  ['a batch', `[${request(1)},${request(2)}]`],
  ['an empty batch', '[]'],
  ['an end of line as Windows has it', `${request(1)}\r`],
  ['as long as a line may be', long(0)],
  ['a byte longer', long(1)],
  [
    'as deep as a message may be',
    `{"jsonrpc":"2.0","id":8,"method":"x","params":{"a":${nested(limits.messageLevels - 2)}}}`,
  ],
  ['a level deeper', `{"jsonrpc":"2.0","id":9,"method":"x","params":{"a":${nested(limits.messageLevels - 1)}}}`],
  ['a refused line, and a request', 'hello', request(1)],
];

/** Lets everything that was written come through. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
};

/** Without quotation marks and what is only long. */
const short = (text: string): string =>
  text
    .trim()
    .replaceAll('"', '')
    .replace(/x{20,}/g, (run) => `${run.length} x`)
    .replace(/\[{9,}\]{9,}/g, 'levels');

/** What reaches the server, and what the client hears at once. */
async function heardOf(chunks: readonly (string | Buffer)[]): Promise<unknown> {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const wire = createStdioWire({ stdin, stdout });
  const reached: string[] = [];
  wire.onmessage = (message) => void reached.push(short(JSON.stringify(message)));
  wire.onclose = () => void reached.push('closed');
  wire.onerror = (error) => void reached.push(error.name);
  await wire.start();
  for (const chunk of chunks) stdin.write(chunk);
  await settled();
  const heard = String(stdout.read() ?? 'nothing');
  stdin.end();
  await settled();
  await wire.close();
  return [reached, short(heard), ...(stdin.listenerCount('data') === 0 ? [] : ['goes on reading'])];
}

/** More requests than a connection takes at once, and what reaches the server once one is answered. */
async function crowded(): Promise<readonly (readonly [string, unknown])[]> {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const wire = createStdioWire({ stdin, stdout });
  let reached = 0;
  wire.onmessage = () => (reached += 1);
  await wire.start();
  const found: [string, unknown][] = [];
  const note = async (what: string) => {
    await settled();
    found.push([what, reached]);
  };
  for (let id = 0; id < 2 * limits.connectionRequests; id += 1) stdin.write(`${request(id)}\n`);
  await note(`${2 * limits.connectionRequests} requests`);
  await wire.send({ jsonrpc: '2.0', id: 0, result: {} });
  await note('after an answer');
  await wire.send({ jsonrpc: '2.0', id: 0, result: {} });
  await note('after the same answer');
  await wire.send({ jsonrpc: '2.0', id: 'ours', method: 'elicitation/create', params: {} }, { relatedRequestId: 1 });
  await note('after a question to the client');
  for (let id = 1; id < limits.connectionRequests; id += 1) await wire.send({ jsonrpc: '2.0', id, result: {} });
  await note('after an answer to each of the first');
  stdin.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":40}}\n');
  await note('after a cancellation that waits in line');
  await wire.close();
  const late = await wire.send({ jsonrpc: '2.0', id: 1, result: {} }).then(
    () => 'sent',
    (error: Error) => error.message,
  );
  return [...found, ['an answer once it is closed', late]];
}

/** What a client still gets once it has closed stdin, and what comes of questions that nobody can answer then. */
async function ended(): Promise<Lines> {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const wire = createStdioWire({ stdin, stdout }, 86_400_000); // however slowly this runs
  const reached: string[] = [];
  const lines: [string, unknown][] = [];
  wire.onmessage = (message) => void reached.push(short(JSON.stringify(message)));
  wire.onclose = () => void reached.push('closed');
  const note = async (what: string): Promise<void> => {
    await settled();
    lines.push([what, [...reached.splice(0), short(String(stdout.read() ?? 'nothing is written'))]]);
  };
  const asks = { jsonrpc: '2.0', method: 'elicitation/create', params: {} } as const;
  await wire.start();
  stdin.write(`${request(1)}\n${request(2)}\n`);
  await wire.send({ ...asks, id: 'before' });
  await note('two requests, and a question to the client');
  stdin.end(request(3));
  await note('stdin ends within a third request');
  await wire.send({ ...asks, id: 'after' });
  await note('another question');
  for (const id of [1, 2]) {
    await wire.send({ jsonrpc: '2.0', id, result: {} });
    await note(`an answer to request ${id}`);
  }
  await wire.close();
  return lines;
}

type Wire = ReturnType<typeof createStdioWire>;
const note = (method: string, params: object): string => `${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`;
const cancelled = (requestId: unknown): string => note('notifications/cancelled', { requestId });

/** What makes room for another request on a connection that has as many as it takes. */
const making: readonly (readonly [what: string, make: (wire: Wire) => Promise<unknown>])[] = [
  ['nothing', async () => undefined],
  ['an answer', (wire) => wire.send({ jsonrpc: '2.0', id: 0, result: {} })],
  ['an error', (wire) => wire.send({ jsonrpc: '2.0', id: 0, error: { code: 1, message: 'No.' } })],
  ['an answer to none', (wire) => wire.send({ jsonrpc: '2.0', id: 'none', result: {} })],
  [
    'a question to the client',
    (wire) => wire.send({ jsonrpc: '2.0', id: 'ours', method: 'elicitation/create' }, { relatedRequestId: 0 }),
  ],
  [
    'a question about no request under way',
    (wire) => wire.send({ jsonrpc: '2.0', id: 'ours', method: 'elicitation/create' }, { relatedRequestId: 'none' }),
  ],
  [
    'a question that is taken back',
    async (wire) => {
      await wire.send({ jsonrpc: '2.0', id: 'ours', method: 'elicitation/create' }, { relatedRequestId: 0 });
      const requestId = 'ours';
      await wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
    },
  ],
  ['a note to the client', (wire) => wire.send({ jsonrpc: '2.0', method: 'notifications/progress', params: {} })],
];

/** How many requests have reached the server before and after it, of two more than a connection takes. */
async function roomAfter(make: (typeof making)[number][1]): Promise<unknown> {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const wire = createStdioWire({ stdin, stdout });
  let reached = 0;
  wire.onmessage = (message) => (reached += 'id' in message && 'method' in message ? 1 : 0);
  await wire.start();
  for (let id = 0; id < limits.connectionRequests; id += 1) stdin.write(`${request(id)}\n`);
  await settled();
  for (const id of ['one more', 'and one']) stdin.write(`${request(id)}\n`);
  await settled();
  const before = reached;
  await make(wire);
  await settled();
  await wire.close();
  return [before, reached];
}

/** Cancellations that come in time: each makes room for another request, if it is of one under way. */
async function cancelling(): Promise<readonly (readonly [string, unknown])[]> {
  const lines: [string, unknown][] = [];
  for (const ids of [[], [0], [0, 1], [0, 0], ['0'], [99], [null], [{}]]) {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const wire = createStdioWire({ stdin, stdout });
    let reached = 0;
    wire.onmessage = (message) => (reached += 'id' in message ? 1 : 0);
    await wire.start();
    for (let id = 0; id < limits.connectionRequests - 1; id += 1) stdin.write(`${request(id)}\n`);
    for (const id of ids) stdin.write(cancelled(id));
    for (let id = 100; id < 110; id += 1) stdin.write(`${request(id)}\n`);
    await settled();
    lines.push([`of ${JSON.stringify(ids)}`, reached]);
    await wire.close();
  }
  return lines;
}

export const stdioMechanisms: Mechanisms = {
  'lines over stdio': () =>
    each(lines, async ([what, ...all]) => [what, await heardOf(all.map((line) => `${line}\n`))]),
  'lines over stdio, in pieces': () =>
    each(
      lines.filter(([, ...all]) => all.join('').length < 200),
      async ([what, ...all]) => {
        const bytes = [...`${all.join('\n')}\n`];
        const [whole, pieces] = [await heardOf([bytes.join('')]), await heardOf(bytes)];
        return [what, JSON.stringify(whole) === JSON.stringify(pieces) ? 'the same' : pieces];
      },
    ),
  'bytes over stdio that are no UTF-8': () =>
    each([[0xff], [0xc3], [0xe2, 0x82], [0xc3, 0xa9]], async (bytes) => {
      const [begins, ends] = ['{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"', '"}}\n'];
      return [
        bytes.join(' '),
        await heardOf([Buffer.concat([Buffer.from(begins), Buffer.from(bytes), Buffer.from(ends)])]),
      ];
    }),
  'more requests over stdio than are taken at once': crowded,
  'what follows the end of stdin': ended,
  'what makes room for a request over stdio': () => each(making, async ([what, make]) => [what, await roomAfter(make)]),
  'cancellations over stdio, and how many requests are taken with them': cancelling,
};
