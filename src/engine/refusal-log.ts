import { limits } from '../core/limits.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { EngineParts } from './parts.ts';
import type { Refusal } from './refusal.ts';

/** The refusals of one caller, tool, rule and code since the first was recorded. */
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
 * Records refusals in the audit: the first of a kind at once, with its field; later ones within the window as one row
 * with their count, so a looping agent can't fill the disk. A crash loses the count of the open window, but never the
 * first row.
 */
export function createRefusalLog({
  ledger,
  ports,
}: Pick<EngineParts, 'ledger'> & { readonly ports: Pick<EngineParts['ports'], 'clock'> }) {
  const kinds = new Map<string, Kind>();
  const isOver = ({ since }: Kind): boolean => ports.clock.now() - since >= limits.refusalMinutes * 60_000;
  const sum = async (tx: LedgerTransaction, { body, since, times }: Kind): Promise<void> => {
    if (times > 0) await tx.audit.append({ event: 'refused', body: { ...body, since, times }, at: ports.clock.now() });
  };
  /**
   * Counts a refusal. If it is the first of a window, that opens at once, so refusals that share a commit are one row and a count.
   * `write` records it, and `lost` closes the window again where the row was not kept and nothing else was counted: the next
   * refusal is the first one then.
   */
  const enter = (tool: string, caller: Caller, { rule, code, field }: Refusal) => {
    const { tenant, principal } = caller;
    const key = JSON.stringify([tenant, principal, tool, rule, code]);
    const open = kinds.get(key);
    if (open !== undefined && !isOver(open)) {
      open.times += 1;
      return undefined;
    }
    const at = ports.clock.now();
    const body = { tool, rule: rule ?? null, code, principal };
    const fresh: Kind = { caller, body, since: at, times: 0 };
    kinds.set(key, fresh);
    return {
      write: async (tx: LedgerTransaction): Promise<void> => {
        if (open !== undefined) await sum(tx, open);
        await tx.audit.append({ event: 'refused', body: { ...body, field: field ?? null }, at });
      },
      lost: (): void => {
        if (kinds.get(key) !== fresh) return;
        // Others were counted meanwhile: the window stays, with what its row was to sum up.
        if (fresh.times > 0) fresh.times += open?.times ?? 0;
        else if (open === undefined) kinds.delete(key);
        else kinds.set(key, open);
      },
    };
  };
  return {
    note: async (tool: string, caller: Caller, refusal: Refusal): Promise<void> => {
      const first = enter(tool, caller, refusal);
      if (first === undefined) return;
      await ledger.transaction(caller.tenant, first.write).catch((error: unknown) => {
        first.lost();
        throw error;
      });
    },
    /** The same within the refusing transaction. Call the returned function if that is not committed. */
    noteIn: async (tx: LedgerTransaction, tool: string, caller: Caller, refusal: Refusal): Promise<() => void> => {
      const first = enter(tool, caller, refusal);
      try {
        await first?.write(tx);
      } catch (error) {
        first?.lost();
        throw error;
      }
      return first?.lost ?? (() => undefined);
    },
    /** Records the counts of windows that have ended, or of all windows at shutdown. */
    settle: async (all = false): Promise<void> => {
      for (const [key, kind] of [...kinds]) {
        if (!all && !isOver(kind)) continue;
        kinds.delete(key);
        if (kind.times > 0) await ledger.transaction(kind.caller.tenant, (tx) => sum(tx, kind));
      }
    },
  };
}
