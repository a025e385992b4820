import type { Json } from '../core/canonical-json.ts';
import { canonicalJson, sha256 } from '../core/canonical-json.ts';
import { limits } from '../core/limits.ts';
import { Secret } from '../core/secret.ts';
import type { Facts } from '../domains/facts.ts';
import { type Authored, authored } from './authored.ts';
import { confusableWarnings } from './confusables.ts';
import { inWords } from './in-words.ts';
import { oneLine } from './input-screening.ts';
import type { Request } from './request.ts';
import { operationOf, type PlatformTool } from './tool.ts';

// The text that a person reads before a call is sent. Purser writes the labels and quotes text by others. Every value
// that the model authored is read from the request to be sent, so no field can be omitted or misrepresented.

/** An approval text: a title, the model's values by argument, then Purser's facts about the call. */
export function approvalText(tool: PlatformTool, facts: Facts, request: Request): string {
  const title = tool.policy.approval?.title(facts) ?? operationOf(tool).title;
  const was = tool.policy.approval?.before;
  const values = authored(tool, facts, request).flatMap((it) =>
    it.arg.isToldByTool === true ? [] : valueLines(it, was?.(facts, it.name)),
  );
  return [title, ...values, ...(tool.policy.approval?.text(facts) ?? [])]
    .flatMap((line) => [line, ...confusableWarnings(line)])
    .map(approvalLine)
    .join('\n');
}

/** A line of an approval text, wrapped for a narrow terminal if it quotes somebody. */
export const approvalLine = (line: string): string => wrap(inOrder(oneLine(line)));

/** The beginning of a continued line. No value can begin a line, so none can imitate a line by Purser. */
export const continuation = '  | ';

/** An approval text whose lines are not wrapped. */
export const unwrapped = (text: string): string => text.replace(/\n {2}\| \u200e?/g, '');

/** Whether an approval text quotes a text in full. */
export const quotes = (approval: string, text: string): boolean =>
  unwrapped(approval).replaceAll(leftToRight, '').includes(quoted(text));

/** Text by others in quotation marks, which it can't close. */
export const quoted = (text: string): string => `"${legible(text).replace(closing, '\\$&')}"`;

/** A name for people: "Customer email" for `customer_email`, "Lines.C-2.price" for `lines.C-2.price`. */
export function spokenName(name: string): string {
  const [first = '', ...more] = name.split('.');
  return [first.charAt(0).toUpperCase() + first.slice(1).replaceAll('_', ' '), ...more].join('.');
}

/** Stands for a value that is too long to read; different values have different fingerprints. */
export const fingerprint = (value: unknown): string => `SHA-256 ${sha256(canonicalJson((value ?? null) as Json))}`;

/** Collapses blanks, limits combining marks, and marks characters that no font shows. */
const legible = (text: string): string =>
  oneLine(text)
    .replace(/[\p{Co}\p{Cn}]/gu, '\ufffd')
    .replace(/\p{White_Space}+/gu, ' ')
    .replace(manyMarks, '$1')
    .replace(/(^| )(?=\p{M})/gu, '$1\u25cc');
const manyMarks = new RegExp(`(\\p{M}{${limits.letterMarks}})\\p{M}+`, 'gu');

/** Everything that could be read as a closing quotation mark: each of these marks, or several apostrophes in a row. */
const closing = /[\\"“”„‟〝〞〟″‶‴‷⁗ˮ״❝❞⹂＂]|(?<=['‘’‚‛′‵ʹʼˈ`´])['‘’‚‛′‵ʹʼˈ`´]/gu;

/** The left-to-right mark: an invisible letter of our direction. */
const leftToRight = '\u200e';
/** Hebrew, Arabic and all others that are read from right to left, with their digits. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const quotation = /"(?:\\.|[^"\\])*"/g;

/**
 * Marks each quotation that is read from right to left. What stands between two of these, and a figure after one, would otherwise be
 * shown in its direction: "was → is" as "is → was", and the figure within the quotation marks.
 */
const inOrder = (line: string): string =>
  line.replace(quotation, (text) => (rightToLeft.test(text) ? `${leftToRight}${text}${leftToRight}` : text));

function valueLines({ name, arg, given, sent }: Authored, was: string | undefined): readonly string[] {
  const label = arg.label ?? spokenName(name);
  const before = was === undefined ? '' : `${was} → `;
  const values = sent.map(({ value }) => value);
  if (arg.approvalText !== undefined) return [`${label}: ${before}${quoted(arg.approvalText(given, values))}`];
  const [value, ...more] = values;
  if (more.length > 0) return [`${label}: ${before}${quoted(values.map(plain).join(' '))}`];
  if (Array.isArray(value) && value.some(isObject))
    return value.map((item, at) => `${label}, ${at + 1} of ${value.length}: ${listed(item)}`);
  return [`${label}: ${before}${listed(value)}`];
}

/** A value with all its texts quoted: a list by its items, an object by its properties. */
function listed(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(listed).join(', ');
  if (!isObject(value)) return quoted(plain(value));
  return Object.entries(value)
    .map(([member, it]) => `${inWords(member)} ${listed(it)}`)
    .join(', ');
}

const plain = (value: unknown): string => String(value ?? '');
/** A secret counts as text, which shows nothing of it. */
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof Secret);

/** Breaks a line after blanks, or within a long word. Only the beginnings of lines are added. */
function wrap(line: string): string {
  if (!line.includes('"') || widthOf(line) <= limits.approvalColumns) return line;
  const lines: string[] = [];
  // A line takes the direction of its first letter.
  const begin = continuation + (rightToLeft.test(line) ? leftToRight : '');
  let at = '';
  const put = (piece: string) => {
    if (widthOf(at + piece) > limits.approvalColumns) {
      lines.push(at);
      at = begin;
    }
    at += piece;
  };
  for (const word of line.match(/[^ ]* ?/g) ?? [])
    if (widthOf(begin + word) <= limits.approvalColumns) put(word);
    else for (const letter of word.match(/\P{M}\p{M}*|\p{M}+/gu) ?? []) put(letter);
  return [...lines, at].join('\n');
}

/** The largest width of a text on a terminal: two columns for non-ASCII characters, one for a combining mark. */
export function widthOf(text: string): number {
  let width = 0;
  for (const letter of text) width += /^[ -~\p{M}]$/u.test(letter) ? 1 : 2;
  return width;
}
