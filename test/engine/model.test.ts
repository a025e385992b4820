import fc from 'fast-check';
import { expect, it } from 'vitest';
import { contract, domains, type OperationName } from '../../src/contract/index.ts';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import { decide, settleUnknown } from '../../src/engine/people.ts';
import { recover } from '../../src/engine/recover.ts';
import type { FailPoint } from '../../src/engine/settings.ts';
import type { OperationRow } from '../../src/ledger/ledger.ts';
import * as model from './model.ts';
import { agent, countingIds, openWorld, order, person, type Said, until, type World } from './support.ts';
import { cancel, confirm, enroll, initiate, retrieve, update } from './wanted.ts';

// Random calls, people, faults, crashes and time against an engine and a sandbox in memory. After every step the outcome is
// the one that the model foretold, and what the ledger says is what the platform did. The calls are those of
// `domains.purchase`: billing and invoicing are not modelled here.

const isLong = process.env.SOAK === '1';
const operationsWanted = Number(process.env.CALLS ?? (isLong ? 1_000_000 : 500));
const seed = Number(process.env.SEED ?? 20260115);
const commandsPerRun = 100;

/** How many calls were made, and how they ended. */
interface Counted {
  calls: number;
  readonly outcomes: Map<string, number>;
}

interface Real {
  readonly world: World;
  readonly engine: Engine;
  readonly point: { at: FailPoint | undefined };
  readonly counted: Counted;
  /** Every call that was made, so that it can be made again. */
  readonly made: { readonly want: () => model.Wanted; readonly args: object }[];
  /** What was seen last, to see which moves were made. */
  states: ReadonlyMap<string, string>;
  consumed: ReadonlySet<string>;
}
type Command = fc.AsyncCommand<model.Model, Real>;

const pounds = (pence: number): string => `${Math.floor(pence / 100)}.${String(pence % 100).padStart(2, '0')}`;
const limitOf = (pence: number) => ({ amount: pounds(pence), currency: 'GBP' });

const nothing = Symbol('nothing was done');

/** A command that may always be made; where there is nothing to make it on, it does nothing. */
function command(says: string, run: (it: model.Model, real: Real) => Promise<unknown>): Command {
  return {
    check: () => true,
    run: async (it, real) => {
      if ((await run(it, real)) !== nothing) await holds(it, real);
    },
    toString: () => says,
  };
}

const pick = <T>(from: readonly T[], index: number): T | undefined => from[index % Math.max(1, from.length)];

/** Makes a call of both, and compares. */
async function both(it: model.Model, real: Real, want: () => model.Wanted, args: object): Promise<void> {
  real.made.push({ want, args });
  const wanted = want();
  const { crash } = it;
  real.point.at =
    crash !== undefined && crash !== 'F0' && crash !== 'F1' && model.isRefused(it, wanted) ? undefined : crash;
  if (crash === 'F1' && model.isRefused(it, wanted)) {
    it.crash = undefined;
    real.point.at = undefined;
  }
  const keep = it.ops.map((op) => ({ ...op }));
  const before = crash === 'F1' ? [...it.ops] : undefined;
  const expected = model.call(it, wanted);
  if (before !== undefined && expected === 'crash')
    it.ops.splice(0, it.ops.length, ...before.map((op, index) => Object.assign(op, keep[index])));
  const { counted } = real;
  counted.calls++;
  const cell = `${wanted.tool}: ${expected}`;
  counted.outcomes.set(cell, (counted.outcomes.get(cell) ?? 0) + 1);
  const said = await real.engine.call(wanted.tool, args, agent).then(
    (answer) => answer as Said,
    (error: unknown) => {
      if (error instanceof Error && error.message === 'killed') return undefined;
      throw error;
    },
  );
  real.point.at = undefined;
  expect([wanted.tool, wanted.args, said?.outcome ?? 'crash']).toEqual([wanted.tool, wanted.args, expected]);
  if (said !== undefined) await agrees(real, said);
  for (const purchase of it.purchases.filter(({ handle }) => handle === ''))
    purchase.handle = said?.data?.instruction ?? (await newest(real));
}

