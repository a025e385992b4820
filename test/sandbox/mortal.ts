import { World } from '../../src/sandbox/world.ts';
import { BillingBench } from '../billing/sandbox-support.ts';

// A process of its own that sets the clock of a world to a moment, and is killed as it writes its nth document.

const [file = '', moment = '', last = '1'] = process.argv.slice(2);
const bench = new BillingBench({ file });
const put = World.prototype.put;
let written = 0;
World.prototype.put = function <K extends Parameters<typeof put>[0]>(this: World, ...given: Parameters<typeof put<K>>) {
  const kept = put.apply(this, given) as ReturnType<typeof put<K>>;
  written += 1;
  if (written === Number(last)) process.kill(process.pid, 'SIGKILL');
  return kept;
};
await bench.to(moment);
await bench.sandbox.close();
process.stdout.write(String(written));
