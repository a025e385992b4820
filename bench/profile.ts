import { writeFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openWarm, type Work } from './calls/warm.ts';

// Where a warm call spends its time: the functions with the most time of their own. npm run bench:profile -- <call>
// [--memory] [--seconds 3] [--out file.cpuprofile]. Without a call it names the calls.

const warmUps = 40;
const shown = 10;
const root = fileURLToPath(new URL('..', import.meta.url));
const { values, positionals } = parseArgs({
  options: { memory: { type: 'boolean' }, seconds: { type: 'string', default: '3' }, out: { type: 'string' } },
  allowPositionals: true,
});
const [name = ''] = positionals;
const { works, close } = await openWarm(values);
try {
  const work = works[name];
  if (work === undefined) console.log(Object.keys(works).join('\n'));
  else await profiled(work);
} finally {
  await close();
}

async function profiled(work: Work): Promise<void> {
  const { prepare } = work;
  const prepared = prepare ?? (() => Promise.resolve());
  for (let run = 0; run < warmUps; run += 1) await prepared().then(work);
  const inspector = new Session();
  inspector.connect();
  await inspector.post('Profiler.enable');
  await inspector.post('Profiler.setSamplingInterval', { interval: 200 });
  await inspector.post('Profiler.start');
  const cpu = process.threadCpuUsage();
  const times: number[] = [];
  for (const end = performance.now() + Number(values.seconds) * 1_000; performance.now() < end; ) {
    await prepared();
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  const { user, system } = process.threadCpuUsage(cpu);
  const { profile } = await inspector.post('Profiler.stop');
  times.sort((one, other) => one - other);
  const median = times[times.length >> 1] ?? Number.NaN;
  console.log(
    `${name}: ${times.length} calls, median ${median.toFixed(2)} ms, least ${times[0]?.toFixed(2)} ms, computing ${((user + system) / 1_000 / times.length).toFixed(2)} ms`,
  );
  for (const { part, place } of topOf(profile)) console.log(`${(100 * part).toFixed(1).padStart(5)} %  ${place}`);
  if (values.out !== undefined) writeFileSync(values.out, JSON.stringify(profile));
}

/** The functions with the most time of their own, as parts of the time in which the process was not idle. */
function topOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile) {
  const named = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const times = new Map<string, number>();
  let total = 0;
  for (const [at, id] of samples.entries()) {
    const frame = named.get(id);
    if (frame === undefined || frame.functionName === '(idle)') continue;
    const place = `${frame.functionName || '(anonymous)'} ${shortened(frame.url)}${frame.url === '' ? '' : `:${frame.lineNumber + 1}`}`;
    const time = timeDeltas[at] ?? 0;
    times.set(place, (times.get(place) ?? 0) + time);
    total += time;
  }
  return [...times]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, shown)
    .map(([place, time]) => ({ place, part: time / total }));
}

function shortened(url: string): string {
  return url.startsWith('file:')
    ? fileURLToPath(url)
        .replace(root, '')
        .replace(/^.*node_modules\//, '')
    : url;
}
