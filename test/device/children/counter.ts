import { once } from 'node:events';
import { createServer } from 'node:http';
import { flushCompileCache } from 'node:module';
import { compose } from '../../../src/cli/compose.ts';
import { readConfiguration } from '../../../src/cli/config.ts';
import { realIds } from '../../../src/cli/ids.ts';
import type { FailPoint } from '../../../src/engine/settings.ts';
import { openBridge } from '../../../src/reader/bridge.ts';
import { readerTransport } from '../../../src/reader/transport.ts';

// A Purser of its own with the bridge to a card reader: it is told one charge, begins it, and kills itself where the job says.

/** What one process is told to do, and where it dies. At F3 and F4 the reader's side kills it. */
export interface Job {
  readonly point: FailPoint;
  readonly args: object;
  readonly now: number;
}

let job: Job | undefined;

const bridge = openBridge({ version: '0.0.0', configuration: {}, newId: realIds.uuid });
const server = createServer().on('upgrade', (request, socket, head) => void bridge.accept(request, socket, head));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { engine } = await compose(readConfiguration(process.env), {
  clock: { now: () => job?.now ?? 0 },
  failpoint: (point, operation) => {
    if (job?.point === point && operation === 'chargeDevice') process.kill(process.pid, 'SIGKILL');
  },
  reader: () => readerTransport(bridge.reader),
});
flushCompileCache(); // who is killed leaves no cache behind, and the next would compile everything again
process.send?.(server.address());
const [told] = (await once(process, 'message')) as [Job];
job = told;
const caller = { tenant: 'default', principal: 'agent' };
const answer = await engine.call('charge_device', told.args, caller);
await new Promise((sent) => process.send?.(answer, sent));
if (job.point === 'F7') process.kill(process.pid, 'SIGKILL');
await engine.call('get_operation', { operation: answer.operation }, caller);
if (job.point === 'F8') process.kill(process.pid, 'SIGKILL');
process.exit(1);
