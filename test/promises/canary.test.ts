import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readConfiguration } from '../../src/cli/config.ts';
import { playRowsOneIn } from '../support/drawn.ts';
import { folder } from '../support/folder.ts';
import { encodings, type Sink, search } from './encodings.ts';

playRowsOneIn(3);

// What a process prints, and the search that transcripts.test.ts relies on.

/** Secrets that are planted wherever somebody might put them. They are nobody's. */
const planted = {
  'card number': '4929421234600821',
  cryptogram: 'AgAAAAAABk4DWZ4C28yUQAAAAAA=',
  'secret key': 'Zm9yIHRlc3RzIG9ubHksIG5ldmVyIGEgcmVhbCBrZXkh',
  'one-time code': '73940261',
  'vault key': 'canary-vault-key-0123456789abcdef-0123456789',
} as const;

it('no secret of its configuration is printed by a process, whatever it is asked', { timeout: 120_000 }, async () => {
  const cwd = folder();
  writeFileSync(
    join(cwd, 'wrong.yaml'),
    `signing: ${planted['card number']}\ncredentials:\n  sharedSecretFile: [${planted['secret key']}]\n`,
  );
  const child = fileURLToPath(new URL('./children/noisy.ts', import.meta.url));
  const runs: readonly NodeJS.ProcessEnv[] = [
    {},
    { PURSER_CONFIG: join(cwd, 'wrong.yaml') },
    { PURSER_ENVIRONMENT: planted['card number'] },
    { PURSER_BASE_URL: `https://user:${planted['one-time code']}@api.example.com/` },
    { PURSER_PORT: planted['card number'] },
  ];
  const sinks: Sink[] = [];
  for (const more of runs) {
    const env = { ...process.env, PURSER_SHARED_SECRET: planted['secret key'], PURSER_DATA: ':memory:', ...more };
    const run = spawn(process.execPath, [child, planted['card number']], { env, cwd });
    const chunks: Buffer[] = [];
    for (const stream of [run.stdout, run.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(run, 'close');
    sinks.push({ name: `process ${Object.keys(more)}`, bytes: Buffer.concat(chunks) });
  }
  expect(sinks.every(({ bytes }) => bytes.length > 0)).toBe(true);
  expect(search(sinks, planted).hits).toEqual([]);
});

it('no secret of its configuration is seen in what was read', () => {
  const env = {
    PURSER_SHARED_SECRET: planted['secret key'],
    PURSER_MERCHANT_ID: 'merchant',
    PURSER_KEY_ID: 'key',
    PURSER_DATA: ':memory:',
  };
  const read = readConfiguration(env);
  const sinks = [
    inspect(read, { depth: 20, showHidden: true }),
    JSON.stringify(read),
    inspect(env),
    inspect({ ...read }),
  ];
  expect(
    search(
      sinks.map((text, index) => ({ name: String(index), bytes: Buffer.from(text) })),
      planted,
    ).hits,
  ).toEqual([]);
});

describe('the search itself', () => {
  it('takes a code that stands alone for one, and none that is a part of a longer number', () => {
    const hits = (text: string) => search([{ name: 'sink', bytes: Buffer.from(text) }], { code: '13572468' }).hits;
    expect(['a13572468b', 'a13572468', '113572468', '135724681'].map((text) => hits(text).length > 0)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it.each(Object.keys(encodings))('finds a canary that is there: %s', (name) => {
    for (const [canary, secret] of Object.entries(planted)) {
      const hidden = Buffer.from(encodings[name]?.(secret) ?? '');
      const bytes = Buffer.concat([Buffer.from('before '), hidden, Buffer.from(' after')]);
      const hit = { sink: 'sink', canary, encoding: name };
      expect(search([{ name: 'sink', bytes }], { [canary]: secret }).hits).toContainEqual(hit);
      expect(search([{ name: 'sink', bytes: Buffer.from('before and after') }], { [canary]: secret }).hits).toEqual([]);
    }
  });
});
