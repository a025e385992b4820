import { contract, type OperationName } from '../../src/domains/index.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { quietSecondsOf } from '../../src/engine/lanes.ts';
import { recover } from '../../src/engine/recover.ts';
import type { FailPoint } from '../../src/engine/settings.ts';
import { settleUnknown } from '../../src/engine/settle-unknown.ts';
import { toolName } from '../../src/engine/tool.ts';
import type { Caller, Ledger } from '../../src/ledger/ledger.ts';
import type { OperationRow } from '../../src/ledger/rows.ts';
import type { Effect, FaultKind } from '../../src/sandbox/index.ts';
import { atOnce, type Changing, isChanging } from '../engine/billing.ts';
import { changing } from '../engine/changing.ts';
import { openWorld, patient, person, type Said, type World } from '../engine/support.ts';
import { type Found, tally } from '../support/found.ts';
import { numbers } from '../support/numbers.ts';

// Crashes without processes: the engine stops at a named point, and a new one finds what it has left in the ledger. The
// platform and the clock are the sandbox's; its log of effects is the oracle.

export const points = ['F0', 'F1', 'F2', 'F3', 'F4', 'F5', 'F6', 'F7', 'F8'] as const satisfies readonly FailPoint[];

/**
 * Every fault of the platform but two: a wrong clock, which loses nothing and after which no money moves at all, and a request that
 * arrives twice, which is made twice by somebody on the way.
 */
export const faults = [
  'none',
  'decline',
  'pending',
  'timeout-after-commit',
  'late-apply',
  '429',
  '5xx',
  '5xx-after-commit',
  'truncated',
  'not-json',
  'wrong-shape',
  'oversized',
] as const satisfies readonly (FaultKind | 'none')[];

/** Where one call crashes, and what the platform does to it. */
export interface Cell {
  readonly operation: Changing;
  readonly point: FailPoint;
  readonly fault: (typeof faults)[number];
}

const names = (Object.keys(contract) as OperationName[]).filter(isChanging);

/** Every operation at every point under every fault, once. */
export const cells: readonly Cell[] = names.flatMap((operation) =>
  points.flatMap((point) => faults.map((fault) => ({ operation, point, fault }))),
);

/** Of each operation three points and faults, others than of its neighbours: every fault at every point, by some operation. */
export const someCells = cells.filter(
  ({ operation, point, fault }) =>
    (names.indexOf(operation) + faults.indexOf(fault)) % points.length === points.indexOf(point) &&
    (names.indexOf(operation) + faults.indexOf(fault)) % 4 === 0,
);

const cellsPerWorld = 24;

/** Crashes each of these cells once: the call is made again at once, past the quiet period, and once a person has looked. */
export async function crashCells(chosen: readonly Cell[]): Promise<Found> {
  const it = tally();
  for (let from = 0; from < chosen.length; from += cellsPerWorld) {
    const stage = await openStage();
    for (const [at, cell] of chosen.slice(from, from + cellsPerWorld).entries()) {
      const says = `${cell.operation} at ${cell.point} under ${cell.fault}`;
      const story = await begin(stage, cell.operation, from + at);
      if (cell.fault !== 'none') await stage.world.fault(cell.operation, cell.fault);
      await crash(stage, story, cell.point);
      await again(stage, story, it.find, says);
      await drain(stage, story);
      await again(stage, story, it.find, says);
      await drain(stage, story);
      judge(it, says, await settle(stage, it));
      await clear(stage);
      it.count('crashes');
    }
    await close(stage, it);
  }
  return it.found();
}

/** So many crashes at random: several of one call, with other faults, other waits, or none, in between. */
export async function crashAtRandom(crashes: number, seed: number): Promise<Found> {
  const it = tally();
  const random = numbers(seed);
  for (let made = 0; made < crashes; ) {
    const stage = await openStage();
    for (let at = 0; at < cellsPerWorld && made < crashes; at++) {
      const operation = random.of(names);
      const story = await begin(stage, operation, at);
      const path: string[] = [];
      for (let more = 1 + random(3); more > 0; more--, made++) {
        const [point, fault, seconds] = [
          random.of(points),
          random.of(faults),
          random.of([0, 0, 1, 61, 119, 120, 121, 601]),
        ];
        path.push(`${point} ${fault} ${seconds} s`);
        if (fault !== 'none') await stage.world.fault(operation, fault);
        await crash(stage, story, point);
        it.count('crashes');
        await stage.world.advance(seconds);
        if (random(2) === 0) await recover(stage.engine().parts);
      }
      const says = `${operation}: ${path.join(', ')} (seed ${seed}, crash ${made})`;
      await again(stage, story, it.find, says);
      await drain(stage, story);
      if (random(2) === 0) await again(stage, story, it.find, says);
      await drain(stage, story);
      judge(it, says, await settle(stage, it));
      await clear(stage);
    }
    await close(stage, it);
  }
  return it.found();
}

