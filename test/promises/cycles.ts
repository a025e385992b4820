import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { compose, type Running } from '../../src/cli/compose.ts';
import type { Answer } from '../../src/engine/answer.ts';
import { recordDecision } from '../../src/engine/approval-service.ts';
import type { EngineParts } from '../../src/engine/parts.ts';
import { recover } from '../../src/engine/recover.ts';
import { registerReceipt } from '../../src/engine/register.ts';
import type { FailPoint } from '../../src/engine/settings.ts';
import type { OperationRow } from '../../src/ledger/rows.ts';
import { createSandbox, type Effect, type Sandbox, serveSandbox } from '../../src/sandbox/index.ts';
import { agent, begins, configuration, order, payment, type Said } from '../engine/support.ts';
import { programOf } from '../support/bundled.ts';
import { quickFolder } from '../support/folder.ts';

// Real kill -9. Every cycle has a purchase of its own, and a process of its own that is killed at one point of one call.
// All share a ledger file, and a platform that the parent serves over HTTP and whose log of effects is the oracle.

export const points = ['F0', 'F1', 'F2', 'F3', 'F4', 'F5', 'F6', 'F7', 'F8'] as const satisfies readonly FailPoint[];
const tools = { confirm_transaction: 'confirmTransaction', retrieve_credentials: 'retrieveCredentials' } as const;
type ToolName = keyof typeof tools;

/** What one process is told to do, and where it dies. */
export interface Job {
  readonly point: FailPoint;
  readonly tool: string;
  readonly args: object;
  readonly now: number;
  /** At F3: only half of the request is written. Otherwise all of it, and the parent kills before the platform acts. */
  readonly partly: boolean;
}

interface Cycle {
  readonly point: FailPoint;
  readonly tool: ToolName;
  readonly partly: boolean;
  /** The purchase's handle, and what the platform calls it. */
  readonly instruction: string;
  readonly entity: string;
}

/** What became of the cycles of one point. */
export interface Tally {
  readonly point: FailPoint;
  cycles: number;
  /** Operations that took effect twice, or were sent twice. */
  duplicates: number;
  /** Operations of which the ledger says nothing, or what is not so. */
  lost: number;
  /** Operations that are UNKNOWN, and listed so. */
  parked: number;
}

/** What a restarted Purser does about what it finds. A test puts a wrong one here to see that it is caught. */
export type Restart = (parts: EngineParts) => Promise<unknown>;

export interface Options {
  readonly cycles: number;
  readonly lanes?: number;
  readonly restart?: Restart;
}

/** Runs so many cycles, the points in turn; answers the tally of each point. Stops by itself. */
export async function crash({ cycles, lanes = 2, restart = recover }: Options): Promise<readonly Tally[]> {
  const data = quickFolder('purser-crash-');
  const stage = await openStage(data);
  try {
    const first = await stage.start();
    const all: Cycle[] = [];
    for (let index = 0; index < cycles; index++) all.push(await prepare(stage, first, index));
    await first.close();

    const waiting = [...all];
    const lane = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await kill(stage, next);
    };
    await Promise.all(Array.from({ length: lanes }, lane));

    const second = await stage.start();
    await restart(second.engine.parts);
    const tallies = new Map<FailPoint, Tally>(
      points.map((point) => [point, { point, cycles: 0, duplicates: 0, lost: 0, parked: 0 }]),
    );
    const told = await callAll(second, all);
    const before = await lookAround(stage, second);
    const faults = new Set(all.filter((it, at) => !isTrue(told[at], before, it)));
    stage.pass(121);
    await recover(second.engine.parts);
    await callAll(second, all);
    const after = await lookAround(stage, second);
    for (const it of all) {
      const found = judge(stage, after, it);
      const tally = tallies.get(it.point);
      if (tally === undefined) throw new Error(`No tally has the point ${it.point}.`);
      tally.cycles++;
      tally.duplicates += found.duplicate ? 1 : 0;
      tally.lost += found.lost || faults.has(it) ? 1 : 0;
      tally.parked += found.parked ? 1 : 0;
    }
    const chain = await second.engine.parts.ledger.verify();
    await second.close();
    if (!chain.ok) throw new Error(`The audit chain is broken at ${chain.seq}: ${chain.because}`);
    return [...tallies.values()];
  } finally {
    await stage.close();
    rmSync(data, { recursive: true, force: true });
  }
}

