import { flushCompileCache } from 'node:module';
import { compose } from '../../../src/cli/compose.ts';
import { readConfiguration } from '../../../src/cli/config.ts';
import type { FailPoint } from '../../../src/engine/settings.ts';
import { withLoyalty } from '../../support/made-up-domain.ts';
import type { Entry } from '../entries.ts';

// A Purser of its own that is told secrets to enter, and kills itself where the entry says. It prints all that it answers.

let entry: Entry | undefined;
let deadly: FailPoint | undefined;
const dieAt = (point: FailPoint) => {
  if (point === deadly) process.kill(process.pid, 'SIGKILL');
};

const running = await compose(readConfiguration(process.env), {
  clock: { now: () => entry?.now ?? 0 },
  failpoint: dieAt,
});
const engine = withLoyalty(running.engine.parts, {
  served: async () => {
    dieAt('F3');
    await new Promise((sent) => process.send?.('arrived', sent));
    dieAt('F4');
    return Response.json({ reason: 'INVALID_DATA', message: 'no' }, { status: 400 });
  },
});
flushCompileCache(); // who is killed leaves no cache behind, and the next would compile everything again
process.send?.('ready');
process.on('message', async (told: Entry) => {
  entry = told;
  deadly = told.point;
  await enter(told);
  deadly = undefined;
  process.send?.('over');
});
process.on('disconnect', () => process.exit(0));

async function enter({ tool, args, role }: Entry): Promise<void> {
  const caller = { tenant: 'default', principal: 'agent', role };
  const answer = await engine.call(tool, args, caller);
  await new Promise((sent) => process.stdout.write(`${JSON.stringify(answer)}\n`, sent));
  dieAt('F7');
  await new Promise((sent) => process.send?.(answer, sent));
  dieAt('F8');
}
