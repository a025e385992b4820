import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { folder, proposed, run, runAsProcess } from './cli.ts';

// Most tests of the command run it in their own process. The built command, as a process of its own, does the same.

const evals = fileURLToPath(new URL('../../evals', import.meta.url));
const one = [`${evals}/scenarios/purchase/purchase-110-exactly-the-limit.yaml`, '--fixtures', `${evals}/fixtures`];
const shopper = JSON.stringify({ handle: 'shopper_eve', displayName: 'Eve Example' });

it.each([
  ['--version'],
  ['audit', '--help'],
  ['buy'],
  ['doctor', '--data', 'DATA'],
  ['approvals', 'list', '--data', 'DATA', '--json'],
  ['operations', 'list', '--data', 'DATA'],
  ['operations', 'resolve', 'op_x', '--happened'],
  ['audit', 'verify', '--data', 'DATA'],
  ['audit', 'export', '--data', 'DATA', '--format', 'csv'],
  ['shoppers', 'import', 'SHOPPER', '--data', 'NOTHING'],
  ['receipts', 'add', 'SHOPPER', '--data', 'DATA'],
  ['eval', ...one, '--coverage', '--json'],
  ['eval', 'mutate', ...one, '--rule', 'AP-12'],
  ['eval', 'fuzz', '--seed', '3', '--runs', '1'],
  ['eval', 'schema'],
  ['eval', 'record', '--from', 'SHOPPER', '--to', '/nowhere/draft.yaml'],
])('comes to the same as a process and within this one: %s %s', async (...words) => {
  const data = folder();
  await proposed(data);
  const file = join(folder(), 'shopper.json');
  writeFileSync(file, shopper);
  const args = () =>
    words.map((word) => ({ DATA: data, SHOPPER: file, NOTHING: join(folder(), 'data') })[word] ?? word);
  const own = await runAsProcess(args());
  expect(timeless(await run(args()))).toEqual(timeless(own));
  expect(own.out + own.err).not.toBe('');
});

/** Without what differs from one moment to the next. */
const timeless = ({ out, err, code }: Awaited<ReturnType<typeof run>>) => ({
  code,
  texts: [out, err].map((text) =>
    text
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a moment')
      .replace(/[\d.]+ m?s\b/g, 'a time')
      .replace(/"(milliseconds|began)":[\d.]+/g, '"$1":0'),
  ),
});

it('is built from the source that the tests run: the versions agree', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(await runAsProcess(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' });
});
