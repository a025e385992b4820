import { onTestFinished } from 'vitest';
import { compose, type Replacements, type Running } from '../../src/cli/compose.ts';
import { readConfiguration } from '../../src/cli/config.ts';
import type { Configuration } from '../../src/cli/configuration.ts';
import type { Platform } from '../../src/client/platform.ts';
import type { Answer } from '../../src/engine/answer.ts';
import { recordDecision } from '../../src/engine/approval-service.ts';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import type { EngineParts } from '../../src/engine/parts.ts';
import { recover } from '../../src/engine/recover.ts';
import { registerReceipt } from '../../src/engine/register.ts';
import { settleUnknown } from '../../src/engine/settle-unknown.ts';
import type { Caller } from '../../src/ledger/ledger.ts';
import type { AuditRow, ObservationRow, OperationRow } from '../../src/ledger/rows.ts';
import type { Effect, FaultKind } from '../../src/sandbox/index.ts';
import { keepBeginning, keepRows, openBegunLedger, openTestLedger } from '../support/ledger.ts';

// A fresh world for each behaviour: an engine, its sandbox, a clock that stands still, and ids that count.

/** When every world begins. */
export const begins = Date.UTC(2026, 0, 15, 9);
/** The end of every mandate, well after that. */
export const until = '2026-02-01T00:00:00Z';
export const agent: Caller = { tenant: 'default', principal: 'agent' };

/** An answer as tests read it: its data are whatever the tool says. */
// biome-ignore lint/suspicious/noExplicitAny: answers are compared whole, not typed
export type Said = Omit<Answer, 'data'> & { readonly data: any };

/** A request as the platform got it. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are compared whole, not typed
  readonly body: any;
}

export interface World {
  readonly running: Running;
  readonly parts: EngineParts;
  /** Every request since the world was opened. */
  readonly sent: readonly Sent[];
  call(tool: string, args?: unknown, caller?: Caller): Promise<Said>;
  /** Has a person approve what a call waits for. */
  approve(said: Said): Promise<void>;
  /** Makes a call, has a person approve it where one must, and makes it again. */
  through(tool: string, args: unknown, caller?: Caller): Promise<Said>;
  fault(on: string, kind: FaultKind, more?: { readonly times?: number; readonly afterSeconds?: number }): Promise<void>;
  /** Sets the clock forward, for Purser and the platform alike. */
  advance(seconds: number): Promise<void>;
  effects(operation?: string): Promise<readonly Effect[]>;
  control(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Newest first. */
  operations(): Promise<readonly OperationRow[]>;
  operation(id: string | undefined): Promise<OperationRow>;
  thing(handle: string): Promise<ObservationRow>;
  /** Oldest first. */
  audit(): Promise<readonly AuditRow[]>;
  /** The merchant's payment system reports a processed payment. */
  receipt(instruction: string, more?: object): Promise<void>;
}

/** What the rows depend on that a world begins with. */
const decidesBeginning: readonly string[] = [
  ...['clock', 'frozenAt', 'ids', 'ledger', 'seeded'],
  ...['data', 'databaseUrl', 'environment', 'ownNumbers', 'sandboxUrl', 'tenant', 'tenants'],
];

interface Options {
  readonly replace?: Replacements;
  readonly configure?: Partial<Configuration>;
}

/** A second tenant, for whom nothing is known yet. */
export const withOther = {
  configure: { tenants: { default: {}, other: {} } },
  replace: { seeded: ['default'] },
};

export const configuration = (more: Partial<Configuration> = {}): Configuration => ({
  ...readConfiguration({
    PURSER_DATA: ':memory:',
    PURSER_TOOLSETS: 'all',
    // Children of a test have the same.
    XDG_STATE_HOME: process.env.XDG_STATE_HOME,
  }),
  ...more,
});

/** Ids that count: the same calls get the same ones. Letters, as the real ones. */
export function countingIds() {
  let count = 0;
  const next = () => {
    count += 1;
    return count;
  };
  const handle = (prefix: string) => `${prefix}_${letters(next())}`;
  return {
    handle,
    key: handle,
    uuid: () => `00000000-0000-4000-8000-${next().toString(16).padStart(12, '0')}`,
  };
}

