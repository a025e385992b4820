import { moveAnchor } from './anchor.ts';
import { type AuditLock, demandNotFrozen } from './freeze.ts';
import type { EngineParts } from './parts.ts';

/**
 * Hands the secret behind released credentials to the merchant's payment system, once. Undefined where the handle names
 * none, or one that is another tenant's, too old or used: nobody can tell these apart. The audit knows of each handing out
 * before anybody has the secret; a fault in between loses it, which costs one more release and no secret. Throws Refused
 * while the tenant is halted.
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
    if (found?.kind !== 'credentials' || typeof found.body.secret !== 'string') return undefined;
    const secret = await parts.vault.redeem(tx.sealed, found.body.secret, tenant, now);
    if (secret === undefined) return undefined;
    const { instruction = '' } = found.body;
    await tx.audit.append({ event: 'redeemed', body: { credentials: handle, instruction }, at: now });
    return secret;
  });
  // Whoever puts an older ledger back must not redeem it once more.
  if (secret !== undefined) await moveAnchor(parts);
  return secret;
}
