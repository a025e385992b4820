import type { EngineParts } from './parts.ts';
import { type Refusal, Refused } from './refusal.ts';

// The anchor is a row of the audit chain that is stored outside the ledger. It moves to the end of the chain after an
// intent is on disk and before its request is sent, so it reveals a ledger that is older than a sent request.

/** Thrown if a request must not be sent because the anchor could not be moved. */
export class NotAnchored extends Refused {}

/** Moves the anchor to the end of the chain. Throws NotAnchored. */
export async function moveAnchor({ ledger, anchor }: EngineParts): Promise<void> {
  if (anchor === undefined) return;
  const isMoved = await ledger.advanceAnchor(anchor).catch(() => {
    throw new NotAnchored(unwritten);
  });
  if (!isMoved) throw new NotAnchored(rolledBack);
}

/** The chain doesn't contain the anchored row. */
export const rolledBack: Refusal = {
  code: 'INTERNAL_HALT',
  rule: 'EN-13',
  because:
    'The ledger is older than its anchor, or the anchor is missing: it may be an old copy. Nothing was sent. An operator must investigate: purser audit verify.',
  retry: 'never',
  instead: ['list_operations'],
};

const unwritten: Refusal = {
  code: 'INTERNAL_HALT',
  rule: 'EN-13',
  because:
    'The anchor of the audit chain could not be written, so nothing was sent. An operator must investigate: purser doctor.',
  retry: 'never',
  instead: ['list_operations'],
};
