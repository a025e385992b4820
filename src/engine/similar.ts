import { limits } from '../contract/limits.ts';
import { canonicalJson } from '../ledger/canonical.ts';
import type { Json, LedgerTransaction } from '../ledger/ledger.ts';
import { operationOf, type PlatformTool } from './tool.ts';

/** Arguments in which two calls may differ and still look like one that was made twice. */
const incidental = ['reference', 'description', 'prompt', 'until', 'name', 'code'];

/**
 * A warning where a call under another reference did very nearly the same only minutes ago; or any call, where what is made
 * stands under no reference, so that nothing else tells a repeat from a second one.
 */
export async function similarCall(
  tx: LedgerTransaction,
  tool: PlatformTool,
  args: Readonly<Record<string, unknown>>,
  reference: string,
  now: number,
): Promise<readonly string[]> {
  const isLooked = reference === '' ? operationOf(tool).moves?.trigger === 'create' : tool.outlay !== undefined;
  if (!isLooked) return [];
  const rows = await tx.operations.doneSince(tool.operation, now - limits.similarMinutes * 60_000 + 1);
  const essence = essenceOf(args);
  // One that stands under no reference any more was to be made again.
  const isOther = (earlier: string) => reference === '' || (earlier !== reference && earlier !== '');
  const earlier = rows.find((row) => isOther(row.reference) && essenceOf(JSON.parse(row.args)) === essence);
  if (earlier === undefined) return [];
  const under = earlier.reference === '' ? '' : `, under ${earlier.reference}`;
  return [`Very nearly the same was done only minutes ago${under}: ${earlier.id}. Is this another one?`];
}

const essenceOf = (args: Readonly<Record<string, unknown>>): string =>
  // A tool's arguments are JSON by its schema.
  canonicalJson(Object.fromEntries(Object.entries(args).filter(([name]) => !incidental.includes(name))) as Json);
