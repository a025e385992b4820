import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { fileWith } from '../faces/cli.ts';
import { read } from '../house/files.ts';
import type { Line } from '../support/openai-server.ts';
import { key, scripted } from './live-support.ts';
import { enrolled } from './support.ts';

const folder = 'evals/examples/promptfoo';
const root = fileURLToPath(new URL('../..', import.meta.url));
/** What promptfoo loads, as it loads it. */
const { default: Provider } = await import(`${root}${folder}/provider.mjs`);

const good: readonly Line[] = [
  { calls: [{ name: 'enroll_card', arguments: { card: 'card_ada' } }], usage: { input: 90, cached: 10, output: 9 } },
  { text: 'Done.', usage: { input: 95, output: 2 } },
];
const scenario = (): string => {
  const it = { ...enrolled(), user: { goal: 'Have my card set up' } };
  return fileWith(stringify(it), `${it.id}.yaml`);
};

describe('the provider for promptfoo', () => {
  const asked = async (script: readonly Line[]) => {
    const server = await scripted(script);
    vi.stubEnv('OPENAI_API_KEY', key);
    onTestFinished(() => void vi.unstubAllEnvs());
    const purser = [process.execPath, `${root}dist/purser.js`];
    const provider = new Provider({ config: { purser, model: 'scripted', baseUrl: server.url } });
    const answer = await provider.callApi('Be kind.', { vars: { scenario: scenario() } });
    return { server, provider, answer };
  };

  it('plays the scenario of a test with its prompt as the policy', async () => {
    const { server, provider, answer } = await asked(good);
    expect(provider.id()).toBe('purser:scripted');
    expect(JSON.stringify(server.asked[0]?.body.messages[0])).toContain('Be kind.');
    expect(JSON.parse(answer.output)).toEqual({
      ...{ verdict: 'pass', failures: [], harmed: 0, passed: 1, counted: 1, said: ['Done.'] },
    });
    expect(answer.tokenUsage).toEqual({ total: 196, prompt: 185, completion: 11, cached: 10 });
  });

  it('tells a failure as a verdict, and a lost trial as an error', async () => {
    expect(JSON.parse((await asked([{ text: 'No.' }])).answer.output)).toMatchObject({ verdict: 'fail', passed: 0 });
    expect((await asked([{ status: 401 }])).answer).toEqual({ error: "The model's API answered 401." });
  });

  it('stands beside a configuration whose files are there', () => {
    const { prompts, tests } = parse(read(`${folder}/promptfooconfig.yaml`));
    expect(prompts).toEqual(['file://../../policy.md']);
    for (const { vars } of tests) expect(read(vars.scenario)).toContain('goal:');
  });
});
