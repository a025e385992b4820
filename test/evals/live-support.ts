import { onTestFinished } from 'vitest';
import type { Journal } from '../../evals/harness/live/journal.ts';
import { type LiveOptions, live } from '../../evals/harness/live/live.ts';
import { apis, type Model, type ModelOptions } from '../../evals/harness/live/model.ts';
import { openModel } from '../../evals/harness/live/open-model.ts';
import { worldsAsTarget } from '../../evals/harness/replay/target.ts';
import type { Report } from '../../evals/harness/reports/report.ts';
import type { Loaded } from '../../evals/harness/scenario/load.ts';
import type { Scenario } from '../../evals/harness/scenario/schema.ts';
import type { TestHarness } from '../../evals/harness/world/world.ts';
import { Secret } from '../../src/core/secret.ts';
import { type Line, type OpenaiServer, openaiServer } from '../support/openai-server.ts';
import { watch } from './support.ts';

/** A journal that keeps nothing. */
const noJournal: Journal = { finished: () => undefined, add: () => undefined, end: () => undefined };

// A model on loopback that says what its script says; nothing here needs a network, and nothing waits.

export const key = 'sk-of-the-live-tests-0123456789';

/** Every way in which a model is asked. */
export const ways = apis.flatMap((api) => [false, true].map((stream) => ({ api, stream })));

/** A server that plays a script, gone when the test ends. */
export async function scripted(script: readonly Line[]): Promise<OpenaiServer> {
  const server = await openaiServer(script);
  onTestFinished(() => server.close());
  return server;
}

/** A model behind a server. `waits` hears how long it would have waited. */
export const modelAt = (server: OpenaiServer, way: Partial<ModelOptions> = {}, waits: number[] = []): Promise<Model> =>
  openModel({
    ...{ api: 'chat', model: 'scripted', baseUrl: server.url, key: new Secret(key), stream: false },
    timeoutMilliseconds: 20_000,
    waiting: { wait: async (milliseconds) => void waits.push(milliseconds), now: () => Date.UTC(2026, 0, 15) },
    ...way,
  });

const loadedOf = (...scenarios: readonly Scenario[]): readonly Loaded[] =>
  scenarios.map((scenario) => ({ scenario, file: `${scenario.id}.yaml` }));

/** Lets a model play scenarios on a harness, one trial after the other. */
export const playLive = (
  harness: TestHarness,
  scenarios: readonly Scenario[],
  agent: Model,
  more: Partial<Omit<LiveOptions, 'players'>> & { readonly players?: Partial<LiveOptions['players']> } = {},
): Promise<Report> =>
  live({
    loaded: loadedOf(...scenarios),
    places: [worldsAsTarget(harness)],
    ...{ trials: 1, threshold: 1, journal: noJournal, watch, by: 'purser 0' },
    named: { model: 'scripted', api: 'chat', stream: false },
    ...more,
    players: { agent, policy: 'Be good.', mostTurns: 20, secrets: [key], ...more.players },
  });

/** The part of a report that every run in live mode has. */
export function liveOf({ live: it }: Report) {
  if (it === undefined) throw new Error('A report of live mode says what was live.');
  return it;
}

/** What happened in the trial that a report shows of its first scenario, in short. */
export const shortly = ({ scenarios: [first] }: Report): readonly string[] =>
  (first?.transcript ?? []).map((it) =>
    it.kind === 'call' ? `${it.tool} ${it.outcome ?? (it.isError ? 'error' : 'answered')}` : `${it.kind}: ${it.text}`,
  );
