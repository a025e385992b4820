import { secretNames } from '../../../src/engine/input-screening.ts';
import { holdsCardData, holdsCardNumber } from '../../../src/screening/card-data.ts';
import { replaceCodes } from '../../../src/screening/codes.ts';
import { cryptogram } from '../../../src/screening/cryptograms.ts';
import type { Canary } from '../world/wire.ts';
import { formsOf } from './encodings.ts';

/** Replaces redacted text. */
export const hidden = '[hidden]';

/** The one way of everything that leaves an eval: reports, recordings, spans. */
export type Redact = <T>(value: T) => T;

/**
 * Hides the secrets that are known, in all their forms, and what looks like one: all that EN-05 refuses, by the same patterns
 * and names, and keys besides. A text in which such a thing is found and its place is not is hidden whole.
 */
export function redactor(canaries: readonly Canary[] = []): Redact {
  const forms = [...new Set(canaries.flatMap(({ value }) => [...formsOf(value).keys()]))].filter(
    ({ length }) => length > 3,
  );
  /** Texts that were cleaned: names, sentences and ids recur from run to run of a report. */
  const cleaned = new Map<string, string>();
  const clean = (text: string): string => {
    const known = cleaned.get(text) ?? cleanOne(text);
    cleaned.set(text, known);
    return known;
  };
  const cleanOne = (text: string): string => {
    const known = forms.reduce((it, form) => (it.includes(form) ? it.replaceAll(form, hidden) : it), text);
    const coded = replaceCodes(known, (code) => code.replace(/\d{3,}/g, hidden));
    const shown = patterns.reduce((it, { pattern, shown: as }) => it.replace(pattern, as), coded);
    return isDisguised(shown) ? hidden : shown;
  };
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return clean(value);
    if (typeof value === 'number') return holdsCardNumber(String(value)) ? hidden : value;
    if (Array.isArray(value)) return value.map(walk);
    if (value instanceof Map) return new Map([...value].map(([name, member]) => named(String(name), member)));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => named(name, member)));
  };
  const named = (name: string, member: unknown) =>
    [clean(name), secretNames.test(name) ? hidden : walk(member)] as const;
  return (value) => walk(value) as typeof value; // every value keeps its shape; only texts, numbers and secrets by name change
}

interface Pattern {
  readonly pattern: RegExp;
  readonly shown: (match: string, ...more: string[]) => string;
}

const every = ({ source, flags }: RegExp): RegExp => new RegExp(source, `${flags.replace('g', '')}g`);
/** A member as texts show it: `"cvv":"123"`, `otp = 482913`. Those that carry a secret carry digits. */
const namedMember = new RegExp(
  String.raw`\b((?:${secretNames.source.replace(/^\^|\$$/g, '')})\W{0,4}[:=]\W{0,4})\b(?=[\w+/=-]*\d)[\w+/=-]+`,
  'gi',
);

/** Found where it stands. Digits of any kind make a run, with whatever is no letter between them: only one that `scan` takes for a card number is hidden. */
const patterns: readonly Pattern[] = [
  { pattern: /\p{N}(?:[^\p{L}\p{N}]{0,16}\p{N}){11,}/gu, shown: (run) => (holdsCardNumber(run) ? hidden : run) },
  { pattern: namedMember, shown: (_, name) => `${name}${hidden}` },
  { pattern: every(cryptogram), shown: () => hidden },
  { pattern: /\b(bearer\s+)[\w.~+/=-]{8,}/gi, shown: (_, word) => `${word}${hidden}` },
  { pattern: /\b(sk|pk|ghp|xox[a-z])[-_][\w-]{12,}/g, shown: () => hidden },
  { pattern: /\beyJ[\w-]{6,}\.[\w-]{6,}\.[\w-]*/g, shown: () => hidden },
];

/** Whether a text still shows what EN-05 refuses: in a disguise that no pattern finds the place of, or in two parts. */
const isDisguised = (text: string): boolean =>
  holdsCardData(text.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, ''));
