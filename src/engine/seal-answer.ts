import { PlatformFault } from '../client/errors.ts';
import type { Operation, SentFor } from '../core/operation.ts';
import { Secret } from '../core/secret.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { SecretStore } from '../ledger/secret-store.ts';

/** A secret of a response, in the vault. */
export interface SealedAnswer {
  readonly shown: { readonly [field: string]: string };
  /** Its reference in the vault, and when it expires there, in milliseconds since the epoch; none where it isn't kept. */
  readonly kept?: { readonly reference: string; readonly expiresAt: number };
}

interface Sealed {
  readonly tenant: string;
  readonly now: number;
  readonly sent?: SentFor | undefined;
  readonly isKept?: boolean;
}

/**
 * Puts the part of a response that its operation declares secret into the vault. Undefined if the operation declares
 * none, or the response has none. Throws PlatformFault if the secret can't be read, or is of another request.
 */
export async function sealAnswer(
  vault: Pick<SecretStore, 'put'>,
  tx: LedgerTransaction,
  { sealing }: Pick<Operation, 'sealing'>,
  body: unknown,
  { tenant, now, sent, isKept = true }: Sealed,
): Promise<SealedAnswer | undefined> {
  const opened = await sealing?.open(body, sent);
  if (sealing === undefined || opened === undefined) return undefined;
  if ('unreadable' in opened) throw new PlatformFault('wrong-shape', { paths: opened.unreadable });
  if (!isKept) return { shown: opened.shown };
  const expiresAt = now + sealing.lifetimeSeconds * 1_000;
  const reference = await vault.put(tx.sealed, new Secret(opened.secret), { tenant, expiresAt });
  return { shown: opened.shown, kept: { reference, expiresAt } };
}
