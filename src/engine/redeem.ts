import type { JsonObject } from '../core/canonical-json.ts';
import type { Operation } from '../core/operation.ts';
import type { Redeemer, ReleasedFor } from '../core/thing.ts';
import { contract, isKind, kindTable } from '../domains/index.ts';
import { CommitUnknown } from '../ledger/errors.ts';
import type { LedgerReads, LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { ObservationRow, OperationRow } from '../ledger/rows.ts';
import { moveAnchor } from './anchor.ts';
import type { AuditLock } from './audit-lock.ts';
import { demandNotFrozen } from './freeze.ts';
import type { EngineParts } from './parts.ts';

/**
 * Returns the secret behind a handle to whom it is for, once. Undefined if the handle has no secret, or
 * one that has expired, was redeemed, belongs to another tenant, or is for a purchase that has ended, allows less by now, or may have
 * been changed by a call without a known end, which look the same. The audit records each
 * redemption first, so a crash in between costs another release but never leaves an unrecorded one. Throws Refused
 * while the tenant is halted.
 */
export async function redeemSecret(
  parts: EngineParts,
  tenant: string,
  handle: string,
  by: Redeemer,
  audit?: Pick<AuditLock, 'demandUnchanged'>,
): Promise<unknown> {
  const now = parts.ports.clock.now();
  let verified: (() => void) | undefined;
  let undo = (): void => undefined;
  const work = async (tx: LedgerTransaction): Promise<unknown> => {
    undo(); // of an earlier run, where the ledger runs this again
    undo = () => undefined;
    verified = await audit?.demandUnchanged(tx, [handle]);
    await demandNotFrozen(tx);
    const found = await tx.observations.find(handle);
    const reference = found && secretReference(found, by);
    if (found === undefined || reference === undefined) return undefined;
    const standing = await standingOf(tx, found, now);
    if (standing === 'ended') await parts.vault.forget(tx.sealed, reference, tenant, now);
    if (standing !== 'good') return undefined;
    const lent = await parts.vault.redeem(tx.sealed, reference, tenant, now);
    if (lent === undefined) return undefined;
    undo = lent.putBack;
    await tx.observations.update(found, { body: { ...found.body, [redeemedMember]: now } }, now);
    await tx.audit.append({ event: 'redeemed', body: redeemed[by](handle, found.body), at: now });
    return lent.value;
  };
  const secret = await parts.ledger.transaction(tenant, work).catch((error: unknown) => {
    if (!(error instanceof CommitUnknown)) undo();
    throw error;
  });
  verified?.();
  // After this, an older copy of the ledger can't redeem it again.
  if (secret !== undefined) await moveAnchor(parts);
  return secret;
}

/** What the audit says of a redemption. */
const redeemed: { readonly [R in Redeemer]: (handle: string, body: JsonObject) => JsonObject } = {
  app: (credentials, { instruction = '' }) => ({ credentials, instruction }),
  operator: (key) => ({ key }),
};

/**
 * Whether what a thing's secret was released for still allows it to be redeemed. `unclear`: a call that may have changed that is in
 * progress or of unknown outcome. A further release changes nothing of those before it.
 */
async function standingOf(
  tx: LedgerTransaction,
  row: ObservationRow,
  now: number,
): Promise<'good' | 'ended' | 'unclear'> {
  if (await isReleaseOver(tx, row, now)) return 'ended';
  const open = await tx.operations.openOn(releasedFor(row)?.handle ?? '');
  return open === undefined || isRelease(open) ? 'good' : 'unclear';
}

/** What a thing's secret was released for; undefined if that is nothing that can end. */
function releasedFor({ kind, body }: ObservationRow): (ReleasedFor & { readonly handle: string }) | undefined {
  const { secret } = isKind(kind) ? kindTable[kind] : {};
  const handle = secret?.releasedFor && body[secret.releasedFor.member];
  return secret?.releasedFor === undefined || typeof handle !== 'string'
    ? undefined
    : { ...secret.releasedFor, handle };
}

/** Whether what a thing's secret was released for no longer allows it to be redeemed. */
export async function isReleaseOver(
  { observations }: Pick<LedgerReads, 'observations'>,
  row: ObservationRow,
  now: number,
): Promise<boolean> {
  const released = releasedFor(row);
  const owner = released && (await observations.find(released.handle));
  return released !== undefined && (owner === undefined || !released.allows(owner, row, now));
}

/** The fact of a thing that says since when its secret is redeemed: milliseconds since the epoch. */
const redeemedMember = 'redeemedAt';

/** Whether a thing's secret was handed out. */
export const wasRedeemed = ({ body }: Pick<ObservationRow, 'body'>): boolean => body[redeemedMember] !== undefined;

/** Whether a call releases secrets. A row may belong to an operation that this build doesn't know. */
const isRelease = ({ name }: OperationRow): boolean =>
  (contract as Readonly<Record<string, Pick<Operation, 'sealing'> | undefined>>)[name]?.sealing !== undefined;

/** Deletes the newest secret that was released for a thing, if that no longer allows it to be redeemed. One before it is refused. */
export async function forgetReleased(
  { vault, ports }: Pick<EngineParts, 'vault' | 'ports'>,
  tx: LedgerTransaction,
  it: ObservationRow,
): Promise<void> {
  const now = ports.clock.now();
  for (const { secret } of Object.values(kindTable)) {
    const { releasedFor } = secret ?? {};
    if (secret === undefined || releasedFor?.kind !== it.kind) continue;
    const newest = it.body[releasedFor.newest];
    const row = typeof newest === 'string' ? await tx.observations.find(newest) : undefined;
    if (row === undefined || releasedFor.allows(it, row, now)) continue;
    const reference = secretReference(row, secret.redeemedBy);
    if (reference !== undefined) await vault.forget(tx.sealed, reference, it.tenant, now);
  }
}

/** The vault's reference to a thing's secret, if it is for this redeemer. */
function secretReference({ kind, body }: ObservationRow, by: Redeemer): string | undefined {
  const { secret } = isKind(kind) ? kindTable[kind] : {};
  const reference = secret?.redeemedBy === by ? body[secret.member] : undefined;
  return typeof reference === 'string' ? reference : undefined;
}