/** I4: an answer never says anything else than the ledger. */
async function agrees(real: Real, { outcome, operation }: Said): Promise<void> {
  if (operation === undefined || outcome === 'refused') return;
  const { state } = await real.world.operation(operation);
  const meant: { readonly [outcome: string]: readonly string[] } = {
    done: ['SUCCEEDED', 'RESOLVED'],
    declined: ['FAILED'],
    needs_approval: ['PROPOSED'],
    unknown: ['UNKNOWN', 'SENDING'],
  };
  expect([outcome, meant[outcome]]).toEqual([outcome, expect.arrayContaining([state])]);
}

/** The invariants, after every step. */
async function holds(it: model.Model, real: Real): Promise<void> {
  const { world } = real;
  const rows = await world.operations();
  const effects = await world.effects();
  const broken: string[] = [];
  const demand = (rule: string, holds: boolean, row?: OperationRow) => {
    if (!holds) broken.push(`${rule}${row === undefined ? '' : `: ${row.name} ${row.id} is ${row.state}`}`);
  };
  let known = 0;
  for (const row of rows) {
    const own = effects.filter(({ correlationId }) => correlationId === correlationOf(row)).length;
    known += own;
    const repeats = contract[row.name as OperationName].recovery === 'repeat';
    demand('I1', own <= (repeats ? row.attempt : 1), row);
    demand('I2', row.state !== 'SUCCEEDED' || own > 0, row);
    demand('I3', !withoutEffect.includes(row.state) || own === 0, row);
    demand('I8', isReached(real.states.get(row.id) ?? 'none', row.state), row);
  }
  demand('I16: nothing happened that the ledger does not know', known === effects.length);
  real.states = new Map(rows.map(({ id, state }) => [id, state]));

  const { ledger } = real.engine.parts;
  const { approvals, used } = await ledger.transaction('default', async (tx) => ({
    approvals: (await tx.approvals.list({}, { limit: 1_000 })).rows,
    used: await tx.budgets.used('releases', ''),
  }));
  const rowOf = (id: string) => rows.find((row) => row.id === id);
  const consumed = approvals.filter(({ state }) => state === 'CONSUMED');
  demand(
    'I9: for good',
    [...real.consumed].every((id) => consumed.some((approval) => approval.id === id)),
  );
  for (const { state, operationId } of approvals)
    demand(
      'I9: sent once consumed',
      (state === 'CONSUMED') === (rowOf(operationId)?.attempt ?? 0) > 0,
      rowOf(operationId),
    );
  real.consumed = new Set(consumed.map(({ id }) => id));
  demand('I6: what is spent', used.minor === it.spent && it.spent <= model.budget);
  for (const purchase of it.purchases) {
    const granted = consumed.filter(({ operationId }) => isAbout(rowOf(operationId), purchase));
    demand('I7: released as often as approved', purchase.released <= granted.length);
    demand('what a purchase is', (await world.thing(purchase.handle)).state === purchase.state);
  }
  expect(broken).toEqual([]);
}

const withoutEffect: readonly string[] = ['FAILED', 'EXPIRED', 'PROPOSED', 'APPROVED'];

const correlationOf = ({ request }: OperationRow): unknown =>
  (request?.new as { readonly correlationId?: string } | undefined)?.correlationId;

const isAbout = (row: OperationRow | undefined, { handle, reference }: model.Purchase): boolean =>
  row !== undefined && (row.subject === handle || (row.name === 'initiatePurchase' && row.reference === reference));

/** Whether a state is reached from another by moves of the table. */
function isReached(from: string, to: string): boolean {
  const found = new Set([from]);
  for (let grew = true; grew; ) {
    const { size } = found;
    for (const [one, other] of model.moves) if (found.has(one)) found.add(other);
    grew = found.size > size;
  }
  return found.has(to);
}

const index = fc.nat(20);
/** A command that is made so many times as often as others. */
const often = (times: number, one: fc.Arbitrary<Command>) => Array.from({ length: times }, () => one);
const pence = fc.constantFrom(2_500, 5_000, 7_500, 10_000, 12_500);

