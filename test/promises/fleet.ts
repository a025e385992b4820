import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret } from '../../src/core/secret.ts';
import type { Answer } from '../../src/engine/answer.ts';
import type { FailPoint } from '../../src/engine/settings.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { OperationRow } from '../../src/ledger/rows.ts';
import { openLedger } from '../../src/ledger/store.ts';
import { createSandbox, type Effect, serveSandbox } from '../../src/sandbox/index.ts';
import { programOf } from '../support/bundled.ts';

// Several replicas, each a process of its own, on one PostgreSQL and one platform, which the parent serves over HTTP and
// whose log of effects is the oracle.

const begins = Date.UTC(2026, 0, 15, 9);

/** What a replica is asked to do. */
export type Asked =
  | { readonly does: 'call'; readonly tool: string; readonly args: object; readonly session?: string | undefined }
  | { readonly does: 'decide'; readonly approval: string; readonly verdict: 'approve' | 'deny' }
  | { readonly does: 'receipt'; readonly receipt: object }
  | { readonly does: 'recover' }
  | { readonly does: 'rules' };

/** The same, as it is sent; `end` is the point of the next call at which the replica dies, or stands still. */
export interface Order {
  readonly id: number;
  readonly asked: Asked;
  readonly end?: { readonly at: FailPoint; readonly how: 'dies' | 'stands still' } | undefined;
}

/** What came back. `died`: the replica was killed over it; `failed`: it threw, and said what. */
export type Said =
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared whole, not typed
  | { readonly kind: 'said'; readonly value: any }
  | { readonly kind: 'failed'; readonly error: string }
  | { readonly kind: 'died' };

export interface Replica {
  ask(asked: Asked, end?: Order['end']): Promise<Said>;
  call(tool: string, args: object, more?: { readonly session?: string; readonly end?: Order['end'] }): Promise<Said>;
  /** Kills it now, from outside. */
  kill(): Promise<void>;
  readonly alive: boolean;
}

export interface Fleet {
  readonly replicas: readonly Replica[];
  /** Starts a replica in the place of one that died. */
  replace(index: number): Promise<Replica>;
  /** Starts one more; `otherRules`: of another build. */
  start(more?: { readonly otherRules?: boolean }): Promise<Replica>;
  /** Lets go on whoever stands still. */
  resume(): void;
  /** Sets the clock of everybody forward. */
  pass(seconds: number): void;
  effects(): Promise<readonly Effect[]>;
  /** The parent's own view of the ledger. */
  readonly ledger: Ledger;
  close(): Promise<void>;
}

