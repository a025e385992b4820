import { isKind, kindTable } from '../domains/index.ts';
import type { ObservationRow } from '../ledger/rows.ts';
import { moveAnchor } from './anchor.ts';
import type { AuditLock } from './audit-lock.ts';
import { demandNotFrozen } from './freeze.ts';
import type { EngineParts } from './parts.ts';

/**
 * Gives the secret behind a handle to the merchant's payment system, once. Undefined where the handle has no secret, or a secret
 * that has expired, was redeemed, or belongs to another tenant: the caller can't tell these apart. The audit records each
 * redemption first, so a crash in between costs another release and never an unrecorded one. Throws Refused while the tenant is
 * frozen.
 */
export async function redeemCredentials(
  parts: EngineParts,
  tenant: string,
  handle: string,
  audit?: Pick<AuditLock, 'demandUnchanged'>,
): Promise<unknown> {
  const now = parts.ports.clock.now();
  const secret = await parts.ledger.transaction(tenant, async (tx) => {
    await audit?.demandUnchanged(tx);
    await demandNotFrozen(tx);
    const found = await tx.observations.find(handle);
    const reference = found && secretReference(found);
    if (found === undefined || reference === undefined) return undefined;
    const secret = await parts.vault.redeem(tx.sealed, reference, tenant, now);
    if (secret === undefined) return undefined;
    const { instruction = '' } = found.body;
    await tx.audit.append({ event: 'redeemed', body: { credentials: handle, instruction }, at: now });
    return secret;
  });
  // Whoever puts an older ledger back must not redeem it once more.
  if (secret !== undefined) await moveAnchor(parts);
  return secret;
}

/** Where the vault has the secret of a thing that the merchant's app may redeem; undefined for any other thing. */
function secretReference({ kind, body }: ObservationRow): string | undefined {
  const { secret } = isKind(kind) ? kindTable[kind] : {};
  const reference = secret?.redeemedBy === 'app' ? body[secret.member] : undefined;
  return typeof reference === 'string' ? reference : undefined;
}
