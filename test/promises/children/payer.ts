import { once } from 'node:events';
import { flushCompileCache } from 'node:module';
import { connect } from 'node:net';
import { compose } from '../../../src/cli/compose.ts';
import { readConfiguration } from '../../../src/cli/config.ts';
import type { Platform } from '../../../src/client/platform.ts';
import type { FailPoint } from '../../../src/engine/settings.ts';
import type { Job } from '../cycles.ts';

// A Purser of its own that is told one call, begins it, and kills itself where the job says.

let job: Job | undefined;

const die = () => process.kill(process.pid, 'SIGKILL');
const dieAt = (point: FailPoint) => {
  if (job?.point === point) die();
};

/** Writes the head of a request and half of its body, so that the platform has begun to read it. */
async function writePartly(request: Request): Promise<void> {
  const url = new URL(request.url);
  const body = new Uint8Array(await request.arrayBuffer());
  const head = [
    `${request.method} ${url.pathname} HTTP/1.1`,
    `host: ${url.host}`,
    ...[...request.headers].map(([name, value]) => `${name}: ${value}`),
    `content-length: ${body.length}`,
  ];
  const socket = connect(Number(url.port), url.hostname);
  await once(socket, 'connect');
  await new Promise((written) => socket.write(`${head.join('\r\n')}\r\n\r\n`, written));
  await new Promise((written) => socket.write(body.subarray(0, body.length / 2), written));
}

const dangerous =
  (real: Platform): Platform =>
  async (request) => {
    if (job?.point === 'F3' && job.partly) {
      await writePartly(request);
      die();
    }
    const response = await real(request);
    dieAt('F4');
    return response;
  };

const { engine } = await compose(readConfiguration(process.env), {
  clock: { now: () => job?.now ?? 0 },
  failpoint: dieAt,
  platform: dangerous,
});
flushCompileCache(); // who is killed leaves no cache behind, and the next would compile everything again
process.send?.('ready');
const [told] = (await once(process, 'message')) as [Job];
job = told;
const caller = { tenant: 'default', principal: 'agent' };
const answer = await engine.call(told.tool, told.args, caller);
await new Promise((sent) => process.send?.(answer, sent));
dieAt('F7');
await engine.call('get_operation', { operation: answer.operation }, caller);
dieAt('F8');
process.exit(1);
