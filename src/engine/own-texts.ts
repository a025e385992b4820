import { sha256 } from '../core/canonical-json.ts';
import { limits } from '../core/limits.ts';
import type { LedgerReads, LedgerTransaction } from '../ledger/ledger-transaction.ts';
import { quotes } from './approval-text.ts';
import { untrusted } from './render.ts';

// The merchant's own texts: written by its agent in an untainted conversation, or approved by a person. A text that an
// agent wrote after reading untrusted text isn't, because that text may have caused it.

/** Whether a text is the merchant's own. */
export const isOwn = (tx: LedgerTransaction, text: string): Promise<boolean> => isOwnHash(tx, hashOf(text));

export const hashOf = (text: string): string => sha256(text).slice(0, 32);

export const isOwnHash = async (tx: Pick<LedgerReads, 'observations'>, hash: string): Promise<boolean> =>
  (await tx.observations.find(handleOf(hash))) !== undefined;

/** Records texts as the merchant's own, as written and as answers show them. */
export async function rememberOwnTexts(tx: LedgerTransaction, texts: readonly string[], now: number): Promise<void> {
  const handles = ownTextHandles(texts);
  await tx.observations.load(handles);
  const known = await Promise.all(handles.map((handle) => tx.observations.find(handle)));
  const added = handles.filter((_, at) => known[at] === undefined);
  await tx.observations.insertAll(
    added.map((handle) => ({ handle, kind: 'text', owner: '', state: 'OWN', body: {} })),
    now,
  );
}

/** The handles under which texts are recorded as the merchant's own. */
export const ownTextHandles = (texts: readonly string[]): readonly string[] => [
  ...new Set(
    texts
      .flatMap((text) => [text, untrusted(text)])
      .filter(isWorded)
      .map((text) => handleOf(hashOf(text))),
  ),
];

/** Prefetches whether texts with these hashes are the merchant's own. */
export const loadOwnHashes = (tx: Pick<LedgerReads, 'observations'>, hashes: readonly string[]): Promise<void> =>
  tx.observations.load(hashes.map(handleOf));

/** Hashes of texts known to be the merchant's own. Such a text stays so. */
export type OwnTexts = Set<string>;

/** Looks up which of these texts are the merchant's own, and caches them. */
export async function recallOwnTexts(
  reads: Pick<LedgerReads, 'observations'>,
  texts: readonly string[],
  own: OwnTexts,
): Promise<void> {
  if (own.size > limits.ownTexts) own.clear();
  const hashes = texts.map(hashOf).filter((hash) => !own.has(hash));
  await loadOwnHashes(reads, hashes);
  for (const hash of hashes) if (await isOwnHash(reads, hash)) own.add(hash);
}

/** The handle under which a text with this hash is recorded. */
export const handleOf = (hash: string): string => `text_${hash}`;
/** Text without a letter is shown in any case. */
const isWorded = (text: string): boolean => /\p{L}/u.test(text);

/** Every text in a value. */
export const stringsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
};

/** Whether an approval text quotes a text in full. */
export const isReadIn = (approval: string, text: string): boolean => text !== '' && quotes(approval, text);
