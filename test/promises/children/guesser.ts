import { flushCompileCache } from 'node:module';
import { compose } from '../../../src/cli/compose.ts';
import { readConfiguration } from '../../../src/cli/config.ts';
import type { FailPoint } from '../../../src/engine/settings.ts';
import { settleUnknown } from '../../../src/engine/settle-unknown.ts';
import type { Entry } from '../entries.ts';

// A Purser of its own that tries one code for an authentication, and kills itself where the entry says. It prints all that it
// answers. The platform takes no code for right, and a person finds of every lost try that it never happened.

let entry: Entry | undefined;
let deadly: FailPoint | undefined;
const dieAt = (point: FailPoint) => {
  if (point === deadly) process.kill(process.pid, 'SIGKILL');
};

const running = await compose(readConfiguration(process.env), {
  clock: { now: () => entry?.now ?? 0 },
  failpoint: dieAt,
  platform: () => async () => {
    dieAt('F3');
    await new Promise((sent) => process.send?.('arrived', sent));
    dieAt('F4');
    return Response.json({ errors: [{ type: 'invalidFields', message: 'The code is wrong.' }] }, { status: 400 });
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
  const { engine, ledger } = running;
  await engine.recover();
  const lost = await ledger.transaction('default', (tx) => tx.operations.list({ states: ['UNKNOWN'] }, { limit: 100 }));
  for (const { id } of lost.rows)
    await settleUnknown(
      engine.parts,
      id,
      { happened: false, note: 'not found' },
      { tenant: 'default', approver: 'ann', channel: 'cli' },
    );
  const answer = await engine.call(tool, args, { tenant: 'default', principal: 'agent', role });
  await new Promise((sent) => process.stdout.write(`${JSON.stringify(answer)}\n`, sent));
  dieAt('F7');
  await new Promise((sent) => process.send?.(answer, sent));
  dieAt('F8');
}
