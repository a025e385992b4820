import type { World } from '../world/world.ts';

/** What the ledger says of approvals and operations, and what the platform was sent. */
export interface Kept {
  readonly approvals: ReadonlyMap<string, string>;
  readonly operations: ReadonlyMap<string, string>;
  readonly sent: number;
}

export async function keptIn({ ledger, wire }: Pick<World, 'ledger' | 'wire'>): Promise<Kept> {
  const approvals = await ledger.rows('select id, state, channel, approver from approvals order by created_at, rowid');
  const operations = await ledger.rows('select id, name, state from operations order by created_at, rowid');
  return {
    approvals: new Map(
      approvals.map(({ id, state, channel, approver }) => [
        `approval ${id}`,
        `${state}${channel === null || channel === '' ? '' : ` by ${channel}, ${approver}`}`,
      ]),
    ),
    operations: new Map(operations.map(({ id, name, state }) => [`operation ${id} (${name})`, String(state)])),
    sent: wire.sent(),
  };
}

/** What differs in the ledger, in words. */
export const turnsIn = (before: Kept, after: Kept): readonly string[] =>
  (['approvals', 'operations'] as const).flatMap((table) =>
    [...after[table]].flatMap(([name, state]) => {
      const was = before[table].get(name);
      return was === state ? [] : [`${name}: ${was === undefined ? '' : `${was} → `}${state}`];
    }),
  );

/** The approval that was asked for last. */
export async function lastApproval({ ledger }: Pick<World, 'ledger'>): Promise<string> {
  const [row] = await ledger.rows('select id from approvals order by created_at desc, rowid desc limit 1');
  return String(row?.id ?? 'apr_none');
}
