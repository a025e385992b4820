import { limits } from '../core/limits.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { EngineParts } from './parts.ts';
import type { Refusal } from './refusal.ts';

/** Refusals of one caller, tool, rule and code since the first was recorded. */
interface Kind {
  readonly caller: Caller;
  readonly body: {
    readonly tool: string;
    readonly rule: string | null;
    readonly code: string;
    readonly principal: string;
  };
  readonly since: number;
  times: number;
}

export type RefusalLog = ReturnType<typeof createRefusalLog>;

/**
 * Records refusals in the audit: the first of a kind at once, with its field; later ones within the window as one row with their
 * count, so an agent in a loop fills no disk. A crash loses the count of the open window, never the first row.
 */
export function createRefusalLog({ ledger, ports }: Pick<EngineParts, 'ledger' | 'ports'>) {
  const kinds = new Map<string, Kind>();
  const isOver = ({ since }: Kind): boolean => ports.clock.now() - since >= limits.refusalMinutes * 60_000;
  const sum = async (tx: LedgerTransaction, { body, since, times }: Kind): Promise<void> => {
    if (times > 0) await tx.audit.append({ event: 'refused', body: { ...body, since, times }, at: ports.clock.now() });
  };
  return {
    note: async (tool: string, caller: Caller, refusal: Refusal): Promise<void> => {
      const { rule, code, field = null } = refusal;
      const { tenant, principal } = caller;
      const key = JSON.stringify([tenant, principal, tool, rule, code]);
      const open = kinds.get(key);
      if (open !== undefined && !isOver(open)) {
        open.times += 1;
        return;
      }
      const at = ports.clock.now();
      const body = { tool, rule: rule ?? null, code, principal };
      await ledger.transaction(tenant, async (tx) => {
        if (open !== undefined) await sum(tx, open);
        await tx.audit.append({ event: 'refused', body: { ...body, field }, at });
      });
      kinds.set(key, { caller, body, since: at, times: 0 });
    },
    /** Records the counts of windows that have ended; of all windows at shutdown. */
    settle: async (all = false): Promise<void> => {
      for (const [key, kind] of [...kinds]) {
        if (!all && !isOver(kind)) continue;
        kinds.delete(key);
        if (kind.times > 0) await ledger.transaction(kind.caller.tenant, (tx) => sum(tx, kind));
      }
    },
  };
}
