import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toVitest } from '../../src/evals/vitest.ts';
import { fixtureFolder, scenarioFolder } from './support.ts';

// The scenarios of one of the files, as a project of somebody else has them in its tests.
await toVitest(`${scenarioFolder}/purchase/purchase-110-exactly-the-limit.yaml`, {
  fixtures: fixtureFolder,
  runner: { describe, it, beforeAll, afterAll },
});

it('gives each scenario as a test by its name', async () => {
  const names: string[] = [];
  const none = () => undefined;
  await toVitest(scenarioFolder, {
    fixtures: fixtureFolder,
    runner: { describe: (_, tests) => tests(), it: (name) => void names.push(name), beforeAll: none, afterAll: none },
  });
  expect(names).toContain('purchase-110-exactly-the-limit: A payment of exactly the limit is released');
});
