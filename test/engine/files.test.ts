import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { boundaryOf, pagesOf } from '../../src/engine/file-pages.ts';
import { deleteExpiredFiles } from '../../src/engine/files.ts';
import { isTainted } from '../../src/engine/taint.ts';
import { createFileStore, type StoreOptions } from '../../src/files/store.ts';
import type { SentFile } from '../../src/sandbox/wire.ts';
import { csvOf, figuresOf, withStatements } from '../support/statements.ts';
import { agent, shop } from './shop.ts';

// Answers that are files: from a sandbox over HTTP into the file store, and out of it in pages or as a whole.

const megabyte = 1_048_576;
const wall = { now: () => Date.now() };

function store(options: Partial<StoreOptions> = {}) {
  const above = mkdtempSync(join(tmpdir(), 'purser-store-'));
  onTestFinished(() => rmSync(above, { recursive: true }));
  const folder = join(above, 'files');
  return { folder, files: createFileStore({ folder, clock: wall, ...options }) };
}

type More = NonNullable<Parameters<typeof withStatements>[2]>;

async function downloads(
  next: () => SentFile,
  { mostBytes, freeBytes, ...more }: More & Pick<StoreOptions, 'mostBytes' | 'freeBytes'> = {},
) {
  const it = await shop();
  const { folder, files } = store({
    ...(mostBytes === undefined ? {} : { mostBytes }),
    ...(freeBytes === undefined ? {} : { freeBytes }),
  });
  const { engine, fault } = await withStatements(it.parts, next, { files, ...more });
  const kept = () => {
    try {
      return readdirSync(folder);
    } catch {
      return []; // the first file makes it
    }
  };
  const get = (args = {}, watch = {}) => engine.call('get_statement', args, agent, watch);
  return { it, engine, fault, folder, files, kept, get };
}

const unusable = { outcome: 'refused', error: { code: 'UNREACHABLE' } };

describe('a file that an answer brings', () => {
  it('is stored with size, digest and rows, for this user alone', async () => {
    const sent = csvOf(420_000);
    const { get, folder, kept } = await downloads(() => sent);
    const fractions: (number | undefined)[] = [];
    const answer = await get({}, { onProgress: ({ fraction }: { fraction?: number }) => fractions.push(fraction) });
    const { bytes, sha256 } = figuresOf(sent);
    expect(bytes).toBeGreaterThan(20 * megabyte);
    expect(answer).toMatchObject({
      outcome: 'done',
      file: { type: 'text/csv', bytes, sha256, rows: 420_000, pages: pagesOf(bytes) },
    });
    expect(kept()).toEqual([answer.file?.handle]);
    expect([statSync(folder).mode & 0o777, statSync(join(folder, String(answer.file?.handle))).mode & 0o777]).toEqual([
      0o700, 0o600,
    ]);
    expect(fractions).toEqual([]); // the sandbox has not said how large it is
  });

  it('says how far it is where its size is known', async () => {
    const sent = csvOf(20_000);
    const { bytes } = figuresOf(sent);
    const { get } = await downloads(() => ({ ...sent, bytes }));
    const fractions: number[] = [];
    await get({}, { onProgress: ({ fraction = 0 }) => fractions.push(fraction) });
    expect(fractions.at(-1)).toBe(1);
    expect(fractions).toEqual(fractions.toSorted((one, other) => one - other));
  });

  it('has no time in all, only one without a piece', async () => {
    const { get } = await downloads(() => csvOf(50_000), { timeouts: { bodyMilliseconds: 1 } });
    expect(await get()).toMatchObject({ outcome: 'done' });
    const { promise: never } = Promise.withResolvers<never>();
    const stalls: SentFile = {
      type: 'text/csv',
      pieces: async function* () {
        yield Buffer.from('a,b\n');
        yield await never;
      },
    };
    const stalled = await downloads(() => stalls, { timeouts: { fileIdleMilliseconds: 50 } });
    expect(await stalled.get()).toMatchObject(unusable);
    expect(stalled.kept()).toEqual([]);
  });

  it('comes beside another, each to its own name', async () => {
    const sizes = [1_000, 2_000];
    const { get, kept } = await downloads(() => csvOf(sizes.shift() ?? 0));
    const both = await Promise.all([get({ month: '1' }), get({ month: '2' })]);
    expect(both.map(({ file }) => file?.rows).toSorted()).toEqual([1_000, 2_000]);
    expect(kept()).toHaveLength(2);
  });

  it.each([
    ['truncated', {}],
    ['not-json', { rule: 'EN-08' }],
    ['wrong-shape', { rule: 'EN-08' }],
    ['timeout-after-commit', {}],
  ] as const)('leaves nothing behind where it ends as %s', async (kind, error) => {
    const { get, kept, fault } = await downloads(() => csvOf(200_000));
    await fault(kind);
    expect(await get()).toMatchObject({ ...unusable, error });
    expect(kept()).toEqual([]);
    expect(await get()).toMatchObject({ outcome: 'done' });
  });

  it.each([
    ['more bytes than it has', { bytes: 1_000_000 }],
    ['more bytes than are read', { bytes: limits.fileBytes + 1 }],
  ])('is refused where it states %s', async (_, more) => {
    const { get, kept } = await downloads(() => csvOf(10, more));
    expect(await get()).toMatchObject(unusable);
    expect(kept()).toEqual([]);
  });

  it('is refused where there is no room for it, and an operator is told', async () => {
    const { get, kept } = await downloads(() => csvOf(50_000), { mostBytes: megabyte });
    expect(await get()).toMatchObject({ outcome: 'refused', error: { retry: 'never' } });
    expect(kept()).toEqual([]);
  });

  it('leaves the ledger room on its disk: nothing else could be recorded any more', async () => {
    let free = limits.freeDiskBytes + megabyte;
    const { get, kept } = await downloads(() => csvOf(50_000), { freeBytes: () => free });
    expect(await get()).toMatchObject({ outcome: 'done' });
    free = limits.freeDiskBytes;
    expect(await get()).toMatchObject({ outcome: 'refused', error: { retry: 'never' } });
    expect(kept()).toHaveLength(1);
  });

  it('is given up when its caller cancels', async () => {
    const stop = new AbortController();
    const sent = csvOf(200_000);
    const { get, kept } = await downloads(() => ({ ...sent, bytes: figuresOf(sent).bytes }));
    const over = get({}, { signal: stop.signal, onProgress: () => stop.abort() });
    expect(await over).toMatchObject({ outcome: 'refused', error: { code: 'CALL_CANCELLED' } });
    expect(kept()).toEqual([]);
  });

  it('that a crash has cut off is seen by nobody, and deleted', async () => {
    const { engine, files, kept, it } = await downloads(() => csvOf(1));
    const writer = await files.create('file_crashed');
    await writer.write(Buffer.from('half a fi'));
    expect([files.size('file_crashed'), kept()]).toEqual([undefined, ['file_crashed.part']]);
    expect(await engine.filePage(agent, 'file_crashed', 1)).toBeUndefined();
    await engine.recover();
    expect(kept()).toHaveLength(1);
    const later = { ...files, list: () => files.list().map((one) => ({ ...one, ageMilliseconds: 3_600_001 })) };
    await deleteExpiredFiles({ ...it.parts, files: later });
    expect(kept()).toEqual([]);
    await writer.abort();
  });

  it('expires, and is deleted', async () => {
    const { it, engine, get, kept } = await downloads(() => csvOf(10));
    const { file } = await get();
    const handle = String(file?.handle);
    await it.advance(limits.fileHours * 3_600 - 1);
    await engine.recover();
    expect([kept(), (await engine.files(agent)).length]).toEqual([[handle], 1]);
    await it.advance(1);
    expect(await engine.files(agent)).toEqual([]);
    expect(await engine.openFile('default', handle)).toBeUndefined();
    await engine.recover();
    expect(kept()).toEqual([]);
  });
});

