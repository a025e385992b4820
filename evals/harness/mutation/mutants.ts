import { z } from 'zod';
import { isAstray } from '../../../src/client/skew.ts';
import type { RuleId } from '../../../src/core/rules.ts';
import { contract, guards } from '../../../src/domains/index.ts';
import type { EngineParts } from '../../../src/engine/parts.ts';
import { unlimitedRates } from '../../../src/engine/rate-limiter.ts';
import { type PlatformTool, type Tool, toolName } from '../../../src/engine/tool.ts';
import type { Alter } from '../world/world.ts';
import { mutantsOfGuard } from './guards.ts';
import type { Mutant, MutationKind, Seen } from './mutant.ts';
import { termMutants } from './terms.ts';

/** Rules that stand in code which no port reaches; mutants of the source are for them. */
export const unmutatedRules: readonly RuleId[] = ['EN-05', 'EN-08', 'EN-09', 'EN-10'];

/** Every mutant, given what was read by each guard in a run of all scenarios. */
export const everyMutant = (read: ReadonlyMap<number, ReadonlySet<string>>): readonly Mutant[] => [
  ...guards.flatMap((_, place) => mutantsOfGuard(place, read.get(place) ?? new Set())),
  ...promises,
  ...termMutants,
];

/** Alters one tool, or those to which it applies. */
const onTools =
  (change: (tool: PlatformTool) => Partial<PlatformTool>, name?: string): Alter =>
  (parts) => ({
    ...parts,
    tools: parts.tools.map(
      (tool): Tool =>
        tool.kind === 'platform' && (name === undefined || tool.name === name) ? { ...tool, ...change(tool) } : tool,
    ),
  });

const settings =
  (change: (it: EngineParts['settings']) => Partial<EngineParts['settings']>): Alter =>
  (parts) => ({ ...parts, settings: { ...parts.settings, ...change(parts.settings) } });

const always = (): boolean => true;
const mutant = (
  rule: RuleId,
  where: string,
  how: MutationKind,
  alter: Alter,
  touches: Mutant['touches'] = always,
): Mutant => ({
  id: `${rule}/${where}/${how}`,
  rule,
  kind: how,
  alter,
  touches,
});

/** What else must be true of a thing from whose state a trigger is possible. */
const open: { readonly [machine: string]: object | undefined } = { invoice: { paid: false, expired: false } };

/** Machines whose time Purser itself tells; of other things the platform is asked before each call. */
const timed: readonly string[] = ['instruction'];

/** Tools that pull a trigger of a thing that is there, with the rule that refuses it, and a state from which it is possible, and is not. */
const pulling = Object.entries(contract).flatMap(([name, { moves }]) => {
  if (moves === undefined) return [];
  const { machine, trigger } = moves;
  const from = [...machine.rows, ...machine.assumed].filter((row) => row[1] === trigger).map(([state]) => state);
  const possible = from.find((state) => state !== 'none');
  const impossible = machine.states.find((state) => state !== 'none' && !from.includes(state));
  const rule = machine.breach[trigger] as RuleId | undefined; // as the machine's table has it
  return possible === undefined || impossible === undefined || rule === undefined || machine.name === 'card'
    ? []
    : [{ name: toolName(name), ...moves, rule, possible, impossible }];
});

/** How a machine would see a thing if it were in a state from which the trigger is possible, or is not. */
const machineMutants: readonly Mutant[] = pulling.flatMap(({ name, machine, trigger, rule, possible, impossible }) => {
  const entityOf = (change: (it: { readonly state: string }) => object): Alter =>
    onTools(
      ({ observe }) =>
        observe.moves === undefined
          ? {}
          : { observe: { ...observe, moves: { ...observe.moves, entity: secondLook(observe.moves, change) } } },
      name,
    );
  const at = (shift: (now: number) => number): Alter =>
    onTools(({ observe }) => {
      const { moves } = observe;
      if (moves === undefined) return {};
      const entity: Look = (things, now, ...more) => moves.entity(things, shift(now), ...more);
      return { observe: { ...observe, moves: { ...moves, entity } } };
    }, name);
  const touched = ({ tools }: Seen): boolean => tools.has(name);
  return [
    // Whatever state it is in, it is taken for one in which the trigger is possible.
    mutant(
      rule,
      name,
      'ignore state',
      entityOf((it) => (machine.move(it, trigger).ok ? it : { ...it, ...open[machine.name], state: possible })),
      touched,
    ),
    mutant(
      rule,
      name,
      'negate',
      entityOf((it) =>
        machine.move(it, trigger).ok ? { ...it, state: impossible } : { ...it, ...open[machine.name], state: possible },
      ),
      touched,
    ),
    // A state that nothing leaves is left.
    ...Object.entries(machine.final).map(([state, final]) =>
      mutant(
        final as RuleId, // as the machine's table has it
        `${name} ${state}`,
        'ignore state',
        entityOf((it) => (it.state === state ? { ...it, ...open[machine.name], state: possible } : it)),
        touched,
      ),
    ),
    ...(trigger === 'confirm' || !timed.includes(machine.name)
      ? []
      : [
          mutant(
            rule,
            name,
            'ignore time',
            at(() => 0),
            touched,
          ),
          mutant(
            rule,
            name,
            'boundary +1',
            at((now) => now + 1_000),
            touched,
          ),
          mutant(
            rule,
            name,
            'boundary -1',
            at((now) => now - 1_000),
            touched,
          ),
        ]),
  ];
});

type Moves = NonNullable<PlatformTool['observe']['moves']>;
type Look = Moves['entity'];

/**
 * Changes what the machine sees when a call is judged. Before that the engine looks once to let time pass, and after it to
 * learn from the answer; both see what is.
 */
function secondLook({ kind, entity }: Moves, change: (it: { readonly state: string }) => object): Look {
  const looked = new WeakSet<object>();
  return (things, now, answer, args) => {
    const it = entity(things, now, answer, args);
    const body = things[kind]?.body;
    if (body === undefined || answer !== undefined) return it;
    if (looked.has(body)) return change(it) as typeof it; // the same entity in another state
    looked.add(body);
    return it;
  };
}

/** The promises of the engine, each broken where a port or a tool's own data reach it. */
const promises: readonly Mutant[] = [
  ...machineMutants,
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
    settings(() => ({ rates: unlimitedRates })),
  ),
  mutant(
    'EN-12',
    'rates',
    'boundary +1',
    settings(({ rates }) => ({ rates: { ...rates, write: { ...rates.write, burst: rates.write.burst + 1 } } })),
  ),
  mutant(
    'EN-12',
    'rates',
    'boundary -1',
    settings(({ rates }) => ({ rates: { ...rates, write: { ...rates.write, burst: rates.write.burst - 1 } } })),
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
    settings(({ levels }) => ({ levels: { ...levels, 'AP-01': 'off' } })),
  ),
];

type Ledger = EngineParts['ledger'];
type Transaction = Parameters<Parameters<Ledger['transaction']>[1]>[0];

const within = (ledger: Ledger, change: (tx: Transaction) => Partial<Transaction>): Ledger => ({
  ...ledger,
  transaction: (tenant, work) => ledger.transaction(tenant, (tx) => work({ ...tx, ...change(tx) })),
});

/** A ledger whose approvals end at another time. */
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

/** A ledger that forgets what halted a tenant. */
const withoutHalts = (ledger: Ledger): Ledger =>
  within(ledger, ({ audit }) => ({ audit: { ...audit, halt: async () => undefined } }));

/** A ledger that remembers text from outside at another time, or not at all. */
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
