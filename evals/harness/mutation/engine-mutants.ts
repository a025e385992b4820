import { z } from 'zod';
import { isAstray } from '../../../src/client/skew.ts';
import type { EngineParts } from '../../../src/engine/parts.ts';
import { type RateLimits, unlimitedRates } from '../../../src/engine/rate-limiter.ts';
import type { Mutant } from './mutant.ts';
import { mutant, onSettings, onTools } from './mutant.ts';

/** Rates of a conversation that let one change more or less through at once. */
const bent = ({ conversation, principal }: RateLimits, by: number): RateLimits => ({
  principal,
  conversation: { ...conversation, write: { ...conversation.write, burst: conversation.write.burst + by } },
});

/** Mutants of the engine's rules, made through its ports, settings and tool definitions. */
export const engineMutants: readonly Mutant[] = [
  mutant(
    'EN-01',
    'arguments',
    'drop',
    onTools(() => ({ inputSchema: z.looseObject({}) })),
  ),
  mutant(
    'EN-02',
    'handles',
    'drop',
    onTools(({ input }) => ({
      input: {
        ...input,
        args: Object.fromEntries(Object.entries(input.args).map(([name, { kind: _, ...arg }]) => [name, arg])),
      },
    })),
  ),
  mutant(
    'EN-03',
    'reference',
    'drop',
    onTools(({ input }) => ({ input: { ...input, reference: () => '' } })),
  ),
  mutant(
    'EN-04',
    'approval',
    'drop',
    onTools(({ policy }) =>
      policy.approval === undefined
        ? {}
        : { policy: { ...policy, approval: { ...policy.approval, needed: () => false } } },
    ),
  ),
  mutant(
    'EN-04',
    'approval',
    'negate',
    onTools(({ policy }) => {
      const { approval } = policy;
      return approval === undefined
        ? {}
        : { policy: { ...policy, approval: { ...approval, needed: (facts) => !approval.needed(facts) } } };
    }),
  ),
  mutant('EN-04', 'time', 'ignore time', (parts) => ({ ...parts, ledger: lasting(parts.ledger, (at) => at + 1e12) })),
  mutant('EN-04', 'time', 'boundary +1', (parts) => ({ ...parts, ledger: lasting(parts.ledger, (at) => at + 1_000) })),
  mutant('EN-04', 'time', 'boundary -1', (parts) => ({ ...parts, ledger: lasting(parts.ledger, (at) => at - 1_000) })),
  mutant(
    'EN-06',
    'subject',
    'drop',
    onTools(({ policy }) => ({ policy: { ...policy, lockKey: () => '' } })),
  ),
  mutant(
    'EN-07',
    'subject',
    'drop',
    onTools(({ policy }) => ({ policy: { ...policy, lockKey: () => '' } })),
  ),
  mutant(
    'EN-12',
    'rates',
    'drop',
    onSettings(() => ({ rates: unlimitedRates })),
  ),
  mutant(
    'EN-12',
    'rates',
    'boundary +1',
    onSettings(({ rates }) => ({ rates: bent(rates, 1) })),
  ),
  mutant(
    'EN-12',
    'rates',
    'boundary -1',
    onSettings(({ rates }) => ({ rates: bent(rates, -1) })),
  ),
  mutant('EN-13', 'audit', 'drop', (parts) => ({
    ...parts,
    ledger: {
      ...within(parts.ledger, ({ audit }) => ({
        audit: { ...audit, verifyRecent: async (verified) => ({ kind: 'whole' as const, verified }) },
      })),
      verify: async () => ({ ok: true, head: '', rows: 0 }),
      verifySince: async (verified) => ({ kind: 'whole' as const, verified, older: false }),
    },
  })),
  mutant('EN-13', 'halt', 'drop', (parts) => ({ ...parts, ledger: withoutHalts(parts.ledger) })),
  mutant('EN-14', 'taint', 'drop', (parts) => ({ ...parts, ledger: tainting(parts.ledger, () => undefined) })),
  mutant('EN-14', 'taint', 'ignore time', (parts) => ({ ...parts, ledger: tainting(parts.ledger, () => 8e15) })),
  mutant('EN-14', 'taint', 'boundary +1', (parts) => ({
    ...parts,
    ledger: tainting(parts.ledger, (at) => at + 1_000),
  })),
  mutant('EN-14', 'taint', 'boundary -1', (parts) => ({
    ...parts,
    ledger: tainting(parts.ledger, (at) => at - 1_000),
  })),
  mutant('EN-15', 'clocks', 'drop', (parts) => ({ ...parts, ports: { ...parts.ports, skew: () => 0 } })),
  mutant('EN-15', 'clocks', 'negate', (parts) => ({
    ...parts,
    ports: { ...parts.ports, skew: () => (isAstray(parts.ports.skew() ?? 0) ? 0 : Number.MAX_SAFE_INTEGER) },
  })),
  mutant(
    'AP-01',
    'shape',
    'drop',
    onSettings(({ levels }) => ({ levels: { ...levels, 'AP-01': 'off' } })),
  ),
];

type Ledger = EngineParts['ledger'];
type Transaction = Parameters<Parameters<Ledger['transaction']>[1]>[0];

const within = (ledger: Ledger, change: (tx: Transaction) => Partial<Transaction>): Ledger => ({
  ...ledger,
  transaction: (tenant, work) => ledger.transaction(tenant, (tx) => work({ ...tx, ...change(tx) })),
});

/** A ledger whose approvals expire at another time. */
function lasting(ledger: Ledger, shift: (expiresAt: number) => number): Ledger {
  const moved = <Row extends { readonly expiresAt: number } | undefined>(row: Row): Row =>
    row === undefined ? row : { ...row, expiresAt: shift(row.expiresAt) };
  return within(ledger, ({ approvals }) => ({
    approvals: {
      ...approvals,
      find: async (id) => moved(await approvals.find(id)),
      ofOperation: async (id) => moved(await approvals.ofOperation(id)),
    },
  }));
}

/** A ledger without halts. */
const withoutHalts = (ledger: Ledger): Ledger =>
  within(ledger, ({ audit }) => ({ audit: { ...audit, halt: async () => undefined } }));

/** A ledger that records untrusted text with another time, or not at all. */
const tainting = (ledger: Ledger, shift: (at: number) => number | undefined): Ledger =>
  within(ledger, ({ observations }) => ({
    observations: {
      ...observations,
      find: async (handle) => {
        const row = await observations.find(handle);
        if (row === undefined || row.kind !== 'run') return row;
        // A row as an earlier version wrote it: all that was read, at one time.
        const read = Object.values((row.body.texts ?? {}) as Readonly<Record<string, number>>);
        const updatedAt = shift(Math.max(row.updatedAt, ...read));
        return updatedAt === undefined ? undefined : { ...row, updatedAt, body: {} };
      },
    },
  }));