const commands: readonly fc.Arbitrary<Command>[] = [
  index.map((at) =>
    command(`enroll(${at})`, async (it, real) => {
      const card = pick(it.cards, at);
      return card === undefined ? nothing : both(it, real, () => enroll(card), { card: card.handle });
    }),
  ),
  index.map((at) =>
    command(`verify(${at})`, async (it, { world }) => {
      const card = pick(it.cards, at);
      if (!card?.enrolled || card.verified) return nothing;
      await verify(card, { world });
      return undefined;
    }),
  ),
  ...often(
    1,
    fc.tuple(fc.nat(5), fc.nat(9), pence).map(([number, odd, other]) =>
      command(`initiate(order-${number}${odd === 0 ? `, ${other}` : ''})`, async (it, real) => {
        const card = pick(it.cards, number);
        if (!card) return nothing;
        const reference = `order-${number}`;
        const limit = odd === 0 ? other : 5_000 + number * 2_500;
        const args = order({ card: card.handle, reference, limit: limitOf(limit) });
        return both(it, real, () => initiate(it, card, reference, limit), args);
      }),
    ),
  ),
  // The call that was made a moment ago, or one of those before: as agents do, and after a person has approved.
  ...often(
    8,
    fc.nat(5).map((back) =>
      command(`again(${back})`, async (it, real) => {
        const last = real.made.at(-1 - (back % 3));
        return last === undefined ? nothing : both(it, real, last.want, last.args);
      }),
    ),
  ),
  fc.tuple(index, pence).map(([at, limit]) =>
    command(`update(${at}, ${limit})`, async (it, real) => {
      const purchase = pick(it.purchases, at);
      if (!purchase) return nothing;
      const args = { instruction: purchase.handle, limit: limitOf(limit), until, description: 'Headphones' };
      return both(it, real, () => update(it, purchase, limit), args);
    }),
  ),
  index.map((at) =>
    command(`cancel(${at})`, async (it, real) => {
      const purchase = pick(it.purchases, at);
      return purchase ? both(it, real, () => cancel(purchase), { instruction: purchase.handle }) : nothing;
    }),
  ),
  ...often(
    4,
    fc.tuple(index, fc.nat(3), pence).map(([at, number, sum]) =>
      command(`retrieve(${at}, ${number}, ${sum})`, async (it, real) => {
        const purchase = pick(it.purchases, at);
        if (!purchase) return nothing;
        const reference = `payment-${purchase.reference}-${number}`;
        const args = { instruction: purchase.handle, reference, amount: pounds(sum), currency: 'GBP' };
        return both(it, real, () => retrieve(it, purchase, reference, sum), args);
      }),
    ),
  ),
  ...often(
    3,
    fc.tuple(index, pence, fc.nat(4), fc.nat(4)).map(([at, other, wrong, no]) =>
      command(`receipt(${at}, ${other}, ${wrong}, ${no})`, async (it, { world }) => {
        const [right, approved] = [wrong !== 0, no !== 0];
        const purchase = pick(it.purchases, at);
        if (!purchase) return nothing;
        const sum = right ? (purchase.lastReleased ?? other) : other;
        const transactionStatus = approved ? 'APPROVED' : 'DECLINED';
        await world.receipt(purchase.handle, { amount: pounds(sum), transactionStatus });
        purchase.receipt = { id: it.receipts++, pence: sum, approved };
        return undefined;
      }),
    ),
  ),
  ...often(
    3,
    index.map((at) =>
      command(`confirm(${at})`, async (it, real) => {
        const purchase = pick(it.purchases, at);
        return purchase ? both(it, real, () => confirm(purchase), { instruction: purchase.handle }) : nothing;
      }),
    ),
  ),
  ...[true, true, true, true, true, false].map((approves) =>
    index.map((at) =>
      command(`${approves ? 'approve' : 'deny'}(${at})`, async (it, { engine }) => {
        const asked = it.ops.filter(
          ({ state, asked }) => asked !== undefined && ['PROPOSED', 'APPROVED'].includes(state),
        );
        const op = approves
          ? (asked.findLast(({ state }) => state === 'PROPOSED') ?? pick(asked, at))
          : pick(asked, at);
        if (op === undefined) return nothing;
        const expected = model.decide(it, op, approves);
        const decided = await decide(
          engine.parts,
          await approvalOf(engine, it, op),
          approves ? 'approve' : 'deny',
          person,
        );
        expect(decided.ok ? decided.state : 'no').toBe(expected === 'late' || expected === 'already' ? 'no' : expected);
        return undefined;
      }),
    ),
  ),
  fc.constantFrom(1, 30, 60, 119, 120, 121, 599, 600, 3_600).map((seconds) =>
    command(`pass(${seconds})`, async (it, { world }) => {
      model.pass(it, seconds);
      await world.advance(seconds);
    }),
  ),
  ...often(
    3,
    fc
      .tuple(
        fc.constantFrom<OperationName>(
          'enrollCard',
          'initiatePurchase',
          'updatePurchase',
          'cancelPurchase',
          'retrieveCredentials',
          'confirmTransaction',
        ),
        fc.constantFrom(...model.faultKinds),
      )
      .map(([name, kind]) =>
        command(`fault(${name}, ${kind})`, async (it, { world }) => {
          const tool = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as model.ToolName; // as the engine names them
          it.faults.set(tool, [...(it.faults.get(tool) ?? []), kind]);
          await world.fault(name, kind);
          return nothing;
        }),
      ),
  ),
  ...often(
    2,
    fc.constantFrom<model.CrashPoint>('F0', 'F1', 'F2', 'F5', 'F6').map((point) =>
      command(`crash(${point})`, async (it) => {
        it.crash = point;
        return nothing;
      }),
    ),
  ),
  fc.constant(
    command('recover()', async (it, { engine }) => {
      expect(await recover(engine.parts)).toBe(model.recover(it));
    }),
  ),
  ...[1, 2].map(() =>
    index.map((at) =>
      command(`settle(${at})`, async (it, { engine, world }) => {
        const op = pick(
          it.ops.filter(({ state }) => state === 'UNKNOWN'),
          at,
        );
        if (op === undefined) return nothing;
        const finding = { happened: op.effects > 0, note: 'looked it up' };
        const id = (await world.operations()).toReversed()[it.ops.indexOf(op)]?.id ?? '';
        expect((await settleUnknown(engine.parts, id, finding, person)).ok).toBe(model.settle(it, op));
        return undefined;
      }),
    ),
  ),
];

