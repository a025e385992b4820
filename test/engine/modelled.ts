import fc from 'fast-check';
import { expect } from 'vitest';
import { contract, type OperationName } from '../../src/domains/index.ts';
import { recordDecision } from '../../src/engine/approval-service.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { rememberOwnTexts } from '../../src/engine/own-texts.ts';
import { markOverdueUnknown } from '../../src/engine/recover.ts';
import type { FailPoint } from '../../src/engine/settings.ts';
import { settleUnknown } from '../../src/engine/settle-unknown.ts';
import { toolName } from '../../src/engine/tool.ts';
import type { ApprovalRow, OperationRow } from '../../src/ledger/rows.ts';
import * as model from './model.ts';
import { agent, begins, countingIds, openWorld, patient, person, type Said, type World } from './support.ts';

// What every model-based test does: calls of both, the engine and the model, people, faults, crashes and time. After every
// step the outcome is the one that the model foretold, and what the ledger says is what the platform did.

const isLong = process.env.SOAK === '1';
const operationsWanted = Number(process.env.CALLS ?? (isLong ? 1_000_000 : 500));
const seed = Number(process.env.SEED ?? 20260115);
const commandsPerRun = 100;

/** What a domain adds: what of an answer the model has to know, and what must be so after every step. */
export interface Modelled {
  readonly knows: (it: model.Model, real: Real, said: Said | undefined) => Promise<void>;
  readonly demands: (
    it: model.Model,
    real: Real,
    ledger: { readonly rows: readonly OperationRow[]; readonly consumed: readonly ApprovalRow[] },
  ) => Promise<readonly string[]>;
}

/** How many calls were made, and how they ended. */
export interface Counted {
  calls: number;
  readonly outcomes: Map<string, number>;
}

export interface Real {
  readonly world: World;
  readonly engine: Engine;
  readonly point: { at: FailPoint | undefined };
  readonly counted: Counted;
  /** Every call that was made, so that it can be made again. */
  readonly modelled: Modelled;
  readonly made: { readonly want: () => model.Wanted; readonly args: object }[];
  /** What was seen last, to see which moves were made. */
  states: ReadonlyMap<string, string>;
  consumed: ReadonlySet<string>;
}
export type Command = fc.AsyncCommand<model.Model, Real>;

export const pounds = (pence: number): string => `${Math.floor(pence / 100)}.${String(pence % 100).padStart(2, '0')}`;
export const limitOf = (pence: number) => ({ amount: pounds(pence), currency: 'GBP' });

export const nothing = Symbol('nothing was done');

/** A command that may always be made; where there is nothing to make it on, it does nothing. */
export function command(says: string, run: (it: model.Model, real: Real) => Promise<unknown>): Command {
  return {
    check: () => true,
    run: async (it, real) => {
      if ((await run(it, real)) !== nothing) await holds(it, real);
    },
    toString: () => says,
  };
}

export const pick = <T>(from: readonly T[], index: number): T | undefined => from[index % Math.max(1, from.length)];

/** Makes a call of both, and compares. */
export async function both(it: model.Model, real: Real, want: () => model.Wanted, args: object): Promise<void> {
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
  // Where a crash is to come nobody reads an answer, and a preview would have been read.
  const foretold = crash === undefined ? await previewOf(real, wanted.tool, args) : undefined;
  const said = await real.engine.call(wanted.tool, args, agent).then(
    (answer) => answer as Said,
    (error: unknown) => {
      if (error instanceof Error && error.message === 'killed') return undefined;
      throw error;
    },
  );
  real.point.at = undefined;
  expect([wanted.tool, wanted.args, said?.outcome ?? 'crash']).toEqual([wanted.tool, wanted.args, expected]);
  if (said !== undefined && foretold !== undefined) demandForetold(wanted.tool, foretold, said);
  if (said !== undefined) await agrees(real, said);
  await real.modelled.knows(it, real, said);
}

const previewOf = async ({ engine }: Real, tool: string, args: object): Promise<Said> => {
  const { data } = (await engine.call('preview_call', { tool, arguments: args }, agent)) as Said;
  return data.verdict;
};

