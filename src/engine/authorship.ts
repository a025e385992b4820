import { limits } from '../core/limits.ts';
import type { CallerRole } from '../core/operation.ts';
import type { Facts } from '../domains/facts.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import { approvalText } from './approval-text.ts';
import { assemble } from './assemble.ts';
import { isOwn, isReadIn, rememberOwnTexts, stringsIn } from './own-texts.ts';
import type { Call } from './prior-operation.ts';
import { untrusted } from './render.ts';
import { isTainted } from './taint.ts';
import type { PlatformTool } from './tool.ts';

/**
 * Records text as the merchant's own if the agent wrote it before reading untrusted output. The approval text counts too,
 * if it quotes nobody else.
 */
export async function keepAuthored(
  tx: LedgerTransaction,
  { tool, facts, caller, now }: Call,
  texts: readonly string[],
  approval?: string,
): Promise<void> {
  // What customers enter, and what the app passes on from them and their devices, is not the merchant's.
  if (passOn.includes(caller.role)) return;
  if (await isTainted(tx, caller, now)) return;
  await rememberOwnTexts(tx, texts, now);
  if (approval !== undefined && !(await quotesOthers(tx, tool, facts))) await rememberOwnTexts(tx, [approval], now);
}

const passOn: readonly (CallerRole | undefined)[] = ['customer', 'app'];

/**
 * Whether an approval text quotes somebody else, such as a plan name from the portal: it does if it changes when those texts
 * are masked. So approval texts needn't declare their sources.
 */
async function quotesOthers(tx: LedgerTransaction, tool: PlatformTool, facts: Facts): Promise<boolean> {
  const text = textOf(tool, facts);
  const own = new Set<string>();
  const ours = new Set(stringsIn(facts.merchant)); // the shop's own name, which a purchase repeats
  for (const word of new Set(stringsIn(facts.things)))
    if (isShownIn(text, word) && !isShort(word) && (ours.has(word) || (await isOwn(tx, word)))) own.add(word);
  return textOf(tool, { ...facts, things: without(facts.things, own) }) !== text;
}

const textOf = (tool: PlatformTool, facts: Facts): string => approvalText(tool, facts, assemble(tool, facts));

const isShownIn = (text: string, word: string): boolean => isReadIn(text, word) || isReadIn(text, untrusted(word));

/** A thing's facts with `*` for every text that is not in `own`. Figures and codes stay. */
function without<T>(value: T, own: ReadonlySet<string>): T {
  if (typeof value === 'string') return (own.has(value) || isShort(value) ? value : '*') as T; // a text for a text
  if (Array.isArray(value)) return value.map((item) => without(item, own)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, without(member, own)])) as T;
}

/** Codes, currencies, units, times and amounts. They can't contain an instruction, and approvals compute with them. */
const isShort = (text: string): boolean => code.test(text) || /^[\d\s.:/TZ-]*$/.test(text);
const code = new RegExp(`^[\\w-]{1,${limits.billingCodeCharacters}}$`);