/** The platform, the clock that everybody shows, and the way a Purser is started. */
async function openStage(data: string) {
  let now = begins;
  const arrivals = new Map<string, number>();
  const held = new Map<string, () => Promise<void>>();
  const sandbox = createSandbox({ file: join(data, 'platform.sqlite'), clock: { now: () => now } });
  const counting: Sandbox = {
    ...sandbox,
    world: sandbox.world,
    close: () => sandbox.close(),
    handle: async (request) => {
      const at = new URL(request.url).pathname;
      const whole = request.body === null ? request : await readWhole(request);
      arrivals.set(at, (arrivals.get(at) ?? 0) + 1);
      const first = held.get(at);
      held.delete(at);
      await first?.();
      return sandbox.handle(whole);
    },
  };
  const served = await serveSandbox(counting, { port: 0 });
  const program = await programOf(new URL('./children/payer.ts', import.meta.url));
  const children = new Set<ChildProcess>();
  const clock = { now: () => now };
  return {
    now: () => now,
    pass: (seconds: number) => {
      now += seconds * 1_000;
    },
    arrivals: (path: string) => arrivals.get(path) ?? 0,
    /** Does something when the next request for a path has arrived in whole, before the platform acts. */
    hold: (path: string, act: () => Promise<void>) => held.set(path, act),
    effects: async (): Promise<readonly Effect[]> => (await sandbox.world.snapshot()).effects,
    start: (): Promise<Running> =>
      compose(configuration({ data, sandboxUrl: served.url }), {
        clock,
        // The same platform, without a socket: what the parent does is not what is tried.
        platform: () => (request) => counting.handle(request),
      }),
    spawn: async (): Promise<ChildProcess> => {
      const env = { ...process.env, ...program.env, PURSER_DATA: data, PURSER_SANDBOX_URL: served.url };
      const child = fork(program.file, [], { env, execArgv: [] });
      children.add(child);
      await Promise.race([once(child, 'message'), once(child, 'exit').then(() => Promise.reject(new Error('died')))]);
      return child;
    },
    close: async () => {
      for (const child of children) child.kill('SIGKILL');
      await served.close();
      await sandbox.close();
    },
  };
}
type Stage = Awaited<ReturnType<typeof openStage>>;

async function readWhole(request: Request): Promise<Request> {
  const body = await request.arrayBuffer();
  return new Request(request.url, { method: request.method, headers: request.headers, body });
}

/** A purchase that waits for the call of this cycle. */
async function prepare(stage: Stage, { engine }: Running, index: number): Promise<Cycle> {
  const point = points[index % points.length] ?? 'F0';
  const round = Math.floor(index / points.length);
  const tool: ToolName = round % 2 === 0 ? 'confirm_transaction' : 'retrieve_credentials';
  const call = async (name: string, args: object) => (await engine.call(name, args, agent)) as Said;
  if (index === 0) await call('enroll_card', { card: 'card_ada' });
  const args = order({ reference: `order-${index}` });
  const { approval } = await call('initiate_purchase', args);
  await recordDecision(engine.parts, approval?.id ?? '', 'approve', {
    tenant: 'default',
    approver: 'ann',
    channel: 'cli',
  });
  const { instruction } = (await call('initiate_purchase', args)).data;
  if (tool === 'confirm_transaction') {
    await call('retrieve_credentials', payment(instruction));
    const receipt = { instruction, transactionType: 'PURCHASE', transactionStatus: 'APPROVED' };
    await registerReceipt(engine.parts, agent.tenant, { ...receipt, amount: '40.00', currency: 'GBP' });
  }
  const thing = await engine.parts.ledger.transaction(agent.tenant, (tx) => tx.observations.find(instruction));
  stage.pass(1);
  return { point, tool, partly: round % 4 >= 2, instruction, entity: String(thing?.body.instructionId) };
}

