import { limits } from '../../src/core/limits.ts';
import type { Doubled } from '../../src/core/outcome.ts';
import type { Facts } from '../../src/domains/facts.ts';
import { lettersOf } from '../../src/engine/handles.ts';

/**
 * The code of a new plan or subscription that the agent gives none: 47 bits that nobody else would choose, so that the thing
 * is found by it where the answer was lost. As many letters as a code can have, so that no consecutive one follows it (D-49).
 */
export const codeFor = (correlationId: string): string =>
  lettersOf(`code\n${correlationId}`, limits.billingCodeCharacters).toUpperCase();

/** Sends a code of ours at a path of the contract. An argument of the agent's wins. */
export const ownCode = (path: string) => (facts: Facts) => ({ [path]: codeFor(facts.new.correlationId) });

/** The code that was sent for a plan or a subscription. */
export const codeIn = (part: unknown): string => String((part as { readonly code?: unknown } | undefined)?.code ?? '');

/** Whether a refusal is of a code of ours, which nobody else would choose, or of one that the agent chose. */
export const doubledBy: Doubled = ({ reason }, { code }) =>
  reason === 'DUPLICATE' ? (code === undefined ? 'certainly' : 'perhaps') : undefined;
