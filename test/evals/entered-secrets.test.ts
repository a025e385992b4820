import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { coverageOf } from '../../evals/harness/coverage/coverage.ts';
import { evaluate } from '../../evals/harness/replay/evaluate.ts';
import { reportOf } from '../../evals/harness/reports/report.ts';
import { formatsOf, write } from '../../src/cli/evals/writers.ts';
import { reveal } from '../../src/core/secret.ts';
import { secretsIn } from '../../src/core/secret-leaves.ts';
import { search } from '../promises/encodings.ts';
import { bytesIn } from '../promises/entries.ts';
import { folder } from '../support/folder.ts';
import { scenariosWith, stageOfFile, watch } from './support.ts';

// What people and the app enter, and what the platform releases, is in no report of the evals.

const seen = vi.hoisted(() => ({ entered: new Set<string>(), released: new Set<string>() }));

/** The only place where the secrets of a request are open. */
vi.mock('../../src/client/request-secrets.ts', async (original) => {
  const real = await original<typeof import('../../src/client/request-secrets.ts')>();
  const sendOpened: typeof real.sendOpened = (operation, body, send) =>
    real.sendOpened(operation, body, (opened) => {
      for (const secret of secretsIn(operation.body, opened)) seen.entered.add(secret);
      return send(opened);
    });
  return { ...real, sendOpened };
});

/** The only place where the secrets of an answer are. */
vi.mock('../../src/engine/seal-answer.ts', async (original) => {
  const real = await original<typeof import('../../src/engine/seal-answer.ts')>();
  const sealAnswer: typeof real.sealAnswer = (vault, ...rest) => {
    const put: typeof vault.put = (rows, secret, keeping) => {
      for (const text of textsIn(reveal(secret))) if (guarded.test(text)) seen.released.add(text);
      return vault.put(rows, secret, keeping);
    };
    return real.sealAnswer({ put }, ...rest);
  };
  return { ...real, sealAnswer };
});

/** Of what the platform releases: a card number, a cryptogram, a signed whole. */
const guarded = /^\d{16}$|^[\w+/]{20,}=+$|^eyJ/;

const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [String(value)];

const stage = stageOfFile();

it('no report has a secret of a story, in any of its formats', { timeout: 300_000 }, async () => {
  const told = await scenariosWith(/\b(?:enters|authenticates|retrieve_credentials)\b/);
  const results = await evaluate(told, stage(), { watch });
  expect(results.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
  const report = reportOf({ by: 'purser 0', mode: 'replay', results, coverage: coverageOf(results), gates: [] });
  const reports = join(folder(), 'reports');
  await write(report, formatsOf('json,junit,md,html,otel'), reports);
  const sinks = bytesIn(reports);
  const secrets = [...seen.entered, ...seen.released];
  console.log(
    `${results.length} scenarios, ${seen.entered.size} secrets entered, ${seen.released.size} released, ${sinks.length} reports`,
  );
  expect([seen.entered.size > 5, seen.released.size > 20, sinks.length]).toEqual([true, true, 5]);
  expect(search(sinks, Object.fromEntries(secrets.map((secret, at) => [`secret ${at}`, secret]))).hits).toEqual([]);
});