async function newest({ engine }: Real): Promise<string> {
  const page = { limit: 1_000 };
  const { rows } = await engine.parts.ledger.transaction('default', (tx) =>
    tx.observations.list({ kind: 'instruction' }, page),
  );
  return rows.toSorted((one, other) => (one.handle < other.handle ? -1 : 1)).at(-1)?.handle ?? '';
}

/** The model's operations are in the order in which the ledger has got its own. */
async function approvalOf({ parts }: Engine, it: model.Model, op: model.Op): Promise<string> {
  return parts.ledger.transaction('default', async (tx) => {
    const { rows } = await tx.operations.list({}, { limit: 1_000 });
    const id = rows.toReversed()[it.ops.indexOf(op)]?.id ?? '';
    return (await tx.approvals.ofOperation(id))?.id ?? '';
  });
}

async function begin(counted: Counted): Promise<{ readonly model: model.Model; readonly real: Real }> {
  const point: Real['point'] = { at: undefined };
  const total = pounds(model.budget);
  const world = await openWorld({
    configure: { limits: [{ name: 'releases', tools: ['retrieve_credentials'], currency: 'GBP', total, per: [] }] },
    replace: {
      ids: countingIds(),
      failpoint: (at) => {
        if (at === point.at) throw new Error('killed');
      },
    },
  });
  const { parts } = world.running.engine;
  // The platform is never taken for gone: here it is lost more often than that allows.
  const settings = { ...parts.settings, pressure: { ...parts.settings.pressure, faults: Number.POSITIVE_INFINITY } };
  const real = {
    world,
    engine: createEngine({ ...parts, settings }),
    point,
    counted,
    made: [],
    states: new Map(),
    consumed: new Set<string>(),
  };
  const it = model.newModel();
  await warmUp(it, real);
  return { model: it, real };
}

