import { join } from 'node:path';
import { z } from 'zod';
import { isThere } from '../files/check.ts';
import { stateOf } from '../files/database.ts';
import { readText } from '../files/read.ts';
import { replaceFile } from '../files/write.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { VerifiedPosition } from '../ledger/verification.ts';
import { checkedFile } from './bad-configuration.ts';
import type { Configuration } from './configuration.ts';
import { nowhere } from './folders.ts';
import { ledgerFile } from './storage-paths.ts';

// The data folder stores how far the audit chain was verified, outside the database. The position counts only if nobody
// has written since; otherwise the next start verifies everything.

const shape = z.strictObject({ seq: z.int().min(0), hash: z.string().regex(/^[0-9a-f]{64}$/), unchanged: z.string() });

/**
 * A fingerprint of a closed ledger's file that every write changes; undefined if the file can't show that nobody has
 * written.
 */
export const fileState = (configuration: Configuration): string | undefined => stateOf(ledgerFile(configuration));

/**
 * The position verified before the last stop, if nobody has written since. `before`: the file's fingerprint before it
 * was opened.
 */
export async function readPosition(
  configuration: Configuration,
  before: string | undefined,
  ledger: Ledger,
): Promise<VerifiedPosition | undefined> {
  const writes = await ledger.writeCounters();
  const unchanged = configuration.databaseUrl === undefined ? before : writes.others;
  const read = shape.safeParse(contentOf(positionFile(configuration)));
  if (!read.success || unchanged === undefined || read.data.unchanged !== unchanged) return undefined;
  const { seq, hash } = read.data;
  return { seq, hash, writes };
}

/** Stores the verified position once the ledger is closed. */
export function writePosition(configuration: Configuration, verified: VerifiedPosition | undefined): void {
  const file = positionFile(configuration);
  const unchanged = configuration.databaseUrl === undefined ? fileState(configuration) : verified?.writes.others;
  if (file === undefined || verified === undefined || unchanged === undefined) return;
  const { seq, hash } = verified;
  checkedFile(() => replaceFile('position', file, `${JSON.stringify({ seq, hash, unchanged })}\n`));
}

const positionFile = ({ data, environment }: Configuration): string | undefined =>
  data === nowhere ? undefined : join(data, `${environment}.verified.json`);

/** Undefined if the file is missing or not JSON. */
function contentOf(file: string | undefined): unknown {
  if (file === undefined || !isThere(file)) return undefined;
  const text = checkedFile(() => readText('position', file));
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