/** A preview decides as the call does: what it says is what the call then comes to, but for what the platform does. */
function demandForetold(tool: string, verdict: Said, said: Said): void {
  const told = ({ outcome, error, replayed, operation }: Said) =>
    outcome === 'refused'
      ? { outcome, code: error?.code, rule: error?.rule, field: error?.field }
      : { outcome, replayed, ...(replayed ? { operation } : {}) };
  const isSent = verdict.outcome === 'done' && verdict.replayed === undefined;
  if (isSent)
    expect([tool, 'sent', ['done', 'declined', 'unknown']]).toEqual([
      tool,
      'sent',
      expect.arrayContaining([said.outcome]),
    ]);
  else expect([tool, told(said)]).toEqual([tool, told(verdict)]);
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
export async function holds(it: model.Model, real: Real): Promise<void> {
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
    used: await tx.budgets.used(budgetName, ''),
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
  broken.push(...(await real.modelled.demands(it, real, { rows, consumed })));
  expect(broken).toEqual([]);
}

const withoutEffect: readonly string[] = ['FAILED', 'EXPIRED', 'WITHDRAWN', 'PROPOSED', 'APPROVED'];

const correlationOf = ({ request }: OperationRow): unknown =>
  (request?.new as { readonly correlationId?: string } | undefined)?.correlationId;

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
export const often = (times: number, one: fc.Arbitrary<Command>) => Array.from({ length: times }, () => one);

/** What happens to calls of every domain: they are made again, decided, lost and settled. */
const everywhere = (operations: readonly [OperationName, ...OperationName[]]): readonly fc.Arbitrary<Command>[] => [
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
        const decided = await recordDecision(
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
  // Any call that asked a person: it may wait, be approved, sent, or be over.
  index.map((at) =>
    command(`withdraw(${at})`, async (it, { engine, world }) => {
      const asked = it.ops.filter((op) => op.asked !== undefined);
      const op = asked.findLast(({ state }) => state === 'APPROVED') ?? pick(asked, at);
      if (op === undefined) return nothing;
      const operation = idOf(await world.operations(), it, op);
      const { outcome } = await engine.call('withdraw_operation', { operation }, agent);
      expect(outcome).toBe(model.withdraw(op) ? 'done' : 'refused');
      return undefined;
    }),
  ),
  fc.constantFrom(1, 30, 60, 119, 120, 121, 599, 600, 3_600).map((seconds) =>
    command(`pass(${seconds})`, async (it, { world }) => {
      model.pass(it, seconds);
      await world.advance(seconds);
    }),
  ),
  ...often(
    3,
    fc.tuple(fc.constantFrom(...operations), fc.constantFrom(...model.faultKinds)).map(([name, kind]) =>
      command(`fault(${name}, ${kind})`, async (it, { world }) => {
        const tool = toolOf(name);
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
      expect(await markOverdueUnknown(engine.parts)).toBe(model.recover(it));
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
        const id = idOf(await world.operations(), it, op);
        expect((await settleUnknown(engine.parts, id, finding, person)).ok).toBe(model.settle(it, op));
        return undefined;
      }),
    ),
  ),
];

/** As the engine names them. */
const toolOf = (operation: string) => toolName(operation) as model.ToolName;

/** The model's operations are in the order in which the ledger has got its own; the plans of the beginning are not the model's. */
const idOf = (rows: readonly OperationRow[], it: model.Model, op: model.Op): string =>
  rows.filter(({ name }) => name !== 'createPlan').toReversed()[it.ops.indexOf(op)]?.id ?? '';

/** A person says yes to what was asked last, and the agent makes the call that was made last once more. */
export async function consent(it: model.Model, real: Real): Promise<unknown> {
  const op = it.ops.findLast(({ state }) => state === 'PROPOSED');
  const last = real.made.at(-1);
  if (op === undefined || last === undefined) return nothing;
  const decided = await recordDecision(real.engine.parts, await approvalOf(real.engine, it, op), 'approve', person);
  expect(decided.ok).toBe(model.decide(it, op, true) === 'APPROVED');
  return both(it, real, last.want, last.args);
}

export async function approvalOf({ parts }: Engine, it: model.Model, op: model.Op): Promise<string> {
  return parts.ledger.transaction('default', async (tx) => {
    const { rows } = await tx.operations.list({}, { limit: 1_000 });
    const id = idOf(rows, it, op);
    return (await tx.approvals.ofOperation(id))?.id ?? '';
  });
}

export async function begin(
  counted: Counted,
  { modelled, warmUp }: Domain,
): Promise<{ readonly model: model.Model; readonly real: Real }> {
  const point: Real['point'] = { at: undefined };
  const total = pounds(model.budget);
  const world = await openWorld({
    configure: { limits: [{ name: budgetName, tools: counting, currency: 'GBP', total, per: [] }] },
    replace: {
      ids: countingIds(),
      failpoint: (at) => {
        if (at === point.at) throw new Error('killed');
      },
    },
  });
  const real = {
    world,
    engine: patient(world),
    point,
    counted,
    modelled,
    made: [],
    states: new Map(),
    consumed: new Set<string>(),
  };
  const it = model.newModel();
  // A person has approved something for every customer and payment before: what these are called is nobody else's words.
  await world.parts.ledger.transaction(agent.tenant, (tx) => rememberOwnTexts(tx, customers, begins));
  await warmUp(it, real);
  return { model: it, real };
}

const customers = ['Ada Example', 'Bo Example', 'earlier-payment-0001'];

/** The one budget of every run, and what is counted by it. */
const budgetName = 'everything';
const counting = [
  ...['retrieve_credentials', 'create_subscription', 'create_follow_on_subscription'],
  ...['update_subscription', 'reactivate_subscription'],
];

/** A domain with its own calls, and where its runs begin. */
export interface Domain {
  readonly modelled: Modelled;
  readonly warmUp: (it: model.Model, real: Real) => Promise<void>;
  readonly operations: readonly [OperationName, ...OperationName[]];
  readonly commands: readonly fc.Arbitrary<Command>[];
}

/** How many calls a run makes, and how long it may take in milliseconds. */
export const wanted = { calls: operationsWanted, timeout: isLong ? 24 * 3_600_000 : 600_000 };

/** Where a tool has done nothing after the wanted calls, so many times as many are made. A test that gets nowhere finds nothing. */
const patience = 4;

/** Makes random calls until there were enough and each tool has done something. */
export async function play(domain: Domain): Promise<void> {
  const counted: Counted = { calls: 0, outcomes: new Map() };
  const idle = () => domain.operations.map(toolOf).filter((tool) => !counted.outcomes.has(`${tool}: done`));
  const run = fc.asyncProperty(
    fc.commands([...domain.commands, ...everywhere(domain.operations)], { maxCommands: commandsPerRun, size: 'max' }),
    async (made) => {
      if (counted.calls >= operationsWanted * (idle().length === 0 ? 1 : patience)) return;
      const { model: it, real } = await begin(counted, domain);
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
  expect(idle()).toEqual([]);
}

const pathFrom = (path: string | undefined) => (path === undefined ? {} : { path });
