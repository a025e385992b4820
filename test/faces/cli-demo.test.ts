import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it('the demo buys, is refused what is forbidden, and never shows a card number', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/demo.ts'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    encoding: 'utf8',
  });
  expect([status, stderr, stdout.slice(stdout.indexOf('What happened'))]).toEqual([
    0,
    '',
    `What happened

Done       9 calls, 7 of them changed something on the platform
Approved   2 by a person, each for exactly one call
Hasty      1 call before its time, refused (AP-10)
Forbidden  5 of 5 refused (AP-09, AP-08, EN-05, EN-03, AP-11)

All as it should be.
`,
  ]);
  expect(stdout).not.toMatch(/\d{4}[ -]?\d{4}[ -]?\d{4}[ -]?\d{1,7}/);
});
