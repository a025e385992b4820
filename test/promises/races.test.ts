import { expect, it, onTestFinished } from 'vitest';
import { startFleet } from './fleet.ts';
import { race } from './races.ts';
import { ownDatabase } from './replica-database.ts';

const races = process.env.SOAK === '1' ? 5_000 : 2;

it(`three replicas race ${races} times for each operation, and one of them wins`, { timeout: 7_200_000 }, async () => {
  const fleet = await startFleet(await ownDatabase('races'), 'purser_sandbox');
  onTestFinished(() => fleet.close());
  const { tallies, verdict, oddities } = await race(fleet, races);
  console.log(
    `races of three replicas: ${tallies.map((it) => `${it.race}: ${it.races}`).join('; ')}; ${verdict.effects} effects`,
  );
  const besides = tallies.reduce((sum, it) => sum + it.besides, 0);
  expect(oddities).toEqual([]);
  expect(tallies.map(({ race: _, besides: __, ...counts }) => counts)).toEqual(
    Array.from({ length: 21 }, () => ({ races, unwon: 0, doubled: 0, odd: 0 })),
  );
  // Of each: initiate, change, release, confirm, the contested reference, the budget; initiate and cancel; the contested code, plan, both
  // subscriptions, amendment, price, suspension and reactivation. Of payments: four authorizations, a choice, three captures and what
  // became of the contested one, a refund and its void, and what undid the last capture.
  expect(verdict).toMatchObject({
    effects: (16 + 12) * races + besides,
    duplicates: 0,
    lost: 0,
    parked: 0,
    open: 0,
    chain: true,
  });
});
