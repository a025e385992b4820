import type { EngineParts } from './parts.ts';
import { type Refusal, Refused } from './refusal.ts';

// The anchor is a row of the audit chain that is kept outside of the ledger. It is moved to the end of the chain after an
// intent is on disk and before its request leaves: whatever was sent, the anchor shows that a ledger without it is too old.

/** Thrown where a request must not leave, because the anchor could not be moved. */
export class NotAnchored extends Refused {}

/** Demands that the chain holds the anchored row. Changes nothing. */
export async function demandAnchored({ ledger, anchor }: EngineParts): Promise<void> {
  if (anchor !== undefined && !(await ledger.containsAnchor(anchor.read()))) throw new Refused(rolledBack);
}

/** Moves the anchor to the end of the chain. Throws NotAnchored. */
export async function moveAnchor({ ledger, anchor }: EngineParts): Promise<void> {
  if (anchor === undefined) return;
  const isMoved = await ledger.advanceAnchor(anchor).catch(() => {
    throw new NotAnchored(unwritten);
  });
  if (!isMoved) throw new NotAnchored(rolledBack);
}

const rolledBack: Refusal = {
  code: 'INTERNAL_HALT',
  rule: 'EN-13',
  because:
    'The ledger is older than its anchor, or the anchor is missing: a copy may have been put back. Nothing is sent. An operator must look: purser audit verify.',
  retry: 'never',
  instead: ['list_operations'],
};

const unwritten: Refusal = {
  code: 'INTERNAL_HALT',
  rule: 'EN-13',
  because:
    'The anchor of the audit chain could not be written, so nothing is sent. An operator must look: purser doctor.',
  retry: 'never',
  instead: ['list_operations'],
};
