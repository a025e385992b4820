import { limits } from '../contract/limits.ts';
import { canonicalJson } from '../ledger/canonical.ts';
import type { Json, LedgerTransaction } from '../ledger/ledger.ts';
import type { PlatformTool } from './tool.ts';

/** Arguments in which two calls may differ and still look like one that was made twice. */
const incidental = ['reference', 'description', 'prompt', 'until', 'name', 'code'];

/** A warning where a call under another reference did very nearly the same only minutes ago. */
export async function similarCall(
  tx: LedgerTransaction,
  tool: PlatformTool,
  args: Readonly<Record<string, unknown>>,
  reference: string,
  now: number,
): Promise<readonly string[]> {
  if (reference === '' || tool.outlay === undefined) return [];
  const rows = await tx.operations.doneSince(tool.operation, now - limits.similarMinutes * 60_000 + 1);
  const essence = essenceOf(args);
  // One that stands under no reference any more was to be made again.
  const earlier = rows.find(
    (row) => row.reference !== reference && row.reference !== '' && essenceOf(JSON.parse(row.args)) === essence,
  );
  return earlier === undefined
    ? []
    : [
        `Very nearly the same was done only minutes ago, under ${earlier.reference}: ${earlier.id}. Is this another one?`,
      ];
}

const essenceOf = (args: Readonly<Record<string, unknown>>): string =>
  // A tool's arguments are JSON by its schema.
  canonicalJson(Object.fromEntries(Object.entries(args).filter(([name]) => !incidental.includes(name))) as Json);
