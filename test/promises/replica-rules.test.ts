import { expect, it, onTestFinished, vi } from 'vitest';
import { allOperations, type Fleet, type Replica, type Said, startFleet } from './fleet.ts';
import { card, order } from './orders.ts';
import { ownDatabase } from './replica-database.ts';

// Starting processes takes as long as the machine is loaded; nothing here depends on how long.
vi.setConfig({ testTimeout: 300_000 });

/** Two replicas on one database: one of this build, and one that decides under other rules. */
async function twoBuilds(name: string) {
  const fleet = await startFleet(await ownDatabase(name), 'purser_sandbox', 1);
  onTestFinished(() => fleet.close());
  const [ours] = fleet.replicas;
  const theirs = await fleet.start({ otherRules: true });
  if (ours === undefined) throw new Error('The fleet has a replica.');
  const hashes = [await ours.ask({ does: 'rules' }), await theirs.ask({ does: 'rules' })];
  expect(new Set(hashes.map(answerOf)).size).toBe(2);
  await ours.call('enroll_card', { card });
  return { fleet, ours, theirs };
}

const answerOf = (said: Said) => {
  if (said.kind !== 'said') throw new Error(`A replica should have answered: ${JSON.stringify(said)}`);
  return said.value;
};
const effects = async (fleet: Fleet, name: string) =>
  (await fleet.effects()).filter(({ operation }) => operation === name).length;

it('sends under no rules but those that were approved', async () => {
  const { fleet, ours, theirs } = await twoBuilds('rules_approved');
  const args = order('order-1');
  const { approval } = answerOf(await ours.call('initiate_purchase', args));
  await theirs.ask({ does: 'decide', approval: approval.id, verdict: 'approve' });
  // What was approved under other rules approves nothing here: a person is asked anew, and that question holds here alone.
  const anew = answerOf(await theirs.call('initiate_purchase', args));
  expect([anew.outcome, anew.approval.id === approval.id, await effects(fleet, 'initiatePurchase')]).toEqual([
    'needs_approval',
    false,
    0,
  ]);
  await ours.ask({ does: 'decide', approval: anew.approval.id, verdict: 'approve' });
  expect(answerOf(await theirs.call('initiate_purchase', args)).outcome).toBe('done');
  expect(await effects(fleet, 'initiatePurchase')).toBe(1);
});

it('repeats no request that was decided under other rules', async () => {
  const { fleet, ours, theirs } = await twoBuilds('rules_repeat');
  const args = order('order-1', '5.00', 'EUR');
  const { instruction } = answerOf(await ours.call('initiate_purchase', args)).data;
  await ours.call('cancel_purchase', { instruction }, { end: { at: 'F4', how: 'dies' } });
  fleet.pass(121);
  const asked = answerOf(await theirs.call('cancel_purchase', { instruction }));
  expect([asked, await effects(fleet, 'cancelPurchase')]).toMatchObject([
    { outcome: 'unknown', error: { code: 'OUTCOME_UNKNOWN' } },
    1,
  ]);
  const [row] = (await allOperations(fleet.ledger)).filter(({ name }) => name === 'cancelPurchase');
  expect([row?.state, row?.attempt]).toEqual(['UNKNOWN', 1]);
  const same = await fleet.start();
  expect(answerOf(await same.call('cancel_purchase', { instruction })).operation).toBe(row?.id);
  expect((await allOperations(fleet.ledger)).find(({ id }) => id === row?.id)?.attempt).toBe(2);
});

it('sends nothing after it was stopped for longer than the quiet period, in which another has given it up', async () => {
  const fleet = await startFleet(await ownDatabase('rules_stopped'), 'purser_sandbox', 2);
  onTestFinished(() => fleet.close());
  const [ours, other] = fleet.replicas as [Replica, Replica]; // as many as were asked for
  await ours.call('enroll_card', { card });
  const args = order('order-1', '5.00', 'EUR');
  const late = ours.call('initiate_purchase', args, { end: { at: 'F2', how: 'stands still' } });
  // Once its intent is on disk the first one stands still, or is about to.
  for (let begun = false; !begun; )
    begun = (await allOperations(fleet.ledger)).some(({ state, name }) => state === 'SENDING' && name !== 'enrollCard');
  fleet.pass(121);
  expect(answerOf(await other.ask({ does: 'recover' }))).toBe(1);
  fleet.resume();
  const said = answerOf(await late);
  expect([said.outcome === 'done', await effects(fleet, 'initiatePurchase')]).toEqual([false, 0]);
});
