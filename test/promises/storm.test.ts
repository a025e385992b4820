import { expect, it, onTestFinished } from 'vitest';
import { startCluster } from '../ledger/support/cluster.ts';
import { startFleet } from './fleet.ts';
import { storm } from './storm.ts';

const soak = process.env.SOAK === '1';

it('nothing happens twice or is lost while replicas are killed and the database crashes', {
  timeout: 7_200_000,
}, async () => {
  const cluster = await startCluster();
  onTestFinished(() => cluster.close());
  const fleet = await startFleet(cluster.url, 'purser_sandbox');
  onTestFinished(() => fleet.close());
  const purchases = soak ? 1_000 : 10;
  const found = await storm(fleet, cluster, { purchases, killOneIn: 8, stopEvery: soak ? 25 : 5, seed: 7 });
  const { kills, stops, finished, recovered, verdict } = found;
  console.log(
    `storm: ${purchases} purchases, ${finished} confirmed, ${kills} calls of killed replicas, ${stops} stops of the database`,
    `(back in ${found.recoveries.map(Math.round).join(', ')} ms), ${recovered[0]} given up, drained in ${Math.round(found.drained)} ms,`,
    `${verdict.operations} operations, ${verdict.effects} effects, ${verdict.parked} parked, ${verdict.duplicates} duplicates, ${verdict.lost} lost`,
  );
  expect(verdict).toMatchObject({ duplicates: 0, lost: 0, untrue: 0, open: 0, chain: true });
  expect([stops, recovered[1]]).toEqual([soak ? 40 : 2, 0]);
  expect([kills > 0, finished > 0]).toEqual([true, true]);
});
