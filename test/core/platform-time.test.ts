import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const file = join(import.meta.dirname, '../../src/core/platform-time.ts');

/** Reads times on a machine in a time zone. */
function readIn(zone: string, texts: readonly string[]): readonly unknown[] {
  const code = `const { platformTime } = await import(${JSON.stringify(file)});
    console.log(JSON.stringify(${JSON.stringify(texts)}.map((text) => platformTime(text))));`;
  const env = { ...process.env, TZ: zone };
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', code], { env, encoding: 'utf8' }));
}

it.each(['America/New_York', 'Pacific/Auckland', 'UTC'])('D-163: a time without an offset is in UTC in %s', (zone) => {
  const nine = Date.UTC(2026, 0, 15, 9);
  const bare = ['2026-01-15T09:00', '2026-01-15T09:00:00', '2026-01-15 09:00:00.000'];
  const whole = ['2026-01-15T09:00:00Z', '2026-01-15T10:00:00+01:00', '2026-01-15T04:00:00.000-05:00'];
  const nothing = ['', 'soon', '2026-13-15T09:00:00'];
  expect(readIn(zone, [...bare, ...whole, '2026-01-15', ...nothing])).toEqual([
    ...Array.from({ length: 6 }, () => nine),
    Date.UTC(2026, 0, 15),
    ...[null, null, null],
  ]);
});
