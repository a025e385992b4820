import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Finding } from '../../src/cli/doctor/finding.ts';
import { selfSigned } from '../client/self-signed.ts';
import { postgresUrl } from '../ledger/support/databases.ts';
import { ownDatabase } from '../promises/replica-database.ts';
import { fileWith, folder, proposed, run, runJson } from './cli.ts';

/** What the doctor found, one line for each thing. */
async function examine(data: string, env: NodeJS.ProcessEnv = {}) {
  const { code, value } = await runJson(['doctor', '--data', data], { env });
  const findings: readonly Finding[] = value.findings;
  return { code, sound: value.sound, by: Object.fromEntries(findings.map((it): [string, Finding] => [it.about, it])) };
}

/** A platform that answers at once, whatever it is asked; the address of it. */
async function platform(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`; // it listens on a port
}

describe('purser doctor', () => {
  it('finds nothing wrong on a fresh machine, and says so in aligned lines', async () => {
    const data = folder();
    chmodSync(data, 0o700);
    const { code, out, err } = await run(['doctor', '--data', data]);
    expect([code, err]).toEqual([0, '']);
    expect(out.split('\n').filter((line) => line !== '' && !/^ok {2}\S.{14}\s\s?\S/.test(line))).toEqual([
      'Purser can start.',
    ]);
  });

  it('says where links to the approval page lead', async () => {
    const about = async (env: NodeJS.ProcessEnv) => (await examine(folder(), env)).by['approval page'];
    expect(await about({})).toMatchObject({
      verdict: 'ok',
      found: 'only on this machine, at port 8377; set http.publicUrl behind a proxy',
    });
    expect(await about({ PURSER_PUBLIC_URL: 'https://purser.example.com' })).toMatchObject({
      verdict: 'ok',
      found: 'https://purser.example.com/approve/…',
    });
  });

  it('says which tools agents get, and fails where one is named that there is not', async () => {
    const about = async (settings: object) =>
      (await examine(folder(), { PURSER_CONFIG: fileWith(JSON.stringify(settings)) })).by.tools;
    expect(await about({})).toMatchObject({ verdict: 'ok', found: expect.stringMatching(/^\d+ of purchase$/) });
    expect(await about({ toolsets: ['shopping'] })).toMatchObject({
      verdict: 'fail',
      todo: expect.stringContaining('There is no toolset shopping'),
    });
    expect(await about({ limits: [{ name: 'a', tools: ['buy'], currency: 'GBP', count: 1 }] })).toMatchObject({
      verdict: 'fail',
      todo: expect.stringContaining('There is no tool buy'),
    });
  });

  it('says each limit and mandate in a sentence', async () => {
    const terms = { tools: ['initiate_purchase'], currency: 'GBP' };
    const limit = { ...terms, name: 'daily', perCall: '250.00', total: '1000.00', count: 5, per: ['shopper', 'day'] };
    const until = '2027-01-01T00:00:00Z';
    const mandate = { ...terms, name: 'tea', count: 1, payees: ['Tea House'], instruments: ['card_ada'], until };
    const file = fileWith(JSON.stringify({ limits: [limit], mandates: [mandate] }));
    const { by } = await examine(folder(), { PURSER_CONFIG: file });
    expect([by.limit?.found, by.mandate?.found]).toEqual([
      '"daily": initiate_purchase in GBP; at most 250.00 GBP per call; at most 1000.00 GBP for each shopper and day; at most 5 calls for each shopper and day',
      '"tea": initiate_purchase in GBP; at most 1 call in all; only to Tea House; only from card_ada; until 2027-01-01T00:00:00Z',
    ]);
  });

  it('warns of replicas that could not redeem what another one released', async () => {
    const key = join(folder(), 'key');
    writeFileSync(key, 'k'.repeat(32), { mode: 0o600 });
    const about = async (env: NodeJS.ProcessEnv) => (await examine(folder(), env)).by.released;
    // A database that lets nobody in says so at once; one that does not answer is waited for.
    const closed = new URL(await postgresUrl());
    closed.password = 'wrong';
    const shared = { DATABASE_URL: closed.href };
    expect(await about({})).toMatchObject({ verdict: 'ok', found: expect.stringContaining('in memory') });
    expect(await about(shared)).toMatchObject({ verdict: 'warn', todo: expect.stringContaining('vaultKeyFile') });
    expect(await about({ ...shared, PURSER_VAULT_KEY_FILE: key })).toMatchObject({ found: 'sealed in the ledger' });
  });

  it('makes nothing in PostgreSQL, either, and names the key that a ledger there has lost', async () => {
    const data = folder();
    const env = { DATABASE_URL: await ownDatabase(`doctor_${process.pid}`) };
    const client = new pg.Client({ connectionString: env.DATABASE_URL });
    await client.connect();
    onTestFinished(() => client.end());
    const made = await examine(data, env);
    expect([made.sound, made.by.ledger?.found, readdirSync(data)]).toEqual([
      true,
      'the tables in PostgreSQL are created by the first start',
      [],
    ]);
    const { rows } = await client.query("select nspname from pg_namespace where nspname like 'purser%'");
    expect(rows).toEqual([]);

    await run(['operations', 'list', '--data', data], { env });
    expect((await examine(data, env)).by).toMatchObject({
      ledger: { verdict: 'ok', found: 'in PostgreSQL' },
      'audit chain': { verdict: 'ok' },
    });
    rmSync(join(data, 'ledger.key'));
    const { sound, by } = await examine(data, env);
    expect([sound, by.ledger?.verdict, by.ledger?.found]).toEqual([
      false,
      'fail',
      `its key ${join(data, 'ledger.key')} is missing`,
    ]);
    expect(existsSync(join(data, 'ledger.key'))).toBe(false);
  });

  it.each([
    ['of a user who may make no tables', 'alter database $db owner to postgres', 'purser_looks'],
    ['that may lose what was confirmed', 'alter database $db set synchronous_commit = off', undefined],
  ])('says what keeps a start from a database %s, in the words of the start', async (_, change, user) => {
    const name = `doctor_makes_${process.pid}`;
    const url = new URL(await ownDatabase(name));
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    if (user !== undefined) await client.query(`create role ${user} login password 'secret' nosuperuser`);
    await client.query(change.replace('$db', name));
    await client.end();
    if (user !== undefined) Object.assign(url, { username: user, password: 'secret' });
    const [data, env] = [folder(), { DATABASE_URL: url.href }];
    const { sound, by } = await examine(data, env);
    const { err } = await run(['operations', 'list', '--data', data], { env });
    expect([sound, by.ledger?.verdict, err.includes(String(by.ledger?.todo))]).toEqual([false, 'fail', true]);
  });

  it('finds a used ledger whole', async () => {
    const data = folder();
    await proposed(data);
    expect((await examine(data)).by['audit chain']).toMatchObject({
      verdict: 'ok',
      found: expect.stringMatching(/^\d+ rows/),
    });
  });

  it('says what is wrong with the configuration, and what to do', async () => {
    const { code, out } = await run(['doctor', '--data', folder()], { env: { PURSER_ENVIRONMENT: 'prod' } });
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/^fail {2}configuration {2}can't be used\. .*correct PURSER_ENVIRONMENT/m),
    ]);
  });

  it('warns of files that others may look into, and fails where the token is one', async () => {
    const data = folder();
    await proposed(data);
    chmodSync(data, 0o750);
    chmodSync(join(data, 'sandbox.sqlite'), 0o644);
    writeFileSync(join(data, 'person.token'), 'a'.repeat(43));
    chmodSync(join(data, 'person.token'), 0o644);
    const { code, by } = await examine(data);
    expect([code, by.data?.verdict, by.files?.verdict, by.tokens?.verdict]).toEqual([1, 'warn', 'warn', 'fail']);
  });

  // A file there can't be listed by anybody, not even by root.
  it('fails where the folder of the downloads is none, and goes on', async () => {
    const data = folder();
    writeFileSync(join(data, 'sandbox-files'), 'x', { mode: 0o600 });
    const { code, by } = await examine(data);
    expect([code, by.downloads, by.ledger?.verdict]).toMatchObject([
      1,
      { verdict: 'fail', todo: expect.stringContaining(join(data, 'sandbox-files')) },
      'ok',
    ]);
  });

  it('fails where others may write the folder', async () => {
    const data = folder();
    chmodSync(data, 0o777);
    const { code, by } = await examine(data);
    expect([code, by.data, by.ledger?.verdict]).toEqual([
      1,
      { verdict: 'fail', about: 'data', found: "can't be used", todo: by.ledger?.todo },
      'fail',
    ]);
  });

  it('fails where the audit chain is broken', async () => {
    const data = folder();
    await proposed(data);
    const database = new DatabaseSync(join(data, 'sandbox.sqlite'));
    database.prepare("UPDATE audit SET event = 'approved' WHERE seq = 1").run();
    database.close();
    const { code, by } = await examine(data);
    expect([code, by['audit chain']]).toMatchObject([1, { verdict: 'fail', found: 'broken at row 1' }]);
  });

  it('fails where the platform does not answer', async () => {
    const { code, by } = await examine(folder(), { PURSER_SANDBOX_URL: 'http://127.0.0.1:1' });
    expect([code, by.platform]).toMatchObject([
      1,
      { verdict: 'fail', todo: expect.stringContaining('purser sandbox') },
    ]);
  });

  it('fails where calls would refuse the certificate, whatever NODE_TLS_REJECT_UNAUTHORIZED says', async () => {
    let requests = 0;
    const server = createTlsServer(selfSigned, (_, answer) => {
      requests += 1;
      answer.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const url = `https://127.0.0.1:${(server.address() as { port: number }).port}`; // it listens on a port
    const { code, by } = await examine(folder(), { PURSER_SANDBOX_URL: url, NODE_TLS_REJECT_UNAUTHORIZED: '0' });
    expect([code, by.platform?.verdict, requests]).toEqual([1, 'fail', 0]);
  });

  it.each([
    [0, 0, 'ok'],
    [120, 0, 'warn'],
    [3600, 1, 'fail'],
  ])('compares clocks: %i seconds off', async (seconds, code, verdict) => {
    const url = await platform((_, answer) =>
      answer.writeHead(401, { date: new Date(Date.now() - seconds * 1000).toUTCString() }).end(),
    );
    const found = await examine(folder(), { PURSER_SANDBOX_URL: url });
    expect([found.code, found.by['clock skew']?.verdict, found.by.platform?.verdict]).toEqual([code, verdict, 'ok']);
  });

  it('warns of what makes a real platform dangerous or useless', async () => {
    const file = fileWith('c2VjcmV0LXNlY3JldC1zZWNyZXQ=');
    const settings = {
      environment: 'live',
      allowLive: true,
      baseUrl: 'https://127.0.0.1:1',
      credentials: { merchantId: 'shop', keyId: 'key', sharedSecretFile: file },
      merchant: { name: 'Shop', country: 'GB', url: 'https://shop.example.com' },
      rules: { 'AP-12': 'off' },
    };
    const { by } = await examine(folder(), { PURSER_CONFIG: fileWith(JSON.stringify(settings)) });
    expect(
      Object.entries(by)
        .filter(([, { verdict }]) => verdict !== 'ok')
        .map(([about, { verdict }]) => [about, verdict]),
    ).toEqual([
      ['environment', 'warn'],
      ['passkey service', 'warn'],
      ['rules', 'warn'],
      ['platform', 'fail'],
    ]);
  });
});
