import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { cell, computedBy, medianOf, unhurried } from './figures.ts';

// Calls over stdio, each in processes of its own: from the start of one to its first answer, and what one more call takes.

const runs = 7;
const more = 200;

interface Subject {
  readonly name: string;
  readonly command: readonly string[];
  readonly tool: string;
  readonly args: object;
}

interface Measured {
  /** Milliseconds from the start of the process to the answer, and those that it has computed until then. */
  readonly first: number;
  readonly firstComputed: number;
  /** The same of each further call. */
  readonly next: number;
  readonly nextComputed: number;
}

export async function overStdio(folder: string): Promise<readonly object[]> {
  const subjects = subjectsIn(folder);
  const found = new Map<string, Measured[]>();
  for (let run = -1; run < runs; run++)
    for (const subject of subjects) {
      const measured = await once(subject, folder);
      if (run >= 0) found.set(subject.name, [...(found.get(subject.name) ?? []), measured]);
    }
  const figure = (name: string, of: keyof Measured) => medianOf((found.get(name) ?? []).map((it) => it[of]));
  const bare = subjects[0]?.name ?? '';
  return subjects.map(({ name }) => ({
    'over stdio': name,
    'start to answer, ms': cell(figure(name, 'first'), 0),
    computing: cell(figure(name, 'firstComputed'), 0),
    'to bare': cell(figure(name, 'firstComputed') / figure(bare, 'firstComputed')),
    'one more call, ms': cell(figure(name, 'next')),
    'computing ': cell(figure(name, 'nextComputed')),
    'to bare ': cell(figure(name, 'nextComputed') / figure(bare, 'nextComputed')),
  }));
}

function subjectsIn(folder: string): readonly Subject[] {
  const config = join(folder, 'unhurried.json');
  writeFileSync(config, unhurried, { mode: 0o600 });
  const purser = ['dist/purser.js', 'mcp', '--config', config, '--data', join(folder, 'data')];
  const late = {
    ...{ card: 'card_ada', reference: 'order-late', limit: { amount: '40.00', currency: 'GBP' } },
    ...{ until: '2020-01-01T00:00:00Z', description: 'Headphones' },
  };
  return [
    {
      name: 'bare',
      command: [join(folder, 'bare-start.js'), join(folder, 'cache')],
      tool: 'add',
      args: { a: 1, b: 2 },
    },
    { name: 'get_limits', command: purser, tool: 'get_limits', args: {} },
    { name: 'list_cards', command: purser, tool: 'list_cards', args: { shopper: 'shopper_ada' } },
    { name: 'refused argument', command: purser, tool: 'cancel_purchase', args: { instruction: 7 } },
    { name: 'refused guard', command: purser, tool: 'initiate_purchase', args: late },
  ];
}

async function once({ command, tool, args }: Subject, folder: string): Promise<Measured> {
  const began = performance.now();
  const child = spawn(process.execPath, command, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, XDG_CACHE_HOME: join(folder, 'cache'), XDG_STATE_HOME: join(folder, 'state') },
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const tell = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = async (id: number, method: string, params: object): Promise<void> => {
    tell({ id, method, params });
    for (let line = await lines.next(); line.done !== true; line = await lines.next())
      if ((JSON.parse(line.value) as { id?: number }).id === id) return; // by MCP
    throw new Error(`${command.join(' ')} ended without an answer: run "npm run build".`);
  };
  const pid = child.pid ?? 0;
  const call = (id: number) => ask(id, 'tools/call', { name: tool, arguments: args });
  await ask(1, 'initialize', {
    ...{ protocolVersion: '2025-06-18', capabilities: {} },
    clientInfo: { name: 'bench', version: '1.0.0' },
  });
  tell({ method: 'notifications/initialized' });
  await call(2);
  const first = { at: performance.now(), computed: computedBy(pid) };
  for (let count = 0; count < more; count++) await call(3 + count);
  const last = { at: performance.now(), computed: computedBy(pid) };
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.stdin.end();
  await gone;
  return {
    first: first.at - began,
    firstComputed: first.computed,
    next: (last.at - first.at) / more,
    nextComputed: (last.computed - first.computed) / more,
  };
}
