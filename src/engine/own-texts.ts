import { sha256 } from '../core/canonical-json.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import { continuation, quoted } from './approval-text.ts';
import { untrusted } from './render.ts';

// Texts that are the merchant's own: written by its agent in a conversation that had read nobody else's, or read and approved
// by a person. A text that an agent wrote after reading somebody else's is not: it may be what that text wanted written.

/** Whether a text is the merchant's own. */
export const isOwn = (tx: LedgerTransaction, text: string): Promise<boolean> => isOwnHash(tx, hashOf(text));

export const hashOf = (text: string): string => sha256(text).slice(0, 32);

export const isOwnHash = async (tx: LedgerTransaction, hash: string): Promise<boolean> =>
  (await tx.observations.find(handleOf(hash))) !== undefined;

/** Remembers texts as the merchant's own, as they are and as answers show them. */
export async function rememberOwnTexts(tx: LedgerTransaction, texts: readonly string[], now: number): Promise<void> {
  for (const hash of new Set(
    texts
      .flatMap((text) => [text, untrusted(text)])
      .filter(isWorded)
      .map(hashOf),
  ))
    if (!(await isOwnHash(tx, hash)))
      await tx.observations.insert({ handle: handleOf(hash), kind: 'text', owner: '', state: 'OWN', body: {} }, now);
}

const handleOf = (hash: string): string => `text_${hash}`;
/** Text without a letter is shown anyway. */
const isWorded = (text: string): boolean => /\p{L}/u.test(text);

/** Every text in a value. */
export const stringsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
};

/** Whether an approval's text quotes a text as a whole. */
export const isReadIn = (approval: string, text: string): boolean =>
  text !== '' && approval.replaceAll(`\n${continuation}`, '').includes(quoted(text));