interface Stage {
  readonly world: World;
  /** The engine of the process that runs now. */
  engine(): Engine;
  /** What a new process is: nothing of the old one is left but the ledger. */
  restart(): void;
  /** Where the next call stops. */
  doom: FailPoint | undefined;
  /** Resolves when a call has stopped on its way to the platform, or back. */
  readonly stopped: { promise: Promise<void>; resolve: () => void };
}

/** One call, by an agent of its own, and all it takes to make it. */
interface Story {
  readonly operation: Changing;
  readonly tool: string;
  readonly args: object;
  readonly caller: Caller;
}

async function openStage(): Promise<Stage> {
  const stopped = Promise.withResolvers<void>();
  const stage: { doom: FailPoint | undefined; stopped: Stage['stopped'] } = { doom: undefined, stopped };
  const reach = (point: FailPoint) => {
    if (stage.doom !== point) return;
    stage.doom = undefined;
    throw new Error('killed');
  };
  const stop = (): Promise<never> => {
    stage.doom = undefined;
    stage.stopped.resolve();
    return new Promise(() => undefined); // whoever waits for it is dead
  };
  const world = await openWorld({
    replace: {
      failpoint: reach,
      platform: (real) => async (request) => {
        if (stage.doom === 'F3') return stop();
        if (stage.doom !== 'F4') return real(request);
        await real(request).catch(() => undefined);
        return stop();
      },
      reader: (_, simulated) =>
        simulated && {
          ...simulated,
          send: async (operation, input, watch) => {
            if (stage.doom === 'F3') return stop();
            if (stage.doom !== 'F4') return simulated.send(operation, input, watch);
            await simulated.send(operation, input, watch);
            return stop();
          },
        },
    },
  });
  const { parts } = world;
  // Leases are told by the machine's own clock, which does not move with the one of this stage.
  const ledger: Ledger = { ...parts.ledger, claimOverdue: (now, holder) => parts.ledger.claimOverdue(now, holder, 0) };
  // One of them looks at what became of the calls of all.
  const start = () => patient({ parts: { ...parts, ledger } }, { principals: 'together' });
  let engine = start();
  const restart = () => {
    engine = start();
    stage.doom = undefined;
    stage.stopped = Promise.withResolvers<void>();
  };
  await engine.call('enroll_card', { card: 'card_ada' }, { tenant: 'default', principal: 'agent' });
  return Object.assign(stage, { world, engine: () => engine, restart });
}

/** Brings the world to where the operation can be called; where a person must say yes, they have. */
async function begin(stage: Stage, operation: Changing, number: number): Promise<Story> {
  const caller: Caller = { tenant: 'default', principal: `agent-${number}` };
  const tool = toolName(operation);
  const { now } = (await stage.world.control('GET', 'clock')) as { readonly now: string };
  const within = worldOfStory(stage, caller, number, now);
  const wider = operation === 'updatePurchase' ? { limit: { amount: '200.00', currency: 'GBP' } } : {};
  const args = { ...ownArgs(await changing[operation](within), number, now), ...wider };
  const { data } = await within.call('preview_call', { tool, arguments: args });
  if (data.verdict.outcome === 'needs_approval') await stage.world.approve(await within.call(tool, args));
  return { operation, tool, args, caller };
}

/** The world as one story sees it: through the process that runs now, as its own caller. */
function worldOfStory(stage: Stage, caller: Caller, number: number, now: string): World {
  const call = async (tool: string, args: unknown = {}) =>
    (await stage.engine().call(tool, ownArgs(args as object, number, now), caller)) as Said;
  return {
    ...stage.world,
    call,
    through: async (tool, args) => {
      const said = await call(tool, args);
      if (said.outcome !== 'needs_approval') return said;
      await stage.world.approve(said);
      return call(tool, args);
    },
  };
}

/** The same arguments under references of the story's own; what begins at once begins now. */
function ownArgs(args: object, number: number, now: string): object {
  const { reference, start } = args as { readonly reference?: string; readonly start?: string };
  const isOwn = reference === undefined || reference.endsWith(`-s${number}`);
  return {
    ...args,
    ...(isOwn ? {} : { reference: `${reference}-s${number}` }),
    ...(start === atOnce ? { start: now } : {}),
  };
}

