import type { Facts } from '../domains/facts.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { OperationRow } from '../ledger/rows.ts';
import { finish } from './finish.ts';
import { orFreeze } from './freeze.ts';
import { gatherFacts } from './gather-facts.ts';
import type { EngineParts } from './parts.ts';
import { retryOnConflict } from './retry.ts';
import type { Reply } from './send.ts';
import type { PlatformTool } from './tool.ts';
import { viewOf } from './view.ts';

/** Finishes a call that nobody waits for any more, as its own response would have. `event`: of the audit. */
export async function finishLost(
  parts: EngineParts,
  tool: PlatformTool,
  row: OperationRow,
  reply: Reply,
  event: string,
): Promise<void> {
  const caller: Caller = { tenant: row.tenant, principal: row.principal };
  const facts = await parts.ledger.transaction(row.tenant, async (tx) => {
    const view = viewOf(tx, caller, parts.settings);
    const known = await gatherFacts(tool, JSON.parse(row.args) as Facts['args'], view, parts.settings, parts.ports);
    return { ...known, new: row.request?.new as Facts['new'] }; // stored by `storedRequest`
  });
  const sent = { kind: 'send', row, facts, warnings: [] } as const;
  // If the opposite is recorded already, that must be investigated.
  await orFreeze(parts, row.tenant, () => retryOnConflict(() => finish(parts, tool, sent, reply, caller, { event })));
}
