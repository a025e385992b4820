import { startCluster } from '../test/ledger/support/cluster.ts';
import { startFleet } from '../test/promises/fleet.ts';
import { race } from '../test/promises/races.ts';
import { storm } from '../test/promises/storm.ts';

// Three replicas on one PostgreSQL: races for every operation that moves money, then a storm of kills and crashes.
// node scripts/replicas.ts [races] [purchases in the storm] [seed]

const [races = 5_000, purchases = 1_000, seed = 1] = process.argv.slice(2).map(Number);
if (![races, purchases, seed].every((it) => Number.isInteger(it) && it >= 0)) {
  console.error('Say whole numbers, for example: node scripts/replicas.ts 5000 1000 1');
  process.exit(2);
}

const cluster = await startCluster();
try {
  const raced = races === 0 ? true : await runRaces(races);
  const weathered = purchases === 0 ? true : await runStorm(purchases);
  process.exitCode = raced && weathered ? 0 : 1;
} finally {
  await cluster.close();
}

async function runRaces(count: number): Promise<boolean> {
  const fleet = await startFleet(cluster.url, 'purser_sandbox');
  const begins = performance.now();
  const { tallies, verdict, oddities } = await race(fleet, count);
  const seconds = (performance.now() - begins) / 1_000;
  await fleet.close();
  console.table(tallies);
  console.log(`${seconds.toFixed(0)} s;`, verdict, ...oddities);
  const good = tallies.every(({ unwon, doubled, odd }) => unwon + doubled + odd === 0);
  return good && verdict.duplicates + verdict.lost + verdict.open === 0 && verdict.chain;
}

async function runStorm(count: number): Promise<boolean> {
  const other = await startCluster();
  const fleet = await startFleet(other.url, 'purser_sandbox');
  const { recoveries, ...found } = await storm(fleet, other, { purchases: count, killOneIn: 8, stopEvery: 25, seed });
  await fleet.close();
  await other.close();
  console.log(found);
  console.log(
    `database back in ${recoveries
      .map(Math.round)
      .toSorted((one, two) => one - two)
      .join(', ')} ms`,
  );
  const { duplicates, lost, untrue, open, chain } = found.verdict;
  return duplicates + lost + untrue + open === 0 && chain;
}
