import type { Replacements } from '../../src/cli/compose.ts';
import type { Configuration } from '../../src/cli/config.ts';
import type { Platform } from '../../src/client/platform.ts';
import type { Answer } from '../../src/engine/answer.ts';
import { recordDecision } from '../../src/engine/approval-service.ts';
import type { Person } from '../../src/engine/person.ts';
import { registerReceipt } from '../../src/engine/register.ts';
import type { Caller } from '../../src/ledger/ledger.ts';
import type { AuditRow, OperationRow } from '../../src/ledger/rows.ts';
import { agent, begins, world } from './support.ts';

/** 2026-01-15T09:00:00Z: the moment at which every test begins. */
export const start = begins;
export { agent };
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

/** A `world` of the tests of single steps: everything that is sent is kept, ids have four letters, and a clerk approves. */
export async function shop({ configuration = {}, replace = {} }: ShopOptions = {}) {
  let given = 0;
  const letters = (count: number) =>
    String(count)
      .padStart(4, '0')
      .replace(/\d/g, (digit) => 'abcdefghij'[+digit] ?? '');
  const handle = (prefix: string) => `${prefix}_${letters(++given)}`;
  const uuid = () => `00000000-0000-4000-8000-${String(++given).padStart(12, '0')}`;
  const sent: { readonly method: string; readonly path: string; readonly body: Record<string, unknown> }[] = [];
  const watched =
    (real: Platform, tenant: string): Platform =>
    async (request) => {
      const text = await request.clone().text();
      const { pathname: path } = new URL(request.url);
      sent.push({ method: request.method, path, body: text === '' ? {} : JSON.parse(text) });
      return (replace.platform?.(real, tenant) ?? real)(request);
    };
  const it = await world({
    configure: configuration,
    replace: { ids: { handle, key: handle, uuid }, ...replace, platform: watched },
  });
  const { engine, sandbox } = it.running;
  const { parts } = engine;
  if (sandbox === undefined) throw new Error('These tests run on the embedded sandbox.');

  const call = (tool: string, args: unknown, caller: Caller = agent): Promise<Answer> =>
    engine.call(tool, args, caller);
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
    ...{ engine, parts, sandbox, sent, call, approved, bought },
    advance: it.advance,
    fault: it.fault,
    /** Every operation, newest first. */
    operations: it.operations,
    /** What the platform did, as `operation status`. */
    effects: async (): Promise<readonly string[]> =>
      (await sandbox.world.snapshot()).effects.map(({ operation, status }) => `${operation} ${status}`),
    audit: async (): Promise<readonly AuditRow[]> =>
      (await parts.ledger.transaction('default', (tx) => tx.audit.list({ limit: 200 }))).rows.toReversed(),
    operation: (id: string): Promise<OperationRow | undefined> =>
      parts.ledger.transaction('default', (tx) => tx.operations.find(id)),
    pay: (instruction: string, change: object = {}) =>
      registerReceipt(parts, 'default', {
        ...{ instruction, transactionType: 'PURCHASE', transactionStatus: 'APPROVED' },
        ...{ amount: '39.90', currency: 'EUR', ...change },
      }),
  };
}

export type Shop = Awaited<ReturnType<typeof shop>>;
