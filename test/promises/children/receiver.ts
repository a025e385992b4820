import { once } from 'node:events';
import { compose } from '../../../src/cli/compose.ts';
import { loadConfiguration } from '../../../src/cli/config.ts';
import { deliveriesOf } from '../../../src/cli/deliveries.ts';
import { createDeliveries } from '../../../src/http/platform-events.ts';

// A Purser of its own that is delivered one event, and kills itself once it was acknowledged, or while its thing is read.

export interface Delivered {
  readonly point: 'acknowledged' | 'reading';
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly now: number;
}

let told: Delivered | undefined;
const die = () => process.kill(process.pid, 'SIGKILL');
const clock = { now: () => told?.now ?? 0 };
const configuration = await loadConfiguration(process.env);
const { engine } = await compose(configuration, {
  clock,
  platform: (real) => async (request) => {
    if (told?.point === 'reading') die();
    return told === undefined ? real(request) : new Promise(() => {}); // it is killed before this one is answered
  },
});
const deliveries = deliveriesOf(configuration);
if (deliveries === undefined) throw new Error('The configuration of this process has a key.');
let working: Promise<void> | undefined;
const take = createDeliveries({
  ...{ ...deliveries, clock, tenant: 'default' },
  engine: {
    ...engine,
    workEvents: () => {
      working = told?.point === 'reading' ? engine.workEvents() : Promise.resolve();
      return working;
    },
  },
  onFailure: (failure) => console.error(failure),
});
process.send?.('ready');
[told] = (await once(process, 'message')) as [Delivered];
const { headers, body } = told;
const response = await take(
  new Request('http://localhost/webhooks/platform', { method: 'POST', headers, body }),
  undefined,
);
await working;
if (response.status === 200 && told.point === 'acknowledged') die();
process.exit(response.status);
