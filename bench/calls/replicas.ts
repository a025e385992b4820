import { startCluster } from '../../test/ledger/support/cluster.ts';
import { type Fleet, startFleet } from '../../test/promises/fleet.ts';
import { order } from '../../test/promises/orders.ts';
import { cell, medianOf } from './figures.ts';

// Purchases under a mandate on PostgreSQL, 32 at once: by one replica, and by three, each on a database of its own.

const lanes = 32;
const purchases = 64;
const runs = 2;
/** How much more three replicas are to do than one, and why they may not. */
const wanted = 2;
const reason =
  'Three replicas do less than twice the work of one: the audit chain has one end, so transactions that write take turns until each has committed, and the database, the simulated platform and the replicas share the processors of this machine.';

export async function onReplicas(): Promise<readonly object[]> {
  const sizes = [1, 3];
  const found = new Map<number, number[]>();
  for (const size of sizes) {
    const cluster = await startCluster();
    const fleet = await startFleet(cluster.url, 'purser_sandbox', size);
    try {
      await fleet.replicas[0]?.call('enroll_card', { card: 'card_ada' });
      for (let run = -1; run < runs; run++) {
        const aSecond = await bought(fleet, run);
        if (run >= 0) found.set(size, [...(found.get(size) ?? []), aSecond]);
      }
    } finally {
      await fleet.close();
      await cluster.close();
    }
  }
  const one = medianOf(found.get(1) ?? []);
  if (medianOf(found.get(3) ?? []) < wanted * one) console.log(reason);
  return sizes.map((size) => {
    const aSecond = medianOf(found.get(size) ?? []);
    return {
      [`purchases on PostgreSQL, ${lanes} at once`]: size === 1 ? 'one replica' : `${size} replicas`,
      'a second': cell(aSecond, 0),
      'to one replica': cell(aSecond / one),
    };
  });
}

async function bought({ replicas }: Fleet, run: number): Promise<number> {
  const began = performance.now();
  let count = 0;
  const lane = async (): Promise<void> => {
    while (count < purchases) {
      count += 1;
      const number = count;
      // Another sum each time, so that none looks like a repetition.
      const args = order(`order-${run}-${number}`, `${number}.${String(run + 11)}`, 'EUR');
      const said = await replicas[number % replicas.length]?.call('initiate_purchase', args);
      if (said?.kind !== 'said' || said.value.outcome !== 'done') throw new Error(JSON.stringify(said));
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return (purchases * 1_000) / (performance.now() - began);
}