/** Both cards enrolled and two purchases open: where most of what can go wrong begins. */
async function warmUp(it: model.Model, real: Real): Promise<void> {
  for (const [number, card] of it.cards.entries()) {
    await both(it, real, () => enroll(card), { card: card.handle });
    if (card.asksCustomer) await verify(card, real);
    await both(it, real, () => enroll(card), { card: card.handle });
    const reference = `warm-${number}`;
    const limit = 10_000;
    const args = order({ card: card.handle, reference, limit: limitOf(limit) });
    const want = () => initiate(it, card, reference, limit);
    await both(it, real, want, args);
    const op = it.ops.at(-1);
    if (op === undefined) throw new Error('A proposed purchase is an operation.');
    model.decide(it, op, true);
    await decide(real.engine.parts, await approvalOf(real.engine, it, op), 'approve', person);
    await both(it, real, want, args);
  }
}

async function verify(card: model.Card, { world }: Pick<Real, 'world'>): Promise<void> {
  const { instrumentIdentifierId } = (await world.thing(card.handle)).body;
  await world.control('POST', `cards/${instrumentIdentifierId}/verify`, {});
  card.verified = true;
}

it(`does what an independent model foretells, in ${operationsWanted} calls`, {
  timeout: isLong ? 24 * 3_600_000 : 600_000,
}, async () => {
  const counted: Counted = { calls: 0, outcomes: new Map() };
  const run = fc.asyncProperty(
    fc.commands([...commands], { maxCommands: commandsPerRun, size: 'max' }),
    async (made) => {
      if (counted.calls >= operationsWanted) return;
      const { model: it, real } = await begin(counted);
      try {
        await fc.asyncModelRun(() => ({ model: it, real }), made);
        expect(await real.engine.parts.ledger.verify()).toMatchObject({ ok: true }); // I11
      } finally {
        await real.world.running.close();
      }
    },
  );
  await fc.assert(run, { seed, numRuns: operationsWanted, endOnFailure: !isLong, ...pathFrom(process.env.FC_PATH) });
  console.log(`seed ${seed}: ${counted.calls} calls`, Object.fromEntries([...counted.outcomes].toSorted()));
  expect(counted.calls).toBeGreaterThanOrEqual(operationsWanted);
  // A test that never gets anywhere would find nothing.
  const tools = Object.keys(domains.purchase).map((name) =>
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );
  expect(tools.filter((tool) => !counted.outcomes.has(`${tool}: done`))).toEqual([]);
});

it('asks anew for a release that was approved under a mandate that an update has replaced', async () => {
  const { model: it, real } = await begin({ calls: 0, outcomes: new Map() });
  try {
    const purchase = it.purchases[0];
    if (purchase === undefined) throw new Error('Two purchases are open at the start.');
    const { handle: instruction } = purchase;
    const release = (reference: string) =>
      both(it, real, () => retrieve(it, purchase, reference, 2_500), {
        instruction,
        reference,
        amount: '25.00',
        currency: 'GBP',
      });
    const approve = async () => {
      const op = it.ops.at(-1);
      if (op === undefined) throw new Error('What is asked about is an operation.');
      expect(model.decide(it, op, true)).toBe('APPROVED');
      expect(await decide(real.engine.parts, await approvalOf(real.engine, it, op), 'approve', person)).toMatchObject({
        ok: true,
      });
    };
    await release('payment-1');
    await release('payment-2');
    await approve();
    const args = { instruction, limit: limitOf(7_500), until, description: 'Headphones' };
    await both(it, real, () => update(it, purchase, 7_500), args);
    await release('payment-2');
    expect(it.ops.slice(-3).map(({ tool, state }) => [tool, state])).toEqual([
      ['retrieve_credentials', 'EXPIRED'],
      ['update_purchase', 'SUCCEEDED'],
      ['retrieve_credentials', 'PROPOSED'],
    ]);
    await holds(it, real);
    await approve();
    await release('payment-2');
    await release('payment-3');
    expect([purchase.released, it.ops.at(-1)?.state]).toEqual([2, 'PROPOSED']);
    await holds(it, real);
  } finally {
    await real.world.running.close();
  }
});

const pathFrom = (path: string | undefined) => (path === undefined ? {} : { path });
