import { once } from 'node:events';
import { compose } from '../../../src/cli/compose.ts';
import { readConfiguration } from '../../../src/cli/config.ts';
import { begins } from '../support.ts';

// One of several processes on the same ledger and the same world: confirms the purchases it is named, twice each.

const { engine, close } = await compose(readConfiguration(process.env), { clock: { now: () => begins } });
process.send?.('ready');
await once(process, 'message');
const outcomes: string[] = [];
for (const instruction of process.argv.slice(2))
  for (const _ of [1, 2])
    outcomes.push(
      (await engine.call('confirm_transaction', { instruction }, { tenant: 'default', principal: 'agent' })).outcome,
    );
process.send?.(outcomes);
await close();
process.disconnect();