const letters = (count: number): string =>
  count
    .toString(26)
    .replace(/[0-9a-p]/g, lettersOf)
    .padStart(12, 'a');
const lettersOf = (digit: string): string => String.fromCharCode(97 + Number.parseInt(digit, 26));

/** Opens a world; it is closed when the test ends. */
export async function world({ replace = {}, configure = {} }: Options = {}): Promise<World> {
  const it = await openWorld({ replace, configure });
  onTestFinished(() => it.running.close());
  return it;
}

/** As `world`, closed by the caller. */
export async function openWorld({ replace = {}, configure = {} }: Options = {}): Promise<World> {
  const sent: Sent[] = [];
  const kept = (real: Platform, tenant: string): Platform => {
    const platform = replace.platform?.(real, tenant) ?? real;
    return async (request) => {
      const text = await request.clone().text();
      const { pathname: path } = new URL(request.url);
      sent.push({ method: request.method, path, body: text === '' ? {} : JSON.parse(text) });
      return platform(request);
    };
  };
  const isUsual = ![...Object.keys(replace), ...Object.keys(configure)].some((name) => decidesBeginning.includes(name));
  const running = await compose(configuration(configure), {
    clock: { now: () => begins },
    ids: countingIds(),
    frozenAt: begins,
    ledger: isUsual ? openBegunLedger : openTestLedger,
    ...replace,
    platform: kept,
  });
  // The sandbox's shoppers, whose registration takes three times as long as all the rest.
  if (isUsual) await keepBeginning(running.ledger);
  return worldOf(running, configure.tenant, sent);
}

/** A world as it was, with an engine that has just started, under further settings. */
export type Again = (settings?: Partial<EngineParts['settings']>) => Promise<World>;

/** Keeps a world of one tenant as it is now: bringing it back costs less than a call, and making it may have cost a hundred. */
export async function remember({ running, parts, sent }: World): Promise<Again> {
  const { sandbox } = running;
  if (sandbox === undefined) throw new Error('The world has a sandbox.');
  let engine = running.engine.of(parts.tenant);
  await engine.settle();
  const [bringBack, platform, already] = [await keepRows(running.ledger), await sandbox.world.snapshot(), sent.length];
  return async (settings = {}) => {
    await engine.settle();
    await bringBack();
    await sandbox.world.restore(platform);
    (sent as Sent[]).splice(already); // the platform of the world goes on writing into it
    engine = createEngine({ ...parts, settings: { ...parts.settings, ...settings } });
    return worldOf({ ...running, engine }, parts.tenant, sent);
  };
}

/** One engine that serves two tenants, each with its own account at the platform. */
export async function twoTenants(replace: Replacements = {}) {
  const configure = { tenant: 'ada_shop', tenants: { ada_shop: {}, bo_shop: {} } };
  const { running } = await world({ configure, replace });
  return { running, ada: worldOf(running, 'ada_shop'), bo: worldOf(running, 'bo_shop') };
}

