import { execFileSync } from 'node:child_process';
import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { BadConfiguration } from '../../src/cli/bad-configuration.ts';
import { readConfiguration } from '../../src/cli/config.ts';
import { ledgerPlace } from '../../src/cli/storage-paths.ts';
import { folder } from '../support/folder.ts';

const address = 'postgresql://purser:pass-word@db.example.com/purser';

it('the address of the database is taken out of the environment, and shown by nothing', () => {
  const env: NodeJS.ProcessEnv = { DATABASE_URL: address, PURSER_DATA: ':memory:' };
  const configuration = readConfiguration(env);
  const shown = [inspect(configuration, { depth: 9, showHidden: true }), JSON.stringify(configuration), inspect(env)];
  expect(shown.filter((text) => text.includes('pass-word'))).toEqual([]);
});

it('is refused where a variable lets any machine pass for the database, and kept out of the refusal', () => {
  const reading = (value: string, more: NodeJS.ProcessEnv) =>
    readConfiguration({ ...more, NODE_TLS_REJECT_UNAUTHORIZED: value, PURSER_DATA: ':memory:' });
  const plain = address.split('?')[0] ?? '';
  for (const asks of ['sslmode=verify-full', 'sslmode=verify-ca', 'sslmode=require', 'ssl=true', 'ssl=1']) {
    const DATABASE_URL = `${plain}?${asks}`;
    expect(() => reading('0', { DATABASE_URL }), asks).toThrow(BadConfiguration);
    expect(() => reading('0', { DATABASE_URL })).toThrow(/^(?!.*pass-word).*NODE_TLS_REJECT_UNAUTHORIZED/);
    expect(reading('1', { DATABASE_URL }).databaseUrl).toBeDefined();
  }
  // Where no certificate is verified anyway, the variable changes nothing.
  for (const asks of ['', '?sslmode=disable', '?sslmode=no-verify', '?ssl=false'])
    expect(reading('0', { DATABASE_URL: `${plain}${asks}` }).databaseUrl, asks).toBeDefined();
  // A ledger in a file has no connection.
  expect(reading('0', {}).databaseUrl).toBeUndefined();
});

it('names a schema of its own for each environment, and a file where there is no address', () => {
  const data = folder();
  const configuration = readConfiguration({ DATABASE_URL: address, PURSER_DATA: data });
  expect([ledgerPlace(configuration), ledgerPlace({ ...configuration, environment: 'live' })]).toMatchObject([
    { schema: 'purser_sandbox' },
    { schema: 'purser_live' },
  ]);
  expect(ledgerPlace(readConfiguration({ DATABASE_URL: '', PURSER_DATA: ':memory:' }))).toMatchObject({
    file: ':memory:',
  });
});

it('the driver of PostgreSQL is loaded by nobody who has a file', () => {
  const store = new URL('../../src/ledger/store.ts', import.meta.url).href;
  const script = `
    const { openLedger } = await import('${store}');
    await (await openLedger({ file: ':memory:' })).close();
    const { createRequire } = await import('node:module');
    const { cache } = createRequire('${store}');
    const loaded = () => Object.keys(cache).some((file) => /node_modules.pg\\b/.test(file));
    const before = loaded();
    await import('pg');
    console.log(before, loaded());`;
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
  expect(said).toBe('false true\n');
});
