import { describe, expect, it, onTestFinished } from 'vitest';
import type { Server } from '../../evals/harness/external/server.ts';
import { serverPlace } from '../../evals/harness/external/target.ts';
import type { Target } from '../../evals/harness/replay/target.ts';
import { htmlPage } from '../../evals/harness/reports/html/page.ts';
import { junit } from '../../evals/harness/reports/junit.ts';
import { markdown } from '../../evals/harness/reports/markdown.ts';
import { otel } from '../../evals/harness/reports/otel.ts';
import { defineScenario } from '../../evals/harness/scenario/schema.ts';
import { programOf } from '../support/bundled.ts';
import { counterAt } from '../support/counter-http.ts';
import type { Line } from '../support/openai-server.ts';
import { liveOf, modelAt, playLive, scripted } from './live-support.ts';

// A model plays on a server that goes away: a lost server costs the trial that it was lost in, and nothing else.

const counting = defineScenario({
  id: 'count-001-goes-up',
  title: 'The counter goes up',
  rules: ['CT-01'],
  declares: { 'CT-01': { says: 'The counter never goes down.' } },
  observe: { counter: { call: 'read' } },
  user: { goal: 'Count two more' },
  steps: [{ user: 'Two more.' }, { call: 'add', args: { by: 2 } }],
  expect: { changed: ['counter'] },
});
const other = defineScenario({ ...counting, id: 'count-002-goes-up-again' });

const { file } = await programOf(new URL('../support/counter-server.ts', import.meta.url));
const started = (program: string): Server => ({
  at: `"${process.execPath}" ${program}`,
  environment: { COUNTER_FILE: '{folder}/count' },
  version: '0',
});
const counter = started(`"${file}"`);
const gone = started('-e 0');

const calls = (name: string, args: object = {}): Line => ({ calls: [{ name, arguments: args }] });
const good: readonly Line[] = [calls('add', { by: 2 }), { text: 'Two more.' }];

const play = async (place: Target, script: readonly Line[], trials: number) => {
  const model = await scripted(script);
  const more = { places: [place], trials };
  const report = await playLive(undefined as never, [counting, other], await modelAt(model), more);
  return { report, left: model.left() };
};

/** A place whose `nth` opening is on a server that does not start. */
function failing(nth: number): Target {
  let opened = 0;
  const [works, fails] = [serverPlace(counter), serverPlace(gone)];
  return {
    open: (scenario) => {
      opened += 1;
      return (opened === nth ? fails : works).open(scenario);
    },
    close: async () => undefined,
  };
}

describe('a server that is lost', () => {
  const lostTo = (tool: string, { at }: Server) => [
    { scenario: counting.id, trial: 1, because: expect.stringContaining(`${at} gave no answer to ${tool}`) },
  ];

  it('costs one trial where its process ends, and the run goes on with a fresh one', async () => {
    const { report, left } = await play(serverPlace(counter), [calls('die'), ...good, ...good, ...good], 2);
    expect(liveOf(report)).toMatchObject({
      counted: 3,
      passed: 3,
      notBegun: 0,
      infrastructure: lostTo('die', counter),
    });
    expect([report.scenarios.map(({ verdict }) => verdict), left]).toEqual([['pass', 'pass'], 0]);
  });

  it('costs one trial where its connection is cut', async () => {
    const server = await counterAt({ cuts: 1 });
    onTestFinished(server.close);
    const { report } = await play(serverPlace(server), [calls('add', { by: 2 }), ...good, ...good, ...good], 2);
    expect(liveOf(report)).toMatchObject({ counted: 3, passed: 3, infrastructure: lostTo('add', server) });
  });

  it('costs one trial where it does not start', async () => {
    const { report } = await play(failing(2), [...good, ...good, ...good], 2);
    expect(liveOf(report)).toMatchObject({
      counted: 3,
      passed: 3,
      infrastructure: [{ scenario: counting.id, trial: 2 }],
    });
    expect(liveOf(report).infrastructure[0]?.because).toMatch(/^No MCP server answers at /);
  });

  it('in every trial of a scenario leaves it without a verdict, which is no pass', async () => {
    const { report } = await play(serverPlace(counter), [calls('die'), ...good], 1);
    expect(report.summary).toMatchObject({ passed: 1, failed: 0, judgeErrors: 1 });
    expect(report.scenarios[0]).toMatchObject({ verdict: 'judge error', failures: [{ at: 'trials' }] });
  });

  it('is named in every report, as an error that is no failure', async () => {
    const { report } = await play(serverPlace(counter), [calls('die'), ...good, ...good, ...good], 2);
    const xml = junit(report);
    expect(xml).toContain('<testsuites name="purser eval" tests="3" failures="0" errors="1"');
    expect(xml).toContain(
      '<testcase classname="trials" name="count-001-goes-up, trial 1" time="0"><error message="The MCP',
    );
    expect(markdown(report)).toMatch(
      /## Trials that were lost\n\n- \*\*count-001-goes-up\*\*, trial 1: The MCP server/,
    );
    expect(htmlPage(report)).toMatch(
      /<h3>Lost, .*<a href="#s-count-001-goes-up">count-001-goes-up<\/a>, trial 1: The MCP/s,
    );
    expect(otel(report)).toMatch(/"key":"error.type","value":{"stringValue":"lost"}.*"message":"The MCP server/);
  });
});