/** Makes the call in a process that stops at this point, and starts another. */
async function crash(stage: Stage, { tool, args, caller }: Story, point: FailPoint): Promise<void> {
  stage.doom = point;
  const call = stage
    .engine()
    .call(tool, args, caller)
    .catch((error: unknown) => {
      if (!(error instanceof Error) || error.message !== 'killed') throw error;
    });
  const answer = await Promise.race([call, stage.stopped.promise]);
  if (point === 'F8' && answer !== undefined)
    await stage.engine().call('get_operation', { operation: answer.operation ?? '' }, caller);
  stage.restart();
}

/** Makes the call again: what it answers is what the ledger then says. */
async function again(stage: Stage, { tool, args, caller }: Story, find: (finding: string) => void, says: string) {
  const { outcome, operation } = await stage.engine().call(tool, args, caller);
  if (operation === undefined || outcome === 'refused') return;
  const { state } = await stage.world.operation(operation);
  const meant = {
    done: ['SUCCEEDED', 'RESOLVED'],
    declined: ['FAILED'],
    needs_approval: ['PROPOSED'],
    unknown: ['UNKNOWN', 'SENDING'],
  };
  if (!meant[outcome].includes(state)) find(`${says}: told ${outcome}, while the ledger says ${state}.`);
}

/** Past the quiet period of its operation whatever is still under way is given up. */
async function drain(stage: Stage, { operation }: Story): Promise<void> {
  await stage.world.advance(quietSecondsOf(contract[operation]) + 1);
  await recover(stage.engine().parts);
}

/** Everything unknown is listed, and a person ends it with what the platform's log says. Answers what then stands. */
async function settle(stage: Stage, it: ReturnType<typeof tally>): Promise<Standing> {
  const { parts } = stage.engine();
  const [rows, effects] = [await stage.world.operations(), await stage.world.effects()];
  const unknown = rows.filter(({ state }) => state === 'UNKNOWN');
  for (const row of unknown) {
    it.count('parked');
    const happened = effects.some(({ correlationId }) => correlationId === correlationOf(row));
    const reader = { tenant: 'default', principal: 'agent' };
    const asked = await stage.engine().call('list_operations', { state: 'UNKNOWN', limit: 100 }, reader);
    const listed = (asked as Said).data.items;
    if (!listed.some(({ operation }: { readonly operation: string }) => operation === row.id))
      it.find(`${row.name} is UNKNOWN and not listed.`);
    const settled = await settleUnknown(parts, row.id, { happened, note: 'looked it up' }, person);
    if (!settled.ok) it.find(`${row.name} can't be settled: ${settled.because}`);
  }
  if (unknown.length === 0) return { rows, effects };
  return { rows: await stage.world.operations(), effects: await stage.world.effects() };
}

/** Every operation of the ledger, and every effect that the platform knows of. */
interface Standing {
  readonly rows: readonly OperationRow[];
  readonly effects: readonly Effect[];
}

const correlationOf = ({ request }: OperationRow): unknown =>
  (request?.new as { readonly correlationId?: string } | undefined)?.correlationId;

/** Holds every operation against the platform's log of effects: invariants I1, I2, I3, I9, I14 and I16. */
function judge(it: ReturnType<typeof tally>, says: string, { rows, effects }: Standing): void {
  const byRequest = Map.groupBy(effects, ({ correlationId }): unknown => correlationId);
  let known = 0;
  for (const row of rows) {
    const own = byRequest.get(correlationOf(row))?.length ?? 0;
    known += own;
    const most = contract[row.name as OperationName].recovery === 'repeat' ? row.attempt : 1;
    const wrong =
      own > most
        ? 'a duplicate'
        : row.state === 'SENDING' || row.state === 'UNKNOWN'
          ? 'not drained'
          : ended.includes(row.state) === own > 0
            ? undefined
            : 'lost';
    if (wrong === undefined) continue;
    it.count(wrong);
    it.find(`${says}: ${row.name} is ${wrong}: ${row.state}, ${own} effects, ${row.attempt} attempts.`);
  }
  if (known !== effects.length) it.find(`${says}: ${effects.length - known} effects that the ledger does not know.`);
}

const ended: readonly string[] = ['SUCCEEDED', 'RESOLVED'];

/** Faults that nobody has met are taken away. */
const clear = ({ world }: Stage): Promise<unknown> => world.control('DELETE', 'faults');

async function close({ world }: Stage, it: ReturnType<typeof tally>): Promise<void> {
  const chain = await world.parts.ledger.verify();
  if (!chain.ok) it.find(`The audit chain is broken at ${chain.seq}: ${chain.because}`);
  await world.running.close();
}
