import { expect, it, onTestFinished } from 'vitest';
import { ownDatabase } from './database.ts';
import { startFleet } from './fleet.ts';
import { race } from './races.ts';

const races = process.env.SOAK === '1' ? 5_000 : 100;

it(`three replicas race ${races} times for each operation, and one of them wins`, { timeout: 7_200_000 }, async () => {
  const fleet = await startFleet(await ownDatabase('races'), 'purser_sandbox');
  onTestFinished(() => fleet.close());
  const { tallies, verdict, oddities } = await race(fleet, races);
  console.log(
    `races of three replicas: ${tallies.map((it) => `${it.race}: ${it.races}`).join('; ')}; ${verdict.effects} effects`,
  );
  expect(oddities).toEqual([]);
  expect(tallies.map(({ race: _, ...counts }) => counts)).toEqual(
    Array.from({ length: 6 }, () => ({ races, unwon: 0, doubled: 0, odd: 0 })),
  );
  // For each purchase one of: initiate, release, confirm, the contested reference, the budget.
  expect(verdict).toMatchObject({ effects: 5 * races, duplicates: 0, lost: 0, parked: 0, open: 0, chain: true });
});
