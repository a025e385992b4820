import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { cell, computedBy, medianOf, unhurried } from './figures.ts';

// Calls over stdio, each in processes of its own: from the start of one to its first answer, and what one more call takes. So many
// more calls need a configuration file without rates, and most starts have no file, so starts are measured without it.

const runs = 7;
const more = 200;

interface Subject {
  readonly name: string;
  readonly command: readonly string[];
  /** The arguments of a start whose calls are never refused for their speed. */
  readonly unhurried?: readonly string[];
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
  const purser = {
    command: ['dist/purser.js', 'mcp', '--data', join(folder, 'data')],
    unhurried: ['--config', config],
  };
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
    { name: 'get_limits', ...purser, tool: 'get_limits', args: {} },
    { name: 'list_cards', ...purser, tool: 'list_cards', args: { shopper: 'shopper_ada' } },
    { name: 'refused argument', ...purser, tool: 'cancel_purchase', args: { instruction: 7 } },
    { name: 'refused guard', ...purser, tool: 'initiate_purchase', args: late },
  ];
}

async function once(subject: Subject, folder: string): Promise<Measured> {
  const cold = await begun(subject, folder, []);
  const first = { at: performance.now(), computed: computedBy(cold.pid) };
  await cold.end();
  const warm = await begun(subject, folder, subject.unhurried ?? []);
  const began = { at: performance.now(), computed: computedBy(warm.pid) };
  for (let count = 0; count < more; count++) await warm.call();
  const last = { at: performance.now(), computed: computedBy(warm.pid) };
  await warm.end();
  return {
    first: first.at - cold.began,
    firstComputed: first.computed,
    next: (last.at - began.at) / more,
    nextComputed: (last.computed - began.computed) / more,
  };
}

/** A process that has answered one call. */
async function begun({ command, tool, args }: Subject, folder: string, options: readonly string[]) {
  const began = performance.now();
  const child = spawn(process.execPath, [...command, ...options], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, XDG_CACHE_HOME: join(folder, 'cache'), XDG_STATE_HOME: join(folder, 'state') },
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const tell = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let asked = 0;
  const ask = async (method: string, params: object): Promise<void> => {
    asked += 1;
    const id = asked;
    tell({ id, method, params });
    for (let line = await lines.next(); line.done !== true; line = await lines.next())
      if ((JSON.parse(line.value) as { id?: number }).id === id) return; // by MCP
    throw new Error(`${command.join(' ')} ended without an answer: run "npm run build".`);
  };
  const call = () => ask('tools/call', { name: tool, arguments: args });
  await ask('initialize', {
    ...{ protocolVersion: '2025-06-18', capabilities: {} },
    clientInfo: { name: 'bench', version: '1.0.0' },
  });
  tell({ method: 'notifications/initialized' });
  await call();
  return {
    began,
    call,
    pid: child.pid ?? 0,
    end: async () => {
      const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.stdin.end();
      await gone;
    },
  };
}