export function worldOf(running: Running, tenant: string = agent.tenant, sent: readonly Sent[] = []): World {
  const { engine } = running;
  const { parts } = engine.of(tenant);
  const sandbox = running.sandboxes.get(tenant);
  const control = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await sandbox?.handle(
      new Request(`https://sandbox.purser.test/sandbox/${path}`, { method, ...sent }),
    );
    if (!answer?.ok) throw new Error(`${path}: ${answer?.status} ${await answer?.text()}`);
    return answer.json();
  };
  const call = async (tool: string, args: unknown = {}, caller: Caller = { ...agent, tenant }) =>
    (await engine.call(tool, args, caller)) as Said;
  const approve = async ({ approval }: Said) => {
    const decided = await recordDecision(parts, approval?.id ?? '', 'approve', { ...person, tenant });
    if (!decided.ok) throw new Error(decided.because);
  };
  return {
    running,
    parts,
    sent,
    call,
    approve,
    through: async (tool, args, caller) => {
      const first = await call(tool, args, caller);
      if (first.outcome !== 'needs_approval') return first;
      await approve(first);
      return call(tool, args, caller);
    },
    control,
    fault: async (on, kind, more = {}) => {
      await control('POST', 'faults', { on, kind, ...more });
    },
    advance: async (seconds) => {
      await control('POST', 'clock', { advance: seconds * 1_000 });
    },
    effects: async (operation) => {
      // The control API answers the oracle's rows.
      const { effects } = (await control('GET', 'effects')) as { effects: readonly Effect[] };
      return operation === undefined ? effects : effects.filter((effect) => effect.operation === operation);
    },
    operations: () =>
      parts.ledger.transaction(tenant, async (tx) => (await tx.operations.list({}, { limit: 1_000 })).rows),
    operation: async (id = '') => {
      const row = await parts.ledger.transaction(tenant, (tx) => tx.operations.find(id));
      if (row === undefined) throw new Error(`There is no operation ${id}.`);
      return row;
    },
    thing: async (handle) => {
      const row = await parts.ledger.transaction(tenant, (tx) => tx.observations.find(handle));
      if (row === undefined) throw new Error(`There is no ${handle}.`);
      return row;
    },
    audit: async () =>
      (await parts.ledger.transaction(tenant, (tx) => tx.audit.list({ limit: 1_000 }))).rows.toReversed(),
    receipt: async (instruction, more = {}) => {
      const posted = await registerReceipt(parts, tenant, {
        instruction,
        transactionType: 'PURCHASE',
        transactionStatus: 'APPROVED',
        amount: '40.00',
        currency: 'GBP',
        ...more,
      });
      if (!posted.ok) throw new Error(JSON.stringify(posted.faults));
    },
  };
}

export const person = { tenant: 'default', approver: 'ann', channel: 'cli' } as const;

/** An engine on the ledger of a world that never takes the platform for gone, for tests that lose more answers than that allows. */
export function patient({ parts }: Pick<World, 'parts'>, more: Partial<EngineParts['settings']> = {}): Engine {
  const platformLimits = { ...parts.settings.platformLimits, failures: Number.POSITIVE_INFINITY };
  return createEngine({ ...parts, settings: { ...parts.settings, platformLimits, ...more } });
}

/** A purchase as an agent asks for it. */
export const order = (more: object = {}) => ({
  card: 'card_ada',
  reference: 'order-1',
  limit: { amount: '100.00', currency: 'GBP' },
  until,
  description: 'Headphones',
  ...more,
});

/** A payment within it. */
export const payment = (instruction: string, more: object = {}) => ({
  instruction,
  amount: '40.00',
  currency: 'GBP',
  ...more,
});

/** The same mandate once more, or another, for an update. */
export const change = (instruction: string, more: object = {}) => ({
  instruction,
  limit: { amount: '100.00', currency: 'GBP' },
  until,
  description: 'Headphones',
  ...more,
});

/** An enrolled card and an open purchase; answers the purchase's handle. */
export async function bought(it: World, more: object = {}): Promise<string> {
  const args = order(more);
  await it.call('enroll_card', { card: args.card });
  const { data } = await it.through('initiate_purchase', args);
  return data.instruction;
}

/** A purchase whose credentials were released and whose payment was processed. */
export async function paid(it: World, more: object = {}): Promise<string> {
  const instruction = await bought(it, more);
  await it.call('retrieve_credentials', payment(instruction));
  await it.receipt(instruction);
  return instruction;
}

/** Sets the clock past the quiet period and looks after what was left behind. */
export async function quiet(it: World): Promise<number> {
  await it.advance(121);
  return recover(it.parts);
}

export const settle = (it: World, id: string | undefined, happened: boolean) =>
  settleUnknown(it.parts, id ?? '', { happened, note: 'looked it up' }, person);

export const deny = (it: World, { approval }: Said) => recordDecision(it.parts, approval?.id ?? '', 'deny', person);
