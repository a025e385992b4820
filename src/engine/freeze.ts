import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { AuditRow } from '../ledger/rows.ts';
import { holdsCardData } from '../screening/card-data.ts';
import { IntegrityError } from './integrity-error.ts';
import type { EngineParts } from './parts.ts';
import type { DecisionResult, Person } from './person.ts';
import { type Refusal, Refused } from './refusal.ts';

// What stops everything but reading (EN-13): for all tenants a ledger that is not what was written, for one tenant a promise
// of Purser that was seen broken. The first ends with a ledger that is whole; the second when a person has looked.

/** Demands that nothing has halted this tenant. Changes nothing. */
export async function demandNotFrozen(tx: LedgerTransaction): Promise<void> {
  const since = await tx.audit.halt();
  if (since !== undefined) throw new Refused(frozen(since.operationId ?? undefined));
}

/** Writes down that a promise was seen broken: from then on nothing but reading goes on for this tenant. */
export async function freezeTenant(
  { ledger, ports }: EngineParts,
  tenant: string,
  broken: IntegrityError,
): Promise<Refusal> {
  const { message: because, operation: operationId } = broken;
  await ledger.transaction(tenant, async (tx) => {
    if ((await tx.audit.halt()) !== undefined) return;
    await tx.audit.append({ operationId, event: 'halted', body: { because }, at: ports.clock.now() });
  });
  return frozen(operationId);
}

/** Does one piece of work for a tenant; where it sees a promise broken, halts the tenant, and answers undefined. */
export async function orFreeze<T>(parts: EngineParts, tenant: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof IntegrityError)) throw error;
    await freezeTenant(parts, tenant, error);
    return undefined;
  }
}

/** Why a tenant stands still: the row of the audit that halted it; undefined where nothing has. */
export const freezeOf = ({ ledger }: Pick<EngineParts, 'ledger'>, tenant: string): Promise<AuditRow | undefined> =>
  ledger.transaction(tenant, (tx) => tx.audit.halt());

/** Lets a tenant's calls go on. `note`: what the person found, which stays in the audit. */
export function unfreeze(parts: EngineParts, note: string, by: Person): Promise<DecisionResult> {
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
export const secretNote: DecisionResult = {
  ok: false,
  because: 'The note looks like it holds a card number, security code or one-time code. Say without it how you know.',
  field: 'note',
};

const frozen = (operation: string | undefined): Refusal => ({
  code: 'INTERNAL_HALT',
  rule: 'EN-13',
  because:
    'What the ledger says of a call is not what Purser does, so nothing is sent until an operator has looked: purser audit show, then purser audit resume.',
  retry: 'never',
  instead: ['list_operations'],
  ...(operation === undefined ? {} : { operation }),
});
