import type { Watch } from '../core/outcome.ts';
import { CorruptRow } from '../ledger/errors.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { Answer } from './answer.ts';
import { hashOf, stringsIn } from './own-texts.ts';
import type { Body } from './render.ts';
import { retryOnConflict } from './retry.ts';
import type { EngineState } from './state.ts';
import { taint } from './taint.ts';
import type { Tool } from './tool.ts';
import { textsIn } from './untrusted-output.ts';

/** Records the texts by others that an answer shows, before its caller reads them (EN-14). */
export interface TextRecorder {
  /** Records those of a body in the transaction that makes it, which spares one of its own. */
  recordIn(tx: LedgerTransaction, body: Body): Promise<void>;
  /** Records those of the answer that its body, where `recordIn` has recorded that one, does not show. Throws CorruptRow. */
  recordRest(answer: Answer, body: Body): Promise<void>;
}

/** The watch of a call whose caller reads its answer. */
export type AnswerWatch = Watch & { readonly texts?: TextRecorder | undefined };

/** `raw`: the caller's arguments without secrets, whose texts the caller knows. */
export function createTextRecorder(
  { parts, tools, ownTexts }: EngineState,
  tool: Tool | undefined,
  raw: unknown,
  caller: Caller,
): TextRecorder {
  const { ledger, settings, ports } = parts;
  let recorded: { readonly body: Body; readonly texts: readonly string[] } | undefined;
  const textsOf = (answer: Partial<Answer>): readonly string[] => {
    const shown = textsIn(answer, { tool, args: raw, tools }).filter((text) => !ownTexts.has(hashOf(text)));
    if (shown.length === 0) return [];
    // Only accepted arguments are shown; refused ones may be too deeply nested.
    const known = new Set(stringsIn([raw, settings.merchant]));
    return shown.filter((text) => !known.has(text));
  };
  const record = (tx: LedgerTransaction, texts: readonly string[]): Promise<void> =>
    taint(tx, caller, texts, ownTexts, ports.clock.now());
  return {
    recordIn: async (tx, body) => {
      const texts = textsOf(body);
      if (texts.length === 0) return;
      try {
        await record(tx, texts);
        recorded = { body, texts };
      } catch (error) {
        // The outcome is recorded all the same; `recordRest` finds the corrupt row again.
        if (!(error instanceof CorruptRow)) throw error;
      }
    },
    recordRest: async (answer, body) => {
      // Where the transaction failed, the answer has another body.
      const known = recorded?.body === body ? recorded.texts : [];
      const texts = textsOf(answer).filter((text) => !known.includes(text));
      if (texts.length === 0) return;
      await retryOnConflict(() => ledger.transaction(caller.tenant, (tx) => record(tx, texts)));
    },
  };
}
