import type { JsonObject } from '../core/canonical-json.ts';
import type { Redeemer } from '../core/thing.ts';
import { isKind, kindTable } from '../domains/index.ts';
import type { ObservationRow } from '../ledger/rows.ts';
import { moveAnchor } from './anchor.ts';
import type { AuditLock } from './audit-lock.ts';
import { demandNotFrozen } from './freeze.ts';
import type { EngineParts } from './parts.ts';

/**
 * Returns the secret behind a handle to whom it is for, once. Undefined if the handle has no secret, or
 * one that has expired, was redeemed, or belongs to another tenant, which look the same. The audit records each
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
  const secret = await parts.ledger.transaction(tenant, async (tx) => {
    verified = await audit?.demandUnchanged(tx);
    await demandNotFrozen(tx);
    const found = await tx.observations.find(handle);
    const reference = found && secretReference(found, by);
    if (found === undefined || reference === undefined) return undefined;
    const secret = await parts.vault.redeem(tx.sealed, reference, tenant, now);
    if (secret === undefined) return undefined;
    await tx.audit.append({ event: 'redeemed', body: redeemed[by](handle, found.body), at: now });
    return secret;
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

/** The vault's reference to a thing's secret, if it is for this redeemer. */
function secretReference({ kind, body }: ObservationRow, by: Redeemer): string | undefined {
  const { secret } = isKind(kind) ? kindTable[kind] : {};
  const reference = secret?.redeemedBy === by ? body[secret.member] : undefined;
  return typeof reference === 'string' ? reference : undefined;
}
