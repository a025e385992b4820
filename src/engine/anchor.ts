import type { Anchor } from '../ledger/verification.ts';
import type { EngineParts } from './parts.ts';
import { type Refusal, Refused } from './refusal.ts';

// The anchor is a row of the audit chain that is stored outside the ledger. It moves to the end of the chain after an
// intent is on disk and before its request is sent, so it reveals a ledger that is older than a sent request.

/** Thrown if a request must not be sent because the anchor could not be moved. */
export class NotAnchored extends Refused {}

/** What the anchor says; undefined if it is missing. Throws Refused if it can't be read, and tells the operator why. */
export function readAnchor({ anchor, ports }: Pick<EngineParts, 'anchor' | 'ports'>): Anchor | undefined {
  try {
    return anchor?.read();
  } catch (fault) {
    ports.onFault?.(fault);
    throw new Refused(unread);
  }
}

/** Moves the anchor to the end of the chain. Throws NotAnchored, and tells the operator why it can't be written. */
export async function moveAnchor({ ledger, anchor, ports }: EngineParts): Promise<void> {
  if (anchor === undefined) return;
  const isMoved = await ledger.advanceAnchor(anchor).catch((fault: unknown) => {
    ports.onFault?.(fault);
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

const unread: Refusal = {
  code: 'INTERNAL_HALT',
  rule: 'EN-13',
  because:
    "The anchor of the audit chain can't be read, so nothing was sent. An operator must investigate: purser doctor.",
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
