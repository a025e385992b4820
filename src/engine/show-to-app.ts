import { isKind, kindTable } from '../domains/index.ts';
import type { EngineParts } from './parts.ts';
import { thing } from './resolve.ts';

/** The data of a thing for the merchant's own page; undefined if there is no such thing or it has none. */
export async function showToApp(parts: EngineParts, tenant: string, handle: string): Promise<object | undefined> {
  const found = await parts.ledger.transaction(tenant, (tx) => tx.observations.find(handle));
  return found !== undefined && isKind(found.kind) ? kindTable[found.kind].forApp?.(thing(found)) : undefined;
}
