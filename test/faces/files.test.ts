import { createHash } from 'node:crypto';
import { appendFileSync, mkdtempSync, readdirSync, readlinkSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { createFileStore } from '../../src/files/store.ts';
import { createHttpFace } from '../../src/http/server.ts';
import { agent } from '../engine/support.ts';
import { csvOf, figuresOf, withStatements } from '../support/statements.ts';
import { connect, httpClients, inProcess } from './agents.ts';
import { secrets, tokens, type World, world } from './support.ts';

// A file that a tool has brought: a link in its answer, text in pages for agents, and the whole of it for the merchant's app.

const sent = csvOf(1_000);

async function withFile(file = sent) {
  const base = await world();
  const above = mkdtempSync(join(tmpdir(), 'purser-files-'));
  onTestFinished(() => rmSync(above, { recursive: true }));
  const folder = join(above, 'files');
  const files = createFileStore({ folder, clock: { now: () => Date.now() } });
  const { engine } = await withStatements(base.running.engine.parts, () => file, { files });
  const face = createHttpFace({ engine, tokens: secrets, tenant: 'default', version: '0.0.0' });
  onTestFinished(() => face.close());
  const here: World = { ...base, face };
  return { here, engine, face, folder };
}

describe.each(httpClients)('$name', ({ open }) => {
  it('gets a link, and reads the file page by page', async () => {
    const { here, engine } = await withFile();
    const { client, call } = await open(here);
    const answer = await call('get_statement', {});
    const [file] = await engine.files({ ...agent });
    const uri = `purser://files/${file?.handle}`;
    const link = { type: 'resource_link', uri, mimeType: 'text/csv', size: file?.bytes };
    expect(answer).toMatchObject({
      content: [{ type: 'text' }, link],
      structuredContent: { outcome: 'done', file: { ...figuresOf(sent), rows: 1_000, pages: file?.pages } },
    });
    expect(client.getServerCapabilities()).toMatchObject({ resources: {} });
    expect(await client.listResources()).toMatchObject({ resources: [{ uri }] });
    expect(await client.listResourceTemplates()).toMatchObject({
      resourceTemplates: [
        { uriTemplate: 'purser://files/{handle}' },
        { uriTemplate: 'purser://files/{handle}/pages/{page}' },
        { uriTemplate: 'purser://files/{handle}/chart' },
      ],
    });
    const pages = Array.from({ length: file?.pages ?? 0 }, (_, at) => `${uri}/pages/${at + 1}`);
    const found = await Promise.all(pages.map((page) => client.readResource({ uri: page })));
    const texts = found.map(({ contents: [first] }) => (first as { readonly text: string }).text);
    expect(texts.join('').split('\n')).toHaveLength(1_002);
    expect(await client.readResource({ uri: uri })).toMatchObject({
      contents: [{ uri, mimeType: 'text/csv', text: texts[0] }],
      _meta: { 'purser/page': 1, 'purser/pages': file?.pages },
    });
  });

  it('reads no card number off two lines or two pages', async () => {
    const filler = '<A>x</A>'.repeat(limits.filePageBytes / 8 - 9);
    const text = `<N>41111111</N>\n<N>11111111</N>\n<M>4111-1111-\n1111-1111</M>${filler}<Note>4111111111111111</Note>`;
    const { here, engine } = await withFile({ type: 'application/xml', pieces: () => [Buffer.from(text)] });
    const { client, call } = await open(here);
    const answer = await call('get_statement', {});
    const [file] = await engine.files({ ...agent });
    const uri = `purser://files/${file?.handle}`;
    const pages = await Promise.all([1, 2].map((page) => client.readResource({ uri: `${uri}/pages/${page}` })));
    const texts = pages.map(({ contents: [first] }) => (first as { readonly text: string }).text);
    expect(file?.pages).toBe(2);
    expect(texts.join('').match(/\d/g)).toBeNull();
    expect(JSON.stringify(answer)).not.toMatch(/4111|1111/);
  });

  it.each(['file_unknown', '../etc/passwd', 'op_aaaa', '%2e%2e'])('finds no resource %s', async (name) => {
    const { here } = await withFile();
    const { client, call } = await open(here);
    await call('get_statement', {});
    await expect(client.readResource({ uri: `purser://files/${name}` })).rejects.toThrow();
    await expect(client.readResource({ uri: `purser://files/${name}/pages/999999` })).rejects.toThrow();
  });
});

it('offers no resources where no tool brings files', async () => {
  const here = await world({ configuration: { choice: { toolsets: [], tools: ['list_cards'], isReadOnly: false } } });
  const { client } = await connect(inProcess(here), { pin: '2026-07-28' });
  expect(client.getServerCapabilities()).not.toHaveProperty('resources');
});

describe('GET /files/:id', () => {
  const asked = (face: World['face'], handle: unknown, token: string, method = 'GET') =>
    face.fetch(
      new Request(`http://localhost/files/${handle}`, { method, headers: { authorization: `Bearer ${token}` } }),
    );

  it("answers the merchant's app with the whole file and its digest", async () => {
    const { engine, face } = await withFile();
    const { file } = await engine.call('get_statement', {}, agent);
    const response = await asked(face, file?.handle, tokens.app);
    const { bytes, sha256 } = figuresOf(sent);
    expect([response.status, response.headers.get('content-length'), response.headers.get('content-type')]).toEqual([
      200,
      String(bytes),
      'text/csv',
    ]);
    expect(response.headers.get('repr-digest')).toBe(`sha-256=:${sha256}:`);
    const whole = Buffer.from(await response.arrayBuffer());
    expect(createHash('sha256').update(whole).digest('base64')).toBe(sha256);
  });

  it('answers nobody else, and knows no other file', async () => {
    const { engine, face } = await withFile();
    const { file } = await engine.call('get_statement', {}, agent);
    const statuses = await Promise.all([
      asked(face, file?.handle, tokens.agent),
      asked(face, file?.handle, tokens.person),
      asked(face, 'file_unknown', tokens.app),
      asked(face, 'shopper_ada', tokens.app),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([401, 401, 404, 404]);
  });

  // Only there can a process see which files it has open.
  it.runIf(process.platform === 'linux')('answers HEAD without leaving the file open', async () => {
    const { engine, face, folder } = await withFile(csvOf(10_000));
    const { file } = await engine.call('get_statement', {}, agent);
    const response = await asked(face, file?.handle, tokens.app, 'HEAD');
    expect([response.status, response.headers.get('content-length'), response.body]).toEqual([
      200,
      String(file?.bytes),
      null,
    ]);
    await expect.poll(() => openIn(folder)).toEqual([]);
  });

  const changes = [
    ['shorter', (path: string, bytes: number) => truncateSync(path, bytes - 1)],
    ['longer', (path: string) => appendFileSync(path, '4')],
  ] as const;
  it.each(changes)('breaks off where the file gets %s meanwhile', async (_, change) => {
    const { engine, face, folder } = await withFile(csvOf(50_000));
    const { file } = await engine.call('get_statement', {}, agent);
    const { body } = await asked(face, file?.handle, tokens.app);
    change(join(folder, String(file?.handle)), Number(file?.bytes));
    await expect(new Response(body).bytes().then(({ length }) => length)).rejects.toThrow();
  });
});

/** The files of a folder that this process has open. */
const openIn = (folder: string): readonly string[] =>
  readdirSync('/proc/self/fd')
    .map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        return ''; // the folder itself, while it was listed
      }
    })
    .filter((path) => path.startsWith(folder));
