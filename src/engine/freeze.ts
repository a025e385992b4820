import { StaleRow } from '../ledger/errors.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { AuditRow } from '../ledger/rows.ts';
import type { RecentVerdict, VerifiedPosition } from '../ledger/verification.ts';
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

/**
 * Refuses while the ledger is not what was written. The first call, or an inspection, verifies all of it; a later call goes
 * on from the last verified row, so what it costs does not grow with the ledger.
 */
export function auditLock({ ledger, anchor, verifiedBefore }: EngineParts) {
  let verified: VerifiedPosition | undefined = verifiedBefore;
  let isBroken = false;
  let isBehind = false;
  const inspect = oneAtATime(async () => {
    const writes = await ledger.writeCounters();
    const found = await ledger.verify(anchor?.read());
    const isCutOff = found.ok && found.rows < (writes.last?.seq ?? 0);
    note(
      found.ok && !isCutOff
        ? { kind: 'whole', verified: { seq: found.rows, hash: found.head, writes } }
        : {
            kind: 'broken',
            because: found.ok ? 'The chain ends before a row that this process has written.' : found.because,
          },
    );
  });
  const catchUp = oneAtATime(async () => {
    if (verified === undefined) return inspect();
    const found = await ledger.verifySince(verified, anchor?.read());
    note(found);
    isBehind = false;
    // The older rows are too many to be read again before a call; what is found there refuses the next ones.
    if (found.kind === 'whole' && found.older) void inspect().catch(() => undefined);
  });
  const note = (found: Exclude<RecentVerdict, { readonly kind: 'behind' }>): void => {
    isBroken = found.kind === 'broken';
    if (found.kind === 'whole') verified = found.verified;
  };
  const demandNotBroken = (): void => {
    if (isBroken) throw new Refused(damaged);
  };

  return {
    inspect: (): Promise<void> => inspect(),
    /** How far the chain was verified, for the next start; undefined while it is broken, or nobody has looked. */
    verified: (): VerifiedPosition | undefined => (isBroken ? undefined : verified),
    /** Demands a whole ledger, and has verified what a short look within a transaction can't take in. */
    demandWhole: async (): Promise<void> => {
      demandNotBroken();
      if (verified === undefined || isBehind) await catchUp();
      demandNotBroken();
    },
    /**
     * Looks within the transaction that decides, before anything else of it, at what was added or changed since the last
     * look. Throws StaleRow where that is much: try again from `demandWhole` on.
     */
    demandUnchanged: async (tx: LedgerTransaction): Promise<void> => {
      const found = verified === undefined ? ({ kind: 'behind' } as const) : await tx.audit.verifyRecent(verified);
      if (found.kind === 'behind') {
        isBehind = true;
        throw new StaleRow('Much was added to the audit, or somebody else has written, since it was verified.');
      }
      note(found);
      demandNotBroken();
    },
    /** Closes the lock until an inspection finds the ledger whole: a call has read a row that is not what was written. */
    close: (): void => {
      isBroken = true;
    },
  };
}

export type AuditLock = ReturnType<typeof auditLock>;

/** Whoever asks while it is done already gets that. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
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
