import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { AuditRow } from '../ledger/rows.ts';
import { holdsCardData } from '../screening/card-data.ts';
import { IntegrityError } from './integrity-error.ts';
import type { EngineParts } from './parts.ts';
import type { DecisionResult, NotDecided, Person } from './person.ts';
import { type Refusal, Refused } from './refusal.ts';

// What allows only reads (EN-13): for all tenants a corrupt ledger, for one tenant an integrity error. The first ends
// when the ledger is intact again, the second when a person has investigated.

/** Requires that this tenant is not halted. Changes nothing. */
export async function demandNotFrozen(tx: LedgerTransaction): Promise<void> {
  const since = await tx.audit.halt();
  if (since !== undefined) throw new Refused(frozen(since.operationId ?? undefined));
}

/** Records an integrity error: from then on this tenant can only read. */
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

/** Runs work for a tenant. On an integrity error it halts the tenant and returns undefined. */
export async function orFreeze<T>(parts: EngineParts, tenant: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof IntegrityError)) throw error;
    await freezeTenant(parts, tenant, error);
    return undefined;
  }
}

/** The audit row that halted a tenant; undefined if none did. */
export const freezeOf = ({ ledger }: Pick<EngineParts, 'ledger'>, tenant: string): Promise<AuditRow | undefined> =>
  ledger.transaction(tenant, (tx) => tx.audit.halt());

/** Allows a tenant's calls again. `note`: the person's finding, which stays in the audit. */
export function unfreeze(parts: EngineParts, note: string, by: Person): Promise<DecisionResult> {
  // The audit chain keeps the note forever.
  if (holdsCardData(note, parts.settings.ownNumbers)) return Promise.resolve(secretNote);
  return parts.ledger.transaction(by.tenant, async (tx) => {
    const since = await tx.audit.halt();
    if (since === undefined) return { ok: false, because: 'This tenant is not halted.' };
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

/** A note that must not be stored (EN-05). */
export const secretNote: NotDecided = {
  ok: false,
  because: 'The note seems to contain a card number, security code or one-time code. Write it without.',
  field: 'note',
};

const frozen = (operation: string | undefined): Refusal => ({
  code: 'INTERNAL_HALT',
  rule: 'EN-13',
  because:
    'The ledger contradicts itself about a call, so nothing is sent until an operator has investigated: purser audit show, then purser audit resume.',
  retry: 'never',
  instead: ['list_operations'],
  ...(operation === undefined ? {} : { operation }),
});
