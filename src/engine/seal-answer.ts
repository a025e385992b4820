import { PlatformFault } from '../client/errors.ts';
import type { Operation } from '../core/operation.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { SecretStore } from '../ledger/secret-store.ts';

/** A secret of an answer, in the vault. */
export interface SealedAnswer {
  readonly shown: { readonly [field: string]: string };
  readonly reference: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/**
 * Puts what an operation declares secret of its answer into the vault. Undefined where it declares nothing, or the answer has
 * none. Throws PlatformFault for an answer whose secret can't be read.
 */
export async function sealAnswer(
  vault: Pick<SecretStore, 'put'>,
  tx: LedgerTransaction,
  { sealing }: Pick<Operation, 'sealing'>,
  body: unknown,
  { tenant, now }: { readonly tenant: string; readonly now: number },
): Promise<SealedAnswer | undefined> {
  const opened = await sealing?.open(body);
  if (sealing === undefined || opened === undefined) return undefined;
  if ('unreadable' in opened) throw new PlatformFault('wrong-shape', { paths: opened.unreadable });
  const expiresAt = now + sealing.lifetimeSeconds * 1_000;
  const reference = await vault.put(tx.sealed, opened.secret, { tenant, expiresAt });
  return { shown: opened.shown, reference, expiresAt };
}
