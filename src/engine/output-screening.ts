import { CorruptRow, LedgerUnavailable } from '../ledger/errors.ts';
import type { Caller } from '../ledger/ledger.ts';
import { holdsCardData, holdsCardNumber } from '../screening/card-data.ts';
import { noOwnNumbers, type OwnNumbers } from '../screening/look-alikes.ts';
import { inOneText } from '../screening/split.ts';
import type { Answer } from './answer.ts';
import { damaged } from './audit-lock.ts';
import { inOrder } from './next.ts';
import { type Body, refused } from './render.ts';
import type { EngineState } from './state.ts';
import { ledgerUnavailable } from './terminal-answers.ts';
import type { Tool } from './tool.ts';

/**
 * The last step of every answer. An answer that seems to contain card data, or whose texts the ledger can't record,
 * is redacted. Otherwise texts by others are recorded before the agent reads them (EN-14).
 */
export async function screenAnswer(
  state: EngineState,
  tool: Tool | undefined,
  caller: Caller,
  body: Body,
  record: (answer: Answer) => Promise<void>,
): Promise<Answer> {
  const { offered, parts, audit } = state;
  const { environment } = parts.settings;
  const answer = { ...body, next: inOrder(body.next).filter((name) => offered.has(name)), environment };
  try {
    if (holdsCardDataIn(answer, parts.settings.ownNumbers)) {
      await noteRedaction(parts, tool, caller, answer);
      return redactedAnswer(answer);
    }
    await record(answer);
    return answer;
  } catch (error) {
    if (!(error instanceof LedgerUnavailable)) throw error;
    const isDamaged = error instanceof CorruptRow;
    if (isDamaged) audit.close();
    else parts.ports.onFault?.(error);
    // A sent call keeps its outcome; otherwise nothing was done.
    if (body.operation !== undefined) return redactedAnswer(answer, isDamaged ? 'damaged' : 'unavailable');
    if (!isDamaged) return { ...ledgerUnavailable, environment };
    return { ...refused(damaged), environment, next: damaged.instead.filter((name) => offered.has(name)) };
  }
}

const noteRedaction = (
  { ledger, ports }: EngineState['parts'],
  tool: Tool | undefined,
  { tenant, principal }: Caller,
  { outcome }: Answer,
): Promise<unknown> =>
  ledger.transaction(tenant, (tx) =>
    tx.audit.append({
      event: 'held back',
      body: { tool: tool?.name ?? 'unknown', outcome, principal },
      at: ports.clock.now(),
    }),
  );

/** Whether an answer seems to contain card data, in a value, a name or a list. None should: this is the last check. */
export function holdsCardDataIn(value: unknown, own = noOwnNumbers): boolean {
  if (typeof value === 'string') return isSuspect(value, own);
  if (typeof value === 'number') return holdsCardNumber(String(value));
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value) && value.length > 1 && holdsCardNumber(inOneText(value))) return true;
  return Object.entries(value).some(([name, member]) => isSuspect(name, own) || holdsCardDataIn(member, own));
}

/** Texts without card data, by a merchant's own numbers. Names, sentences and ids recur in answers, so each is screened once. */
const plainTexts = new WeakMap<OwnNumbers, Set<string>>();
/** Own choice: more than the names and sentences of all tools. */
const plainTextsAtMost = 4_000;
/** Own choice: longer ones seldom recur. */
const longestKept = 256;

function isSuspect(text: string, own: OwnNumbers): boolean {
  const plain = plainTexts.get(own) ?? new Set<string>();
  plainTexts.set(own, plain);
  if (plain.has(text)) return false;
  if (holdsCardData(text, own)) return true;
  if (text.length > longestKept) return false;
  if (plain.size >= plainTextsAtMost) plain.clear();
  plain.add(text);
  return false;
}

/** The answer with its outcome, which the agent must know, and a fixed sentence instead of all texts. */
export const redactedAnswer = (
  { outcome, environment, operation, replayed, next, error }: Answer,
  because: keyof typeof reasons = 'card data',
): Answer => ({
  outcome,
  environment,
  said: `The outcome is as stated, but its details are withheld because ${reasons[because]}. Tell the operator, and don't try to get them another way.`,
  ...(operation === undefined || holdsCardDataIn(operation) ? {} : { operation }),
  ...(replayed === undefined ? {} : { replayed }),
  next,
  ...(error === undefined ? {} : { error: { code: error.code, retry: error.retry, ...ruled(error) } }),
});

const reasons = {
  'card data': 'they seem to contain card data',
  damaged: 'a row of the ledger is corrupt',
  unavailable: "the ledger can't be read or written",
} as const;

const ruled = ({ wait, rule }: NonNullable<Answer['error']>) => ({
  ...(wait === undefined ? {} : { wait }),
  ...(rule === undefined ? {} : { rule }),
});
