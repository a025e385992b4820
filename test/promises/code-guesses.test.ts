import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import type { FailPoint } from '../../src/engine/settings.ts';
import { challenged } from '../engine/passkey.ts';
import { begins, openWorld } from '../engine/support.ts';
import { quickFolder } from '../support/folder.ts';
import { search } from './encodings.ts';
import { bytesIn, enterers } from './entries.ts';

// Somebody guesses a customer's one-time code: over processes that are killed in the middle of a try, and two clients at once.

const seed = Number(process.env.SEED ?? 412);
/** Rounds of four guesses, while the code has not expired. */
const rounds: readonly FailPoint[] = ['F1', 'F4', 'F2', 'F5', 'F7'];

it(`no more tries of a code than the issuer allows reach the platform, and none is written anywhere (seed ${seed})`, {
  timeout: 600_000,
}, async () => {
  const folder = quickFolder('purser-guesses-');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  const here = await openWorld({ configure: { data } });
  const authentication = await challenged(here);
  const sent = await here.call('create_one_time_password', { authentication, option: 'option_1', request_number: 1 });
  expect(sent.outcome).toBe('done');
  await here.running.close();

  const { enter, end } = await enterers(data, {}, 'guesser');
  const codes = fc.sample(fc.stringMatching(/^[0-9]{12}$/), { seed, numRuns: rounds.length * 3 });
  const said: (string | undefined)[] = [];
  let arrived = 0;
  for (const [round, point] of rounds.entries()) {
    const guess = (at: number, dies?: FailPoint) =>
      enter({
        ...{ tool: 'validate_authentication_code', role: 'customer', now: begins + round * 121_000 },
        args: { authentication, code: codes[round * 3 + at] },
        ...(dies === undefined ? {} : { point: dies }),
      }).catch(() => undefined); // one that was refused before its point lives on, which `enter` reports
    const tries = [...(await Promise.all([guess(0, point), guess(1)])), await guess(2)];
    for (const one of tries) {
      arrived += one?.arrived ?? 0;
      said.push(one?.answer?.error?.rule ?? one?.answer?.outcome);
    }
  }
  console.log(`${arrived} of ${codes.length} guesses arrived: ${said.map((it) => it ?? 'killed').join(', ')}`);
  expect(arrived).toBeGreaterThan(0);
  expect(arrived).toBeLessThanOrEqual(limits.otpAttempts);
  expect(said.at(-1)).toBe('PK-07');
  const secrets = Object.fromEntries(codes.map((code, at) => [`guess ${at}`, code]));
  const sinks = [{ name: 'printed', bytes: await end() }, ...bytesIn(data)];
  expect(sinks.length).toBeGreaterThan(2);
  expect(search(sinks, secrets).hits).toEqual([]);
});
