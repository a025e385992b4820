import type { CallerRole } from '../../../src/core/operation.ts';
import { operation } from '../../../src/core/own-machines.ts';
import { Secret } from '../../../src/core/secret.ts';
import { demandDistinct, roles, type Tokens } from '../../../src/engine/access-tokens.ts';
import { isCallableBy, toolsByRole } from '../../../src/engine/callers.ts';
import { findNearDuplicate } from '../../../src/engine/near-duplicate.ts';
import type { View } from '../../../src/engine/view.ts';
import type { LedgerTransaction } from '../../../src/ledger/ledger-transaction.ts';
import type { OperationRow } from '../../../src/ledger/rows.ts';
import { everyTool, tools } from '../../../tools/index.ts';
import { agentCaller } from '../world/settings.ts';
import { start } from './ledger-steps.ts';
import { each, type Mechanisms } from './lines.ts';

// What is known of who calls, and of what was called before.

/** A call that is nearly the same as an earlier one in each state; one of another caller is not named. */
const nearlyTheSame: Mechanisms[string] = () => {
  const tool = tools.find((it) => it.name === 'create_invoice');
  if (tool?.kind !== 'platform') throw new Error('There is no such tool.');
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
    const tx = { operations: { recentAlike: async () => [row] } } as unknown as LedgerTransaction; // as above
    const view = { operations: { find: async () => (isSeen ? row : undefined) } } as unknown as View; // as above
    const asked = { tool, args: {}, essence: '', reference: '', caller: agentCaller, view, spends: true, now: start };
    const found = await findNearDuplicate(tx, asked);
    return [what, found ?? 'nothing'];
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
  'a call that is nearly the same, by the earlier one': nearlyTheSame,
  'tokens of roles that are the same': sameTokens,
};