/** Starts a platform and so many replicas on a database. */
export async function startFleet(url: string, schemaOf: string, count = 3): Promise<Fleet> {
  const folder = mkdtempSync(join(tmpdir(), 'purser-replicas-'));
  let now = begins;
  const clockFile = openSync(join(folder, 'clock'), 'w');
  const setClock = (to: number) => {
    now = to;
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(to));
    writeSync(clockFile, bytes, 0, 8, 0);
  };
  setClock(begins);
  const sandbox = createSandbox({ file: ':memory:', clock: { now: () => now } });
  const served = await serveSandbox(sandbox, { port: 0 });
  const key = randomBytes(32);
  writeFileSync(join(folder, 'ledger.key'), key, { mode: 0o600 });
  const env = {
    ...process.env,
    DATABASE_URL: url,
    PURSER_SANDBOX_URL: served.url,
    PURSER_DATA: ':memory:',
    PURSER_LEDGER_KEY_FILE: join(folder, 'ledger.key'),
    PURSER_TOOLSETS: 'all',
    CLOCK: join(folder, 'clock'),
    RESUME: join(folder, 'resume'),
  };
  const program = await programOf(new URL('./children/replica.ts', import.meta.url));
  const children = new Set<ChildProcess>();
  const start: Fleet['start'] = async ({ otherRules = false } = {}) => {
    const child = fork(program.file, [], {
      env: { ...env, ...program.env, ...(otherRules ? { OTHER_RULES: 'yes' } : {}) },
      execArgv: [],
    });
    children.add(child);
    return replicaOf(child);
  };
  const replicas = await Promise.all(Array.from({ length: count }, () => start()));
  const ledger = await openLedger({ url: new Secret(url), schema: schemaOf, key: new Secret(key) });
  return {
    replicas,
    start,
    replace: async (index) => {
      // One that starts while the database is away for long ends with an error; whoever runs replicas starts another.
      const fresh = await start().catch(() => start());
      replicas[index] = fresh;
      return fresh;
    },
    resume: () => writeFileSync(env.RESUME, ''),
    pass: (seconds) => setClock(now + seconds * 1_000),
    effects: async () => (await sandbox.world.snapshot()).effects,
    ledger,
    close: async () => {
      for (const child of children) child.kill('SIGKILL');
      await ledger.close();
      await served.close();
      await sandbox.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function replicaOf(child: ChildProcess): Promise<Replica> {
  const waiting = new Map<number, (said: Said) => void>();
  const ended = once(child, 'exit');
  let alive = true;
  let count = 0;
  void ended.then(() => {
    alive = false;
    for (const tell of waiting.values()) tell({ kind: 'died' });
  });
  const ready = new Promise<void>((resolve) => {
    child.on(
      'message',
      (said: { readonly ready?: true; readonly id: number; readonly value?: unknown; readonly error?: string }) => {
        if (said.ready) return resolve();
        waiting.get(said.id)?.(
          said.error === undefined ? { kind: 'said', value: said.value } : { kind: 'failed', error: said.error },
        );
        waiting.delete(said.id);
      },
    );
  });
  await Promise.race([
    ready,
    ended.then(([code]) => Promise.reject(new Error(`A replica ended with ${code} at its start.`))),
  ]);
  const ask: Replica['ask'] = (asked, end) =>
    new Promise((tell) => {
      if (!alive) return tell({ kind: 'died' });
      const id = count++;
      waiting.set(id, tell);
      // Whoever dies just now is told of by its end.
      child.send({ id, asked, end } satisfies Order, () => undefined);
    });
  return {
    ask,
    call: (tool, args, { session, end } = {}) => ask({ does: 'call', tool, args, session }, end),
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    get alive() {
      return alive;
    },
  };
}

/** Every operation of the ledger. */
export async function allOperations(ledger: Ledger): Promise<readonly OperationRow[]> {
  const rows: OperationRow[] = [];
  let cursor: string | undefined;
  do {
    const page = await ledger.transaction('default', (tx) => tx.operations.list({}, { limit: 1_000, cursor }));
    rows.push(...page.rows);
    cursor = page.more;
  } while (cursor !== undefined);
  return rows;
}

/** What ledger and platform say of each other when everything is over. */
export interface Verdict {
  readonly operations: number;
  readonly effects: number;
  /** Requests that took effect more than once, and purchases that were confirmed or released for more than once. */
  readonly duplicates: number;
  /** Effects that no operation stands for, or whose operation says that there was none; successes without an effect. */
  readonly lost: number;
  /** Answers given to the agent that the ledger contradicts. */
  readonly untrue: number;
  readonly parked: number;
  /** Still under way: nobody has looked after it. */
  readonly open: number;
  readonly chain: boolean;
}

/** Holds the ledger against what the platform did, request by request, and against what the agent was told. */
export async function judge(fleet: Fleet, told: readonly Answer[] = []): Promise<Verdict> {
  const operations = await allOperations(fleet.ledger);
  const effects = (await fleet.effects()).filter(({ operation }) => operation !== 'enrollCard');
  const byRequest = counted(effects.map(({ correlationId }) => correlationId));
  const once = effects.filter(({ operation, status }) => onceOnly.includes(operation) && status === 200);
  const byPurchase = counted(once.map(({ operation, entity }) => `${operation} ${entity}`));
  const known = new Map(operations.map((row) => [requestOf(row), row]));
  const strays = effects.filter(({ correlationId }) =>
    withoutEffect.includes(known.get(correlationId)?.state ?? 'none'),
  );
  const empty = operations.filter(
    (row) => row.state === 'SUCCEEDED' && row.name !== 'enrollCard' && !byRequest.has(requestOf(row)),
  );
  const states = new Map(operations.map(({ id, state }) => [id, state]));
  const untrue = told.filter(
    ({ outcome, operation }) => outcome === 'done' && states.get(operation ?? '') !== 'SUCCEEDED',
  );
  const more = (counts: ReadonlyMap<string, number>) => [...counts.values()].filter((count) => count > 1).length;
  return {
    operations: operations.length,
    effects: effects.length,
    duplicates: more(byRequest) + more(byPurchase),
    lost: strays.length + empty.length,
    untrue: untrue.length,
    parked: operations.filter(({ state }) => state === 'UNKNOWN').length,
    open: operations.filter(({ state }) => state === 'SENDING').length,
    chain: (await fleet.ledger.verify()).ok,
  };
}

/** Operations that one approval lets happen once for a purchase. */
const onceOnly: readonly string[] = ['confirmTransaction', 'retrieveCredentials'];
const withoutEffect: readonly string[] = ['none', 'PROPOSED', 'APPROVED', 'FAILED', 'EXPIRED'];

/** What the platform knows a request by. */
function requestOf({ id, request }: OperationRow): string {
  const made = request?.new as { readonly correlationId?: string } | undefined; // as `storedRequest` keeps it
  return made?.correlationId ?? id;
}

function counted(values: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