const argsOf = ({ tool, instruction }: Cycle): object =>
  tool === 'confirm_transaction' ? { instruction } : payment(instruction);

const pathOf = ({ tool, entity }: Cycle): string =>
  `/acp/v1/instructions/${entity}/${tool === 'confirm_transaction' ? 'confirmations' : 'credentials'}`;

/** Lets a process begin the call, and die where it must. */
async function kill(stage: Stage, it: Cycle): Promise<void> {
  const { point, tool, partly } = it;
  const child = await stage.spawn();
  const exit = once(child, 'exit');
  if (point === 'F3' && !partly)
    stage.hold(pathOf(it), async () => {
      child.kill('SIGKILL');
      await exit;
    });
  const job: Job = { point, tool, args: argsOf(it), now: stage.now(), partly };
  child.send(job);
  const [code, signal] = await exit;
  if (signal !== 'SIGKILL') throw new Error(`The process of ${point} was not killed: it ended with ${code}.`);
}

/** Every call once more. */
async function callAll({ engine }: Running, all: readonly Cycle[]): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const it of all) answers.push(await engine.call(it.tool, argsOf(it), agent));
  return answers;
}

/** What there is to see once all have been called: in the ledger, at the platform, and for the agent. */
interface View {
  readonly rows: readonly OperationRow[];
  readonly effects: readonly Effect[];
  readonly unknown: readonly string[];
}

async function lookAround(stage: Stage, { engine }: Running): Promise<View> {
  const { rows, more } = await engine.parts.ledger.transaction(agent.tenant, (tx) =>
    tx.operations.list({}, { limit: 1_000 }),
  );
  if (more !== undefined) throw new Error('There are more operations than are looked at: run fewer cycles at once.');
  return { rows, effects: await stage.effects(), unknown: await unknowns(engine) };
}

/** Whether what a call answered is what the ledger and the platform say. */
function isTrue(answer: Answer | undefined, view: View, it: Cycle): boolean {
  const row = operationOf(view, it);
  if (answer?.outcome === 'done') return row?.state === 'SUCCEEDED' && effectsOf(view, it) > 0;
  return answer?.outcome === 'unknown' && (row?.state === 'SENDING' || row?.state === 'UNKNOWN');
}

/** What the ledger says in the end, against what the platform did. */
function judge(stage: Stage, view: View, it: Cycle) {
  const effects = effectsOf(view, it);
  const row = operationOf(view, it);
  const consistent =
    row?.state === 'SUCCEEDED' ? effects > 0 : row?.state === 'FAILED' ? effects === 0 : row?.state === 'UNKNOWN';
  const parked = row !== undefined && row.state === 'UNKNOWN';
  return {
    duplicate: effects > 1 || stage.arrivals(pathOf(it)) > 1,
    lost: row === undefined ? effects > 0 : !consistent || (parked && !view.unknown.includes(row.id)),
    parked,
  };
}

function operationOf({ rows }: View, it: Cycle): OperationRow | undefined {
  const own = rows.filter(({ name, subject }) => name === tools[it.tool] && subject === it.instruction);
  if (own.length > 1) throw new Error(`${own.length} operations stand for one call.`);
  return own[0];
}

const effectsOf = ({ effects }: View, it: Cycle): number =>
  effects.filter(({ operation, entity }) => operation === tools[it.tool] && entity === it.entity).length;

/** The operations that an agent sees as UNKNOWN, page by page. */
async function unknowns({ call }: Running['engine']): Promise<readonly string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const { data } = (await call('list_operations', { state: 'UNKNOWN', limit: 100, cursor }, agent)) as Said;
    found.push(...data.items.map(({ operation }: { readonly operation: string }) => operation));
    cursor = data.more;
  } while (cursor !== undefined);
  return found;
}
