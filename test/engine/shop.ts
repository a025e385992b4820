import { onTestFinished } from 'vitest';
import { compose, type Replacements } from '../../src/cli/compose.ts';
import { type Configuration, readConfiguration } from '../../src/cli/config.ts';
import type { Platform } from '../../src/client/platform.ts';
import type { Answer } from '../../src/engine/answer.ts';
import { recordDecision } from '../../src/engine/approval-service.ts';
import type { Person } from '../../src/engine/person.ts';
import { registerReceipt } from '../../src/engine/register.ts';
import type { Caller } from '../../src/ledger/ledger.ts';
import type { AuditRow, OperationRow } from '../../src/ledger/rows.ts';

/** 2026-01-15T09:00:00Z: the moment at which every test begins. */
export const start = Date.UTC(2026, 0, 15, 9);
export const agent: Caller = { tenant: 'default', principal: 'agent' };
export const clerk: Person = { tenant: 'default', approver: 'clerk', channel: 'cli' };

const minutes = (count: number): string => new Date(start + count * 60_000).toISOString();

/** A purchase that every rule lets pass once a person approved it. */
export const wish = {
  card: 'card_ada',
  reference: 'order-1',
  limit: { amount: '40.00', currency: 'EUR' },
  until: minutes(120),
  description: 'Headphones',
} as const;

/** A second tenant, for whom nothing is known yet. */
export const withOther = {
  configuration: { tenants: { default: {}, other: {} } },
  replace: { seeded: ['default'] },
};

export interface ShopOptions {
  readonly configuration?: Partial<Configuration>;
  readonly replace?: Replacements;
}

/** A whole Purser in memory, its sandbox standing still at `start`, and short words for what tests do with it. */
export async function shop({ configuration = {}, replace = {} }: ShopOptions = {}) {
  let given = 0;
  const letters = (count: number) =>
    String(count)
      .padStart(4, '0')
      .replace(/\d/g, (digit) => 'abcdefghij'[+digit] ?? '');
  const sent: { readonly method: string; readonly path: string; readonly body: Record<string, unknown> }[] = [];
  const watched =
    (real: Platform, tenant: string): Platform =>
    async (request) => {
      const text = await request.clone().text();
      sent.push({
        method: request.method,
        path: new URL(request.url).pathname,
        body: text === '' ? {} : JSON.parse(text),
      });
      return (replace.platform?.(real, tenant) ?? real)(request);
    };
  const running = await compose(
    { ...readConfiguration({}, { data: ':memory:' }), ...configuration },
    {
      clock: { now: () => start },
      frozenAt: start,
      ids: {
        handle: (prefix) => `${prefix}_${letters(++given)}`,
        key: (prefix) => `${prefix}_${letters(++given)}`,
        uuid: () => `00000000-0000-4000-8000-${String(++given).padStart(12, '0')}`,
      },
      ...replace,
      platform: watched,
    },
  );
  onTestFinished(() => running.close());
  const { engine, sandbox } = running;
  const { parts } = engine;
  if (sandbox === undefined) throw new Error('These tests run on the embedded sandbox.');

  const call = (tool: string, args: unknown, caller: Caller = agent): Promise<Answer> =>
    engine.call(tool, args, caller);
  const control = async (path: string, body: unknown): Promise<void> => {
    const request = new Request(`http://localhost/sandbox/${path}`, { method: 'POST', body: JSON.stringify(body) });
    const { status } = await sandbox.handle(request);
    if (status !== 200) throw new Error(`The sandbox answered ${status}.`);
  };
  /** Makes a call, has a person approve it, and makes it again. */
  const approved = async (tool: string, args: unknown, caller: Caller = agent): Promise<Answer> => {
    const asked = await call(tool, args, caller);
    if (asked.approval === undefined) return asked;
    await recordDecision(parts, asked.approval.id, 'approve', { ...clerk, tenant: caller.tenant });
    return call(tool, args, caller);
  };
  /** An open purchase; its handle. */
  const bought = async (change: object = {}): Promise<string> => {
    const { card } = { ...wish, ...change };
    await call('enroll_card', { card });
    const { data } = await approved('initiate_purchase', { ...wish, ...change });
    return String(data?.instruction);
  };

  return {
    engine,
    parts,
    sandbox,
    /** Every request that went out, in order. */
    sent,
    call,
    approved,
    bought,
    advance: (seconds: number) => control('clock', { advance: seconds * 1_000 }),
    fault: (on: string, kind: string, more: object = {}) => control('faults', { on, kind, ...more }),
    /** What the platform did, as `operation status`. */
    effects: async (): Promise<readonly string[]> =>
      (await sandbox.world.snapshot()).effects.map(({ operation, status }) => `${operation} ${status}`),
    audit: async (): Promise<readonly AuditRow[]> =>
      (await parts.ledger.transaction('default', (tx) => tx.audit.list({ limit: 200 }))).rows.toReversed(),
    /** Every operation, newest first. */
    operations: async (): Promise<readonly OperationRow[]> =>
      (await parts.ledger.transaction('default', (tx) => tx.operations.list({}, { limit: 100 }))).rows,
    operation: (id: string): Promise<OperationRow | undefined> =>
      parts.ledger.transaction('default', (tx) => tx.operations.find(id)),
    pay: (instruction: string, change: object = {}) =>
      registerReceipt(parts, 'default', {
        instruction,
        transactionType: 'PURCHASE',
        transactionStatus: 'APPROVED',
        amount: '39.90',
        currency: 'EUR',
        ...change,
      }),
  };
}

export type Shop = Awaited<ReturnType<typeof shop>>;
