import { holdsCardNumber } from '../client/card-data.ts';
import { formsOf } from './encodings.ts';
import type { Canary } from './wire.ts';

/** What stands in the place of what is not shown. */
export const hidden = '[hidden]';

/** The one way of everything that leaves an eval: reports, recordings, spans. */
export type Redact = <T>(value: T) => T;

/** Hides the secrets that are known, in all their forms, and what looks like one. */
export function redactor(canaries: readonly Canary[] = []): Redact {
  const forms = [...new Set(canaries.flatMap(({ value }) => [...formsOf(value).keys()]))].filter(
    ({ length }) => length > 3,
  );
  const clean = (text: string): string => {
    const known = forms.reduce((it, form) => (it.includes(form) ? it.replaceAll(form, hidden) : it), text);
    return patterns.reduce((it, { pattern, shown }) => it.replace(pattern, shown), known);
  };
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return clean(value);
    if (typeof value === 'number') return holdsCardNumber(String(value)) ? hidden : value;
    if (Array.isArray(value)) return value.map(walk);
    if (value instanceof Map) return new Map([...value].map(([name, member]) => [clean(String(name)), walk(member)]));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [clean(name), walk(member)]));
  };
  return (value) => walk(value) as typeof value; // every value keeps its shape; only texts and numbers change
}

/** A run of digits that may be a card number: only one that passes the check digit is hidden. */
const digits = /\d(?:[ -]?\d){11,22}/g;
const patterns: readonly {
  readonly pattern: RegExp;
  readonly shown: (match: string, ...more: string[]) => string;
}[] = [
  { pattern: digits, shown: (match) => (holdsCardNumber(match) ? hidden : match) },
  { pattern: /\b(bearer\s+)[\w.~+/=-]{8,}/gi, shown: (_, word) => `${word}${hidden}` },
  { pattern: /\b(sk|pk|ghp|xox[a-z])[-_][\w-]{12,}/g, shown: () => hidden },
  {
    pattern:
      /\b((?:otp|one[- ]time (?:code|password)|passcode|verification code|cvv2?|cvc2?|security code)\b\D{0,12})\d{3,8}\b/gi,
    shown: (_, words) => `${words}${hidden}`,
  },
  { pattern: /\beyJ[\w-]{6,}\.[\w-]{6,}\.[\w-]*/g, shown: () => hidden },
];
