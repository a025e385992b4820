import { describe, expect, it, onTestFinished } from 'vitest';
import { checkServer } from '../../evals/harness/external/check.ts';
import type { Server } from '../../evals/harness/external/server.ts';
import { catalogueOf, serverPlace } from '../../evals/harness/external/target.ts';
import { Secret } from '../../src/core/secret.ts';
import { fileWith } from '../faces/cli.ts';
import { counterAt, token } from '../support/counter-http.ts';
import { watch } from './support.ts';

const counter = async (span: Parameters<typeof counterAt>[0] = {}): Promise<Server> => {
  const { close, ...server } = await counterAt(span);
  onTestFinished(close);
  return server;
};

const scenario = (by: number, from: number) => `id: count-001-goes-up
title: The counter goes up
rules: [CT-01]
declares: { CT-01: { says: The counter never goes down. } }
observe: { counter: { call: read } }
steps:
  - call: add
    args: { by: ${by} }
    expect: { error: false }
expect:
  state: { counter.count: ${by + from} }
`;

const checked = async (server: Server, text: string) =>
  checkServer({
    ...{ paths: [fileWith(text, 'count-001-goes-up.yaml')], catalogue: await catalogueOf(server) },
    ...{ place: serverPlace(server), by: 'purser 0', watch },
  });

describe('a server at a URL', () => {
  it('is judged over Streamable HTTP, with its token; it keeps what earlier scenarios did', async () => {
    const server = await counter();
    expect((await checked(server, scenario(2, 0))).scenarios.map(({ failures }) => failures)).toEqual([[]]);
    expect((await checked(server, scenario(3, 2))).scenarios.map(({ failures }) => failures)).toEqual([[]]);
  });

  it('repeats its token in no report', async () => {
    const text = scenario(2, 0).replace('steps:', 'steps:\n  - call: tell');
    const report = await checked(await counter(), text);
    expect(report.summary.passed).toBe(1);
    expect(JSON.stringify(report)).not.toContain(token);
    expect(report.scenarios[0]?.transcript).toMatchObject([{ tool: 'tell', answer: '[hidden]' }, { tool: 'add' }]);
  });

  it('that dies in the middle is no verdict about it', async () => {
    const server = await counter({ dies: 2 });
    expect((await checked(server, scenario(2, 0))).summary.passed).toBe(1);
    const { summary, scenarios } = await checked(server, scenario(2, 2));
    expect(summary).toMatchObject({ passed: 0, failed: 0, judgeErrors: 1 });
    expect(scenarios[0]).toMatchObject({
      verdict: 'judge error',
      failures: [{ grader: 'server', because: expect.stringContaining(`${server.at} gave no answer to add`) }],
    });
  });

  it('that is gone is told with the reason', async () => {
    const { close, ...server } = await counterAt({});
    const known = await catalogueOf(server);
    await close();
    const place = serverPlace(server);
    const report = await checkServer({
      ...{ paths: [fileWith(scenario(2, 0), 'count-001-goes-up.yaml')], catalogue: known },
      ...{ place, by: 'purser 0', watch },
    });
    expect(report.scenarios[0]?.failures).toMatchObject([{ because: expect.stringMatching(/fetch failed: \S/) }]);
  });

  it('that takes no such token does not answer, and nobody reads the token', async () => {
    const server = { ...(await counter()), token: new Secret('another-token-0002') };
    const failed = await catalogueOf(server).catch((error: Error) => error);
    expect(failed).toMatchObject({ message: expect.stringContaining(`No MCP server answers at ${server.at}`) });
    expect(String(failed)).not.toContain('another-token');
  });
});
