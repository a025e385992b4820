import type { CallerRole } from '../../../src/core/operation.ts';
import { operation } from '../../../src/core/own-machines.ts';
import { Secret } from '../../../src/core/secret.ts';
import type { Facts } from '../../../src/domains/facts.ts';
import { demandDistinct, roles, type Tokens } from '../../../src/engine/access-tokens.ts';
import { isCallableBy, toolsByRole } from '../../../src/engine/callers.ts';
import { findNearDuplicate } from '../../../src/engine/near-duplicate.ts';
import { Refused } from '../../../src/engine/refusal.ts';
import { spendOf } from '../../../src/engine/spending-limits.ts';
import { policyFault } from '../../../src/engine/spending-policy.ts';
import { markOf } from '../../../src/engine/taint.ts';
import type { PlatformTool } from '../../../src/engine/tool.ts';
import type { SpendAmount } from '../../../src/engine/tool-policy.ts';
import type { View } from '../../../src/engine/view.ts';
import type { Caller } from '../../../src/ledger/ledger.ts';
import type { LedgerTransaction } from '../../../src/ledger/ledger-transaction.ts';
import type { OperationRow } from '../../../src/ledger/rows.ts';
import { everyTool, tools } from '../../../tools/index.ts';
import { agentCaller } from '../world/settings.ts';
import { start } from './ledger-steps.ts';
import { each, type Lines, type Mechanisms } from './lines.ts';

// What is known of who calls, and of what was called before.

function toolNamed(name: string): PlatformTool {
  const tool = tools.find((it) => it.name === name);
  if (tool?.kind !== 'platform') throw new Error('There is no such tool.');
  return tool;
}

/** A ledger that knows no thing, so each is as the answer told it. */
const nothingKnown = { load: async () => undefined, find: async () => undefined };

/** A call that is nearly the same as an earlier one in each state; one of another caller is not named. */
const nearlyTheSame: Mechanisms[string] = () => {
  const tool = toolNamed('create_invoice');
  const ends = {
    'without an answer': undefined,
    'with an error': { error: {} },
    'still open': { data: { state: 'OPEN' } },
  };
  const earlier = [...operation.existing, 'OTHER'].flatMap((state) =>
    Object.entries(ends).map(([end, result]) => ({ what: `${state}, ${end}`, state, result, isSeen: true })),
  );
  const unseen = { what: 'that of another', state: 'SENDING', result: undefined, isSeen: false };
  return each([...earlier, unseen], async ({ what, state, result, isSeen }) => {
    const known = { id: 'op_one', state, result, reference: '', args: 'others', principal: 'agent' };
    const row = known as unknown as OperationRow; // all that is asked of it
    const tx = {
      operations: { recentAlike: async () => [row] },
      observations: nothingKnown,
    } as unknown as LedgerTransaction; // as above
    const view = { operations: { find: async () => (isSeen ? row : undefined) } } as unknown as View; // as above
    const asked = { tool, args: {}, essence: '', reference: '', caller: agentCaller, view, spends: true, now: start };
    const found = await findNearDuplicate(tx, asked);
    return [what, found ?? 'nothing'];
  });
};

/** A call that is nearly the same as two earlier ones, the newest first: one may still take effect, the other is over. */
const nearlyTheSameTwice: Mechanisms[string] = () => {
  const tool = toolNamed('create_invoice');
  const rowOf = (id: string, state: string) =>
    ({
      ...{ id, state, result: undefined },
      reference: '',
      args: 'others',
      principal: 'agent',
    }) as unknown as OperationRow; // as above
  const [over, open] = [rowOf('op_over', 'SUCCEEDED'), rowOf('op_open', 'UNKNOWN')];
  const orders = [[over, open], [open, over], [over], []];
  return each(orders, async (rows) => {
    const tx = {
      operations: { recentAlike: async () => rows },
      observations: nothingKnown,
    } as unknown as LedgerTransaction; // as above
    const view = { operations: { find: async () => over } } as unknown as View; // as above
    const asked = { tool, args: {}, essence: '', reference: '', caller: agentCaller, view, spends: true, now: start };
    return [rows.map(({ id }) => id).join(', ') || 'none', (await findNearDuplicate(tx, asked)) ?? 'nothing'];
  });
};

