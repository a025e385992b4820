import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BillingBench } from '../test/billing/sandbox-support.ts';
import { start } from '../test/sandbox/support.ts';

// How the sandbox's billing engine grows: monthly subscriptions whose clock is set forward by two years in one go, first few,
// then many. npm run bench:billing [-- --sizes 1000,10000] [--months 24]. What an event costs should stay the same, and so should
// the memory: the world is a file, as that of a sandbox that is served. In memory it would be the messages that grow.

const { values } = parseArgs({
  options: { sizes: { type: 'string', default: '1000,10000,100000' }, months: { type: 'string', default: '24' } },
});
const sizes = values.sizes.split(',').map(Number);
const months = Number(values.months);
const day = 86_400_000;
const minute = 60_000;

interface Measured {
  readonly subscriptions: number;
  readonly events: number;
  readonly seconds: number;
  readonly megabytes: number;
}

const measured: Measured[] = [];
for (const size of sizes) {
  measured.push(await measure(size));
  report(measured);
}

/** Sets the clock of so many subscriptions forward. An event is a message or a payment. */
async function measure(subscriptions: number): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'purser-billing-'));
  const bench = new BillingBench({ file: join(folder, 'world.sqlite') });
  try {
    await bench.card('shopper_ada', { charges: ['paid'] });
    const planId = await bench.plan();
    // Spread over 27 days and every minute of the day, so that the clock has to stop often.
    for (let at = 0; at < subscriptions; at++)
      await bench.subscription(planId, {
        startDate: new Date(start + (1 + (at % 27)) * day + (at % 1_440) * minute).toISOString(),
      });
    const before = (await bench.control('GET', 'outbox')).body.total;
    const began = process.cpuUsage();
    await bench.to(Date.UTC(2026, months, 31, 9));
    const { user, system } = process.cpuUsage(began);
    const megabytes = process.memoryUsage().rss / 1e6;
    // A payment that is made has a message of its own; notices have theirs.
    const messages = (await bench.control('GET', 'outbox')).body.total - before;
    const { body } = await bench.call('GET', '/rbs/v1/subscriptions?limit=1');
    const { body: first } = await bench.call(
      'GET',
      `/rbs/v1/subscriptions/${body.subscriptions[0].id}/payments?limit=1&scheduledPaymentsCount=0`,
    );
    const payments = first.cyclesCompletedCount.paid;
    if (payments < months) throw new Error(`A subscription was billed ${payments} times in ${months} months.`);
    return { subscriptions, events: messages, seconds: (user + system) / 1e6, megabytes };
  } finally {
    await bench.sandbox.close();
    rmSync(folder, { recursive: true });
  }
}

function report(rows: readonly Measured[]): void {
  const each = ({ events, seconds }: Measured): number => (seconds * 1e6) / events;
  const [first] = rows;
  console.table(
    rows.map((row) => ({
      subscriptions: row.subscriptions,
      months,
      events: row.events,
      'CPU seconds': row.seconds.toFixed(1),
      'events per second': Math.round(row.events / row.seconds),
      'µs an event': each(row).toFixed(1),
      'times the first': (each(row) / each(first ?? row)).toFixed(2),
      'MB in all': Math.round(row.megabytes),
    })),
  );
}
