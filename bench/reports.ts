import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createClient } from '../src/client/client.ts';
import { createHttpPlatform } from '../src/client/platform.ts';
import type { FileAnswer } from '../src/core/file-answer.ts';
import { type FileTerms, writers } from '../src/domains/reporting/sandbox/files.ts';
import type { ReportRecord } from '../src/domains/reporting/sandbox/record.ts';
import { createFileStore } from '../src/files/store.ts';
import { clock, patience, signer } from '../test/client/support.ts';

// A report of many rows on its way: from the platform, which writes it while it sends it, to the disk, with its rows and sums, and
// from there to the merchant's app. npm run bench:reports [-- --rows 10000,1000000]. Memory should stay flat.

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '10000,100000,1000000' }, serve: { type: 'string' } },
});
if (values.serve === undefined) await measureAll(values.rows.split(',').map(Number));
else await serve(Number(values.serve));

/** The platform, in a process of its own: a CSV report of so many rows, made while it is sent. */
async function serve(rows: number): Promise<void> {
  const terms: FileTerms = {
    ...{ name: 'January', definition: 'PaymentBatchDetailClass', merchantId: 'merchant', zone: 'Europe/London' },
    ...{ from: Date.UTC(2026, 0), to: Date.UTC(2026, 1), convention: 'SOAPI', signed: true },
    fields: ['Request.RequestID', 'Request.TransactionDate', 'PaymentData.Amount', 'PaymentData.CurrencyCode'],
  };
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/csv', date: new Date().toUTCString() });
    void pipeline(Readable.from(pieces(writers['text/csv'](terms, records(rows)))), response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send?.((server.address() as AddressInfo).port); // it listens on a port
}

function* records(rows: number): Iterable<ReportRecord> {
  const step = (28 * 86_400_000) / rows;
  for (let at = 0; at < rows; at += 1)
    yield {
      ...{ id: `request-${String(at).padStart(9, '0')}`, at: Date.UTC(2026, 0) + at * step, isRefund: at % 10 === 0 },
      fields: {
        'Request.RequestID': `request-${String(at).padStart(9, '0')}`,
        'PaymentData.Amount': `${1 + (at % 400)}.${String(at % 100).padStart(2, '0')}`,
        'PaymentData.CurrencyCode': at % 3 === 0 ? 'EUR' : 'USD',
      },
    };
}

/** Lines in pieces of 64 KiB. */
function* pieces(lines: Iterable<string>): Iterable<string> {
  let piece = '';
  for (const line of lines) {
    piece += line;
    if (piece.length < 65_536) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

interface Measured {
  readonly seconds: number;
  /** The most memory beyond that before, in MB. */
  readonly megabytes: number;
}

/** How long work takes, and how much memory it takes at its peak. */
async function measure(work: () => Promise<unknown>): Promise<Measured> {
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let most = before;
  const look = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 20);
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1_000;
  clearInterval(look);
  return { seconds, megabytes: (Math.max(most, process.memoryUsage().rss) - before) / 1e6 };
}

async function measureAll(sizes: readonly number[]): Promise<void> {
  const table: object[] = [];
  for (const rows of sizes) table.push(await measureOne(rows));
  console.table(table);
}

async function measureOne(rows: number): Promise<object> {
  const folder = mkdtempSync(join(tmpdir(), 'purser-reports-'));
  const platform = fork(fileURLToPath(import.meta.url), ['--serve', String(rows)]);
  try {
    const [port] = (await once(platform, 'message')) as [number];
    const baseUrl = `http://127.0.0.1:${port}`;
    const http = createHttpPlatform({ baseUrl, timeouts: patience });
    const client = createClient({ platform: http, baseUrl, signer, agentPrefix: '/acp', clock, version: '0.0.0' });
    const store = createFileStore({ folder, clock: { now: () => Date.now() } });
    const name = `file_${'a'.repeat(13)}`;
    let answer: FileAnswer | undefined;
    const download = await measure(async () => {
      const query = { reportName: 'January', reportDate: '2026-02-01' };
      const { body } = await client.downloadReport({ query }, { receiving: { openFile: () => store.create(name) } });
      answer = body;
    });
    if (answer?.rows !== rows) throw new Error(`${answer?.rows} rows arrived instead of ${rows}.`);
    const handOver = await measure(() => sent(store.stream(name, store.size(name) ?? 0)));
    const alone = await measure(async () => {
      for await (const _ of createReadStream(join(folder, name)));
    });
    await http.close();
    const perSecond = ({ seconds }: Measured): number => Math.round(rows / seconds);
    return {
      ...{ rows, megabytes: Math.round(answer.bytes / 1e6), sums: answer.sums?.length ?? 0 },
      ...{ 'to disk: rows/s': perSecond(download), 'to disk: peak MB': Math.round(download.megabytes) },
      ...{ 'to client: rows/s': perSecond(handOver), 'to client: peak MB': Math.round(handOver.megabytes) },
      ...{ 'node:fs alone: rows/s': perSecond(alone), 'node:fs alone: peak MB': Math.round(alone.megabytes) },
    };
  } finally {
    platform.kill();
    rmSync(folder, { recursive: true });
  }
}

/** Sends a file over a loopback connection, to somebody who reads all of it. */
async function sent(body: ReadableStream<Uint8Array>): Promise<void> {
  const server = createServer((_, response) => {
    // Node's web stream is the one that its Response has; the two libraries of types name it twice.
    void pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { body: read } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`); // it listens on a port
  for await (const _ of read ?? []);
  server.close();
}