describe('a page', () => {
  it('has whole lines, and taints the conversation that reads it', async () => {
    const { it, engine, get } = await downloads(() => csvOf(1_000));
    const { file } = await get();
    const tainted = () =>
      it.parts.ledger.transaction('default', (tx) => isTainted(tx, agent, it.parts.ports.clock.now()));
    expect(await tainted()).toBe(false);
    const texts: string[] = [];
    for (let page = 1; page <= (file?.pages ?? 0); page++)
      texts.push((await engine.filePage(agent, String(file?.handle), page))?.text ?? '');
    const lines = texts.join('').split('\n');
    expect([lines.length, lines[1]]).toEqual([1_002, 'r0,2026-01-15,"Harbour ""Audio"", Kent",45.00']);
    expect(texts.every((text) => text.endsWith('\n'))).toBe(true);
    expect(await tainted()).toBe(true);
  });

  it('shows no card number', async () => {
    const number = ['4111', '1111', '1111', '1111'].join('');
    const pieces = () => [Buffer.from(`a,b\nx,${number}\n"${number.replace(/(....)/g, '$1,')}",y\n`)];
    const { engine, get } = await downloads(() => ({ type: 'text/csv', pieces }));
    const { file } = await get();
    const found = await engine.filePage(agent, String(file?.handle), 1);
    expect(found?.text.replace(/\D/g, '')).not.toContain('1111111');
  });

  it('shows no part of a number that its end cuts', async () => {
    const number = ['4111', '1111', '1111', '1111'].join('');
    const start = `${'<A>x</A>'.repeat(limits.filePageBytes / 8 - 2)}<Note>`;
    const pieces = () => [Buffer.from(`${start}${number}</Note>${'<A>x</A>'.repeat(100)}`)];
    const { engine, get } = await downloads(() => ({ type: 'application/xml', pieces }));
    const handle = String((await get()).file?.handle);
    const texts = [await engine.filePage(agent, handle, 1), await engine.filePage(agent, handle, 2)];
    expect(texts.map((page) => page?.text.replace(/\D/g, ''))).toEqual(['', '']);
    expect(texts.map((page) => page?.text.includes('*'))).toEqual([true, true]);
  });

  it('belongs to the principal who downloaded it, and the whole file to the tenant', async () => {
    const { engine, get } = await downloads(() => csvOf(10));
    const { file } = await get();
    const handle = String(file?.handle);
    const other = { ...agent, principal: 'another' };
    expect([await engine.filePage(other, handle, 1), await engine.files(other)]).toEqual([undefined, []]);
    expect([await engine.filePage(agent, handle, 0), await engine.filePage(agent, handle, 2)]).toEqual([
      undefined,
      undefined,
    ]);
    await expect(engine.openFile('other', handle)).rejects.toThrow();
    expect((await engine.openFile('default', handle))?.file).toEqual(file);
  });

  it('of any file joins the pages before and after it', () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 40_000 }).map((text) => text.repeat(3));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const whole = Buffer.from(lines.join('\n'));
        const read = (from: number, to: number) => whole.subarray(from, to);
        const ends = Array.from({ length: pagesOf(whole.length) + 1 }, (_, at) => boundaryOf(at, whole.length, read));
        const texts = ends.slice(1).map((end, at) => new TextDecoder().decode(whole.subarray(ends[at], end)));
        expect(texts.join('')).toBe(whole.toString());
        expect(ends.slice(1).every((end, at) => end - (ends[at] ?? 0) <= 2 * limits.filePageBytes)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});