/** Callers whose calls are of one conversation. */
const conversations: Mechanisms[string] = () => {
  const of: readonly (readonly [what: string, caller: Partial<Caller>])[] = [
    ['nothing', {}],
    ['a session', { session: 'one' }],
    ['another session', { session: 'two' }],
    ['a conversation', { conversation: 'one' }],
    ['a conversation in a session', { conversation: 'one', session: 'two' }],
    ['another conversation', { conversation: 'two' }],
    ['another principal', { principal: 'other' }],
  ];
  const marks = of.map(([what, caller]) => [what, markOf({ ...agentCaller, ...caller })] as const);
  const alike = Map.groupBy(marks, ([, mark]) => mark);
  return [...alike.values()].map((all) => [all.map(([what]) => what).join(', '), 'have one']);
};

/** The rule that a sum breaks which no currency has, by tool. */
const impossibleSums: Mechanisms[string] = () => {
  const facts = { now: start, things: {}, args: {}, merchant: {} } as unknown as Facts; // all that is asked of it
  const moved = { amount: '10.005', currency: 'GBP', payee: 'Harbour Audio', instrument: 'card_one' } as const;
  return tools.flatMap((tool): Lines => {
    if (tool.kind !== 'platform' || tool.policy.spend === undefined) return [];
    try {
      return [
        [tool.name, spendOf(tool, facts, agentCaller, moved).isUnknown === true ? 'not known' : 'taken'] as const,
      ];
    } catch (error) {
      return [[tool.name, error instanceof Refused ? [error.refusal.code, error.refusal.rule] : 'throws'] as const];
    }
  });
};

/** The tools that each role may call, where agents are offered the first two of theirs alone. */
const byRole: Mechanisms[string] = () => {
  const offered = everyTool.filter((tool) => isCallableBy(tool, 'agent')).slice(0, 2);
  return callerRoles.flatMap((role) =>
    [true, false].map((hasOperatorCalls) => {
      const toolFor = toolsByRole(everyTool, offered, hasOperatorCalls);
      const callable = everyTool.filter(({ name }) => toolFor(name, role) !== undefined).map(({ name }) => name);
      return [`${role}, ${hasOperatorCalls ? 'with' : 'without'} calls of operators`, callable.join(', ') || 'none'];
    }),
  );
};
const callerRoles = ['agent', 'app', 'customer', 'operator'] as const satisfies readonly CallerRole[];

/** What a call counts of the sum that its tool says, and what a limit says of that. */
const counts: Mechanisms[string] = () => {
  const tool = toolNamed('update_subscription');
  const limit = { name: 'each', tools: [tool.name], currency: 'GBP', per: [], perCall: '10.00' } as const;
  const facts = { now: start, things: {}, args: {}, merchant: {} } as unknown as Facts; // all that is asked of it
  const paid = { currency: 'GBP', payee: 'Harbour Audio', instrument: 'card_one' } as const;
  const sums: readonly (readonly [what: string, moved: SpendAmount | 'unknown' | undefined])[] = [
    ['nothing', undefined],
    ['a sum that is not known', 'unknown'],
    ...['0.00', '10.00', '10.01'].map((amount) => [amount, { ...paid, amount }] as const),
    ['10.00, of which 4.00 are counted', { ...paid, amount: '10.00', counted: '4.00' }],
    ['10.00, of which 12.00 are counted', { ...paid, amount: '10.00', counted: '12.00' }],
    ['10.00 in another currency', { ...paid, amount: '10.00', currency: 'USD' }],
  ];
  return sums.map(([what, moved]) => {
    const spend = spendOf(tool, facts, agentCaller, moved);
    return [what, [`${spend.adds} counted`, policyFault(limit, spend, start) ?? 'within the limit']];
  });
};

/** Tokens of which two are the same. */
const sameTokens: Mechanisms[string] = () =>
  roles.flatMap((one) =>
    roles.map((other) => {
      const tokens = Object.fromEntries(roles.map((role) => [role, new Secret(role === other ? one : role)])) as Tokens;
      return [`${other} has that of ${one}`, errorOf(() => demandDistinct(tokens))] as const;
    }),
  );

function errorOf(work: () => void): string {
  try {
    work();
    return 'taken';
  } catch (error) {
    return error instanceof Error ? error.message : 'throws';
  }
}

export const callerMechanisms: Mechanisms = {
  'tools by who calls': byRole,
  'what a call counts, and what a limit says of it': counts,
  'a call that is nearly the same, by the earlier one': nearlyTheSame,
  'a call that is nearly the same as two': nearlyTheSameTwice,
  'whose calls are one conversation': conversations,
  'a sum that no currency has, by tool': impossibleSums,
  'tokens of roles that are the same': sameTokens,
};
