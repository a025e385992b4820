import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { type Runner, toVitest } from '../../evals/harness/vitest.ts';
import { folder } from '../faces/cli.ts';
import { enrolled, scenarioFolder } from './support.ts';

// The scenarios of one of the files, as a project of somebody else has them in its tests.
await toVitest(`${scenarioFolder}/purchase/purchase-110-exactly-the-limit.yaml`);

/** A runner that notes what it was given. */
function stub() {
  const tests = new Map<string, () => Promise<void>>();
  const around: (() => Promise<void>)[] = [];
  const note = (work: () => Promise<void>) => void around.push(work);
  const runner: Runner = {
    describe: (_, given) => given(),
    it: (name, test) => void tests.set(name, test),
    ...{ beforeAll: note, afterAll: note },
  };
  return { runner, tests, around };
}

it('gives each scenario as a test by its name', async () => {
  const { runner, tests } = stub();
  await toVitest(scenarioFolder, { runner });
  expect([...tests.keys()]).toContain(
    'purchase-110-exactly-the-limit: A student whose last 40 pounds are exactly the price can spend them to the penny',
  );
});

it('fails the test of a scenario that fails, with all that is wrong, and no other', async () => {
  const given = folder();
  const [good, bad] = [enrolled(), enrolled({ id: 'test-002-wrong', expect: { changed: [], never: ['enroll_card'] } })];
  for (const one of [good, bad]) writeFileSync(join(given, `${one.id}.yaml`), stringify(one));
  const { runner, tests, around } = stub();
  await toVitest(given, { runner, goldens: false });
  await around[0]?.();
  const ended: PromiseSettledResult<void>[] = [];
  for (const test of tests.values()) ended.push(...(await Promise.allSettled([test()])));
  await around[1]?.();
  const because = [
    'state, cards.card_ada.status: cards.card_ada.status was "none" and is "ACTIVE"; it must not change.',
    'calls, never: enroll_card was called.',
  ];
  expect(ended).toEqual([
    { status: 'fulfilled', value: undefined },
    { status: 'rejected', reason: new Error(because.join('\n')) },
  ]);
});
