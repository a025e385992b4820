// A promptfoo provider that plays a scenario of `purser eval`: promptfoo compares models and shows the table, Purser's
// worlds and graders say whether it went well. The prompt is what the agent is told of its part.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// promptfoo loads the default export.
export default class PurserProvider {
  constructor({ id, config = {} } = {}) {
    this.config = config;
    this.name = id ?? `purser:${config.model}`;
  }

  id() {
    return this.name;
  }

  /** Plays the scenario that the test names in its variable `scenario`. */
  async callApi(prompt, { vars }) {
    const folder = await mkdtemp(join(tmpdir(), 'purser-promptfoo-'));
    try {
      const policy = join(folder, 'policy.md');
      await writeFile(policy, prompt);
      return answerOf(await evaluate(this.config, policy, folder, vars.scenario));
    } catch (error) {
      return { error: error.message };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

/** Runs the command, and reads its report. Codes 0 to 4 are verdicts; without a report there was none. */
async function evaluate(
  { purser = ['npx', 'purser'], model, baseUrl, api = 'chat', trials = 1 },
  policy,
  out,
  scenario,
) {
  const [command, ...first] = purser;
  const options = ['--mode', 'live', '--model', model, '--api', api, '--policy', policy, '--trials', String(trials)];
  const where = baseUrl === undefined ? [] : ['--base-url', baseUrl];
  const args = [...first, 'eval', scenario, ...options, ...where, '--report', 'json', '--out', out];
  const said = await new Promise((resolve) => {
    execFile(command, args, (_, __, stderr) => resolve(stderr));
  });
  try {
    return JSON.parse(await readFile(join(out, 'report.json'), 'utf8'));
  } catch {
    throw new Error(said.trim() || 'purser eval wrote no report.');
  }
}

function answerOf({ scenarios: [scenario], live }) {
  const { input, cached, output } = live.tokens.agent;
  const [lost] = live.infrastructure;
  if (live.counted === 0 && lost !== undefined) return { error: lost.because };
  return {
    output: JSON.stringify({
      verdict: scenario.verdict,
      failures: scenario.failures,
      harmed: live.harmed,
      passed: live.passed,
      counted: live.counted,
      said: scenario.transcript.filter(({ kind }) => kind === 'say').map(({ text }) => text),
    }),
    tokenUsage: { total: input + output, prompt: input, completion: output, cached },
    metadata: { transcript: scenario.transcript },
  };
}
