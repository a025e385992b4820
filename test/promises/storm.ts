import type { Answer } from '../../src/engine/answer.ts';
import type { FailPoint } from '../../src/engine/settings.ts';
import type { Cluster } from '../ledger/support/cluster.ts';
import { numbers } from '../support/numbers.ts';
import { type Fleet, judge, type Order, type Replica, type Said, type Verdict } from './fleet.ts';
import { card, order, payment, receipt } from './orders.ts';

// Purchases race through the replicas while these are killed, and while the database is stopped at once and started again.

export interface Weather {
  readonly purchases: number;
  /** One in so many calls kills its replica; and from outside, one in so many purchases kills any. 0: none. */
  readonly killOneIn: number;
  /** The database is stopped after so many purchases each time; 0: never. */
  readonly stopEvery: number;
  readonly seed: number;
  readonly lanes?: number;
}

export interface Weathered {
  readonly kills: number;
  readonly stops: number;
  /** Milliseconds from the start of a stopped database to the next thing that it keeps. */
  readonly recoveries: readonly number[];
  /** Purchases that were confirmed all the same. */
  readonly finished: number;
  /** Operations that recovery gave up, all replicas together, and once more after that. */
  readonly recovered: readonly [number, number];
  /** Milliseconds of that recovery. */
  readonly drained: number;
  readonly verdict: Verdict;
}

const points = ['F0', 'F1', 'F2', 'F4', 'F5', 'F6'] as const satisfies readonly FailPoint[];

/** How often a call is made before a purchase is left as it is. */
const tries = 6;

export async function storm(fleet: Fleet, cluster: Cluster, weather: Weather): Promise<Weathered> {
  const random = numbers(weather.seed);
  const told: Answer[] = [];
  const recoveries: number[] = [];
  let kills = 0;
  let finished = 0;
  let begun = 0;
  let stopping: Promise<void> = Promise.resolve();
  const replacing = new Map<number, Promise<unknown>>();

  /** A replica that is there; one that died is replaced first, by whoever comes first. */
  const at = async (index: number): Promise<Replica> => {
    const place = index % fleet.replicas.length;
    const found = fleet.replicas[place] as Replica; // within the fleet
    if (found.alive) return found;
    const underWay = replacing.get(place) ?? fleet.replace(place).finally(() => replacing.delete(place));
    replacing.set(place, underWay);
    await underWay;
    return at(place);
  };
  const doom = (): Order['end'] => {
    if (weather.killOneIn === 0 || random(weather.killOneIn) !== 0) return undefined;
    return { at: points[random(points.length)] ?? 'F2', how: 'dies' };
  };
  const heard = (said: Said): Said => {
    if (said.kind === 'died') kills++;
    if (said.kind === 'said' && said.value?.outcome !== undefined) told.push(said.value);
    return said;
  };
  /** Every replica at once; at most one of them is to die over it. */
  const all = async (tool: string, args: object): Promise<readonly Said[]> => {
    const end = doom();
    const doomed = random(fleet.replicas.length);
    const replicas = await Promise.all(fleet.replicas.map((_, index) => at(index)));
    const asked = replicas.map((it, index) => it.call(tool, args, index === doomed ? { end } : {}));
    if (weather.killOneIn !== 0 && random(weather.killOneIn * 3) === 0) await replicas[random(replicas.length)]?.kill();
    return (await Promise.all(asked)).map(heard);
  };
  const until = async (tool: string, args: object, good: (answer: Answer) => boolean): Promise<Answer | undefined> => {
    for (let count = 0; count < tries; count++)
      for (const said of await all(tool, args)) if (said.kind === 'said' && good(said.value)) return said.value;
    return undefined;
  };
  const stopDatabase = async () => {
    await cluster.stopAtOnce();
    const begins = performance.now();
    await cluster.start();
    await fleet.ledger.transaction('default', (tx) => tx.audit.append({ event: 'storm', body: {}, at: 1 }));
    recoveries.push(performance.now() - begins);
  };

  const purchase = async (index: number): Promise<void> => {
    const bought = order(`order-${index}`);
    const asked = await until('initiate_purchase', bought, ({ outcome }) => outcome !== 'refused');
    if (asked?.approval !== undefined) {
      const approval = asked.approval.id;
      for (let count = 0; count < tries; count++)
        if ((await (await at(index)).ask({ does: 'decide', approval, verdict: 'approve' })).kind === 'said') break;
    }
    const open = await until('initiate_purchase', bought, ended);
    const instruction = open?.data?.instruction;
    if (typeof instruction !== 'string') return;
    await until('retrieve_credentials', payment(instruction, `pay-${index}`), ended);
    for (let count = 0; count < tries; count++) {
      const posted = await (await at(index)).ask({ does: 'receipt', receipt: receipt(instruction) });
      if (posted.kind === 'said') break;
    }
    const confirmed = await until('confirm_transaction', { instruction }, ended);
    if (confirmed?.outcome === 'done') finished++;
  };

  await until('enroll_card', { card }, ({ outcome }) => outcome === 'done');
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < weather.purchases; index = next++) {
      begun++;
      if (weather.stopEvery !== 0 && begun % weather.stopEvery === 0) stopping = stopping.then(stopDatabase);
      await purchase(index);
    }
  };
  await Promise.all(Array.from({ length: weather.lanes ?? 3 }, lane));
  await stopping;

  // The faults have stopped: whatever they have left is looked after within the quiet period, by all at once.
  fleet.pass(121);
  const begins = performance.now();
  const recover = async (): Promise<number> => {
    const replicas = await Promise.all(fleet.replicas.map((_, index) => at(index)));
    const said = await Promise.all(replicas.map((it) => it.ask({ does: 'recover' })));
    return said.reduce((sum, it) => sum + (it.kind === 'said' ? Number(it.value) : Number.NaN), 0);
  };
  const recovered = [await recover(), await recover()] as const;
  const drained = performance.now() - begins;
  return {
    kills,
    stops: recoveries.length,
    recoveries,
    finished,
    recovered,
    drained,
    verdict: await judge(fleet, told),
  };
}

const ended = ({ outcome, error }: Answer): boolean =>
  outcome === 'done' || (outcome === 'unknown' && error?.code === 'OUTCOME_UNKNOWN');
