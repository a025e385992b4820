import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bill } from '../engine/invoicing.ts';
import { type Line, openaiServer } from '../support/openai-server.ts';

// The examples as a reader runs them, with a scripted model behind an OpenAI-compatible server on loopback.

const root = fileURLToPath(new URL('../..', import.meta.url));
const names = readdirSync(`${root}examples`).filter((name) => name.endsWith('.ts'));

const create = (reference: string): Line => ({
  calls: [{ name: 'create_invoice', arguments: bill({ reference, due: '2099-12-31' }) }],
});
const script: readonly Line[] = [
  { calls: [{ name: 'list_invoices', arguments: {} }] },
  create('first'),
  { text: 'The invoice is there.' },
  create('second'),
  { text: 'Then there is none.' },
];

/** Runs an example at a terminal: says the next thing whenever it asks for one, and leaves after the last. */
async function talk(name: string, says: readonly string[], url: string): Promise<string> {
  const env = { PATH: process.env.PATH ?? '', OPENAI_API_KEY: 'none', OPENAI_BASE_URL: url };
  const tsx = fileURLToPath(import.meta.resolve('tsx/cli'));
  const child: ChildProcess = spawn(process.execPath, [tsx, `examples/${name}`], { cwd: root, env });
  onTestFinished(() => void child.kill());
  const left = [...says];
  let [shown, answered] = ['', 0];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      shown += chunk;
      const asked = shown.match(/(?:you> |\(yes\/no\) )/g)?.length ?? 0;
      for (; answered < asked; answered += 1) {
        const next = left.shift();
        if (next === undefined) child.stdin?.end();
        else child.stdin?.write(`${next}\n`);
      }
    });
  const code = await new Promise((ended) => child.on('close', ended));
  return `${shown}\nexit ${code}`;
}

describe.each(names)('examples/%s', (name) => {
  it('reads, asks the person before it bills, does what they approve, and nothing that they deny', async () => {
    const server = await openaiServer(script);
    onTestFinished(() => server.close());
    const shown = await talk(name, ['Bill Ann 40.00.', 'yes', 'And once more.', 'no'], server.url);
    expect(shown).toMatch(/exit 0$/);
    expect(shown.match(/assistant> .*$/gm)).toEqual([
      'assistant> The invoice is there.',
      'assistant> Then there is none.',
    ]);
    // The person reads Purser's own text, once for each call that waits.
    expect(shown.match(/^Invoice: .*$/gm)).toEqual(['Invoice: "first"', 'Invoice: "second"']);
    const outputs = server.asked.at(-1)?.outputs ?? [];
    expect(outputs.slice(0, 2)).toMatchObject([
      { outcome: 'done', data: { items: [] } },
      { outcome: 'done', data: { state: 'SENT' } },
    ]);
    expect(JSON.stringify(outputs[2])).toMatch(/APPROVAL_DENIED|The merchant said no/);
    expect(server.left()).toBe(0);
  });
});

it('there is one for each framework that has approvals of its own in a terminal', () => {
  expect(names.toSorted()).toEqual(['langchain.ts', 'openai.ts']);
});
