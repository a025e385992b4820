import type { AuditRow, LedgerTransaction } from '../ledger/ledger.ts';
import { holdsCardData } from '../screening/card-data.ts';
import type { EngineParts } from './engine.ts';
import type { Decided, Person } from './people.ts';
import { type Refusal, Refused } from './refuse.ts';

// What stops everything but reading (EN-13): for all tenants a ledger that is not what was written, for one tenant a promise
// of Purser that was seen broken. The first ends with a ledger that is whole; the second when a person has looked.

/** What must always hold does not: the ledger says what Purser never writes. Carries no value of it. */
export class Broken extends Error {
  override readonly name = 'Broken';
  readonly operation: string | undefined;
  constructor(because: string, operation?: string) {
    super(because);
    this.operation = operation;
  }
}

/** Demands that nothing has halted this tenant. Changes nothing. */
export async function demandRunning(tx: LedgerTransaction): Promise<void> {
  const since = await tx.audit.halt();
  if (since !== undefined) throw new Refused(halted(since.operationId ?? undefined));
}

/** Writes down that a promise was seen broken: from then on nothing but reading goes on for this tenant. */
export async function halt({ ledger, ports }: EngineParts, tenant: string, broken: Broken): Promise<Refusal> {
  const { message: because, operation: operationId } = broken;
  await ledger.transaction(tenant, async (tx) => {
    if ((await tx.audit.halt()) !== undefined) return;
    await tx.audit.append({ operationId, event: 'halted', body: { because }, at: ports.clock.now() });
  });
  return halted(operationId);
}

/** Does one piece of work for a tenant; where it sees a promise broken, halts the tenant, and answers undefined. */
export async function orHalt<T>(parts: EngineParts, tenant: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    await halt(parts, tenant, error);
    return undefined;
  }
}

/** Why a tenant stands still: the row of the audit that halted it; undefined where nothing has. */
export const haltOf = ({ ledger }: Pick<EngineParts, 'ledger'>, tenant: string): Promise<AuditRow | undefined> =>
  ledger.transaction(tenant, (tx) => tx.audit.halt());

/** Lets a tenant's calls go on. `note`: what the person found, which stays in the audit. */
export function resume(parts: EngineParts, note: string, by: Person): Promise<Decided> {
  // What stands in the chain of the audit can never be taken out of it.
  if (holdsCardData(note, parts.settings.ownNumbers)) return Promise.resolve(secretNote);
  return parts.ledger.transaction(by.tenant, async (tx) => {
    const since = await tx.audit.halt();
    if (since === undefined) return { ok: false, because: 'Nothing has halted this tenant.' };
    const operation = since.operationId ?? '';
    const body = { note, person: by.approver, channel: by.channel };
    await tx.audit.append({
      operationId: since.operationId ?? undefined,
      event: 'resumed',
      body,
      at: parts.ports.clock.now(),
    });
    return { ok: true, operation, state: 'resumed', text: note };
  });
}

/** A note that may not be kept, by EN-05. */
export const secretNote: Decided = {
  ok: false,
  because: 'The note looks like it holds a card number, security code or one-time code. Say without it how you know.',
  field: 'note',
};

const halted = (operation: string | undefined): Refusal => ({
  code: 'INTERNAL_HALT',
  rule: 'EN-13',
  because:
    'What the ledger says of a call is not what Purser does, so nothing is sent until an operator has looked: purser audit show, then purser audit resume.',
  retry: 'never',
  instead: ['list_operations'],
  ...(operation === undefined ? {} : { operation }),
});

/** Refuses while the audit chain is broken, by what the first call or the last inspection found. Reads never wait. */
export function auditLock({ ledger, anchor }: EngineParts) {
  let verdict: ReturnType<EngineParts['ledger']['verify']> | undefined;
  return {
    demandWhole: async (): Promise<void> => {
      // A verdict that could not be reached is sought anew by the next call.
      verdict ??= ledger.verify(anchor).catch((error: unknown) => {
        verdict = undefined;
        throw error;
      });
      if (!(await verdict).ok) throw new Refused(damaged);
    },
    inspect: async (): Promise<void> => {
      const found = await ledger.verify(anchor);
      verdict = Promise.resolve(found);
    },
    /** Closes the lock until an inspection finds the ledger whole: a call has read a row that is not what was written. */
    close: (because: string): void => {
      verdict = Promise.resolve({ ok: false, because });
    },
  };
}

/** What is answered, and nothing is sent, where a row that the call depends on is damaged. */
export const damaged: Refusal = {
  code: 'INTERNAL_HALT',
  rule: 'EN-13',
  because:
    'The ledger is damaged, or its audit chain is broken, so nothing is sent. An operator must look: purser audit verify.',
  retry: 'never',
  instead: ['list_operations'],
};
