import { replay } from '../../evals/harness/replay/replay.ts';
import { isCall } from '../../evals/harness/scenario/schema.ts';
import type { Tools } from '../../evals/harness/world/mcp.ts';
import type { Sent } from '../../evals/harness/world/wire.ts';
import type { TestHarness } from '../../evals/harness/world/world.ts';
import type { Snapshot } from '../../src/sandbox/index.ts';
import { everyScenario } from '../evals/support.ts';
import { type Found, tally } from '../support/found.ts';
import { type Numbers, numbers } from '../support/numbers.ts';
import { Bench } from './support.ts';

// Requests of scenarios with one value in the place of another, as no program should send them, each in the very moment in which the
// scenario sent its own. The sandbox answers each, and what it takes keeps nothing from going on.

/** Texts and values that programs trip over. */
const spoilers: readonly unknown[] = [
  ...[
    '',
    ' ',
    '.',
    '..',
    '../../x',
    'a/b',
    '%',
    '%2e',
    "'",
    '?a=1#b',
    'a\nb',
    '\0',
    '\ud800',
    '\u202e',
    '💳',
    'é'.repeat(300),
  ],
  ...['__proto__', 'constructor', 'NaN', '-1', '0', '1e309', '9'.repeat(20), '0.'.padEnd(40, '9')],
  ...['2026-02-30', '0000-00-00', '+275760-09-13', '9999-12-31T23:59:59Z', 'P0D', 'PT0S', 'P1D1D', '24:00', '2460'],
  ...[null, true, 0, -1, 1e308, 0.1, [], {}, [null], [[]], [{}], { a: 1 }],
];

type Path = readonly (string | number)[];

/** Every place in a body. */
function places(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).map(([name, it]) => [Array.isArray(value) ? Number(name) : name, it] as const);
  return [path, ...inner.flatMap(([name, it]) => places(it, [...path, name]))];
}

function put(value: unknown, [name, ...rest]: Path, instead: unknown): unknown {
  if (name === undefined) return instead;
  if (Array.isArray(value)) return value.map((it, at) => (at === name ? put(it, rest, instead) : it));
  const of = value as Readonly<Record<string, unknown>>; // a path leads through objects and lists
  return { ...of, [name]: put(of[name], rest, instead) };
}

/** A request with one value in the place of another: in its body, its query or its path. */
function spoiled({ path, body }: Sent, random: Numbers) {
  const [bare = '', query = ''] = path.split('?');
  const content: unknown = body === '' ? undefined : JSON.parse(body);
  const inBody = content === undefined ? [] : places(content);
  const inQuery = [...new URLSearchParams(query).keys()];
  const parts = bare.split('/');
  const inPath = parts.flatMap((part, at) => (/\d/.test(part) && part.length > 2 ? [at] : []));
  const place = random(inBody.length + inQuery.length + inPath.length);
  const instead = random.of(spoilers);
  const text = encodeURIComponent(String(typeof instead === 'string' ? instead.toWellFormed() : instead));
  if (place < inBody.length) {
    const at = inBody[place] ?? [];
    return { path, body: put(content, at, instead), what: `${at.join('.')} ${JSON.stringify(instead)}` };
  }
  const name = inQuery[place - inBody.length];
  if (name !== undefined) {
    const others = new URLSearchParams(query);
    others.delete(name);
    return {
      path: `${bare}?${name}=${text}${others.size > 0 ? `&${others}` : ''}`,
      body: content,
      what: `?${name} ${text}`,
    };
  }
  const at = inPath[place - inBody.length - inQuery.length];
  const otherwise = parts.map((part, index) => (index === at ? text : part)).join('/');
  return { path: query === '' ? otherwise : `${otherwise}?${query}`, body: content, what: `in its path ${text}` };
}

/** Milliseconds of work after which a request keeps the process from everything else. Own choice: most take less than ten. */
const longest = 1_500;

/** Sends this many spoiled requests, of scenarios that the seed draws. */
export async function spoiledRequests(count: number, seed: number, stage: TestHarness): Promise<Found> {
  const random = numbers(seed);
  const { count: note, find, found } = tally();
  // A fault that is due would spoil the answer, too.
  const all = (await everyScenario()).filter(
    ({ scenario: { steps } }) => steps.some(isCall) && !steps.some((step) => 'fault' in step),
  );
  const perRequest = Math.max(3, Math.ceil(count / 2_000));
  let sentSoFar = 0;

  const answer = async (bench: Bench, what: string, method: string, path: string, body?: unknown) => {
    const began = process.threadCpuUsage();
    try {
      const { status } = await bench.call(method, path, body);
      const milliseconds = process.threadCpuUsage(began).user / 1_000;
      if (status >= 500) find(`${what}: ${status} of ${method} ${path}`);
      if (milliseconds > longest) find(`${what}: ${method} ${path} took ${Math.round(milliseconds)} ms`);
      return status;
    } catch (error) {
      find(`${what}: ${method} ${path} has no answer, ${error instanceof Error ? error.message : error}`);
      return 500;
    }
  };

  const sendOne = async (then: Snapshot, sent: Sent, reads: readonly Sent[], id: string): Promise<void> => {
    const { path, body, what } = spoiled(sent, random);
    const bench = new Bench();
    await bench.sandbox.world.restore(then);
    const about = `${id}, ${sent.method} ${sent.path}, ${what}`;
    const status = await answer(bench, about, sent.method, path, body);
    const isTaken = status < 300;
    sentSoFar += 1;
    note(isTaken ? 'taken' : 'refused');
    if (isTaken && sent.method !== 'GET')
      for (const days of [1, 40]) {
        await answer(bench, about, 'POST', '/sandbox/clock', { advance: `P${days}D` });
        for (const read of reads) await answer(bench, about, 'GET', read.path);
      }
    await bench.sandbox.close();
  };

  while (sentSoFar < count) {
    const { scenario } = random.of(all);
    const world = await stage.open(scenario.world);
    const callTool: Tools['callTool'] = async (tool, args) => {
      const [then, first] = [await world.snapshot(), world.wire.sent()];
      const answered = await world.tools.callTool(tool, args);
      const requests = world.wire.requests().slice(first);
      const good = requests.filter(({ path, status = 500 }) => path.startsWith('/') && status < 300);
      const reads = world.wire.requests().filter(({ method, status = 500 }) => method === 'GET' && status < 300);
      for (const sent of good)
        for (let more = 0; more < perRequest && sentSoFar < count; more += 1)
          await sendOne(then, sent, reads.slice(-3), scenario.id);
      return answered;
    };
    await replay(scenario, { tools: { ...world.tools, callTool }, world });
  }
  note('requests', sentSoFar);
  return found();
}
