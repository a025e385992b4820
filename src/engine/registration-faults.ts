import type { z } from 'zod';
import { type Leaf, leaves } from '../core/fields.ts';
import { limits } from '../core/limits.ts';
import { contract } from '../domains/index.ts';
import { holdsCardData, holdsCardNumber } from '../screening/card-data.ts';
import type { OwnNumbers } from '../screening/look-alikes.ts';
import { closestName } from './closest-name.ts';
import { invisible } from './input-screening.ts';
import { propertyNames } from './name-suggestions.ts';
import { issueText } from './schema-issues.ts';

/** What is wrong with a registration: where, by which rule, and why. It never contains the value. */
export interface Fault {
  readonly field: string;
  readonly rule: string;
  readonly because: string;
}

/** A request field that a registration fills, and its place there. */
export interface Filled {
  readonly at: string;
  readonly leaf: Leaf;
}

/**
 * The faults of what no ledger can store: half a character, a number beyond all numbers such as 1e400, and more levels than the
 * arguments of a call may have. Walks level by level, because recursion could exhaust the stack.
 */
export function storageFaults(given: unknown): readonly Fault[] {
  const faults: Fault[] = [];
  let level: readonly (readonly [field: string, value: unknown])[] = [['', given]];
  const wrong = (field: string, because: string): Fault => ({ field: field || 'registration', rule: 'EN-01', because });
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limits.argumentLevels)
      return [wrong('', `It may have at most ${limits.argumentLevels} levels of objects and lists.`)];
    level = level.flatMap(([field, value]) => {
      if (typeof value === 'string' && !value.isWellFormed()) faults.push(wrong(field, halfCharacter));
      if (typeof value === 'number' && !Number.isFinite(value)) faults.push(wrong(field, 'It must be a number.'));
      if (typeof value !== 'object' || value === null) return [];
      return Object.entries(value).map(([name, member]) => {
        if (!name.isWellFormed()) faults.push(wrong(field, halfCharacter));
        return [placeOf(field, name), member] as const;
      });
    });
  }
  return faults;
}

const halfCharacter = 'It must not contain half a character (an unpaired surrogate).';
const unseen = 'It must not contain invisible characters.';

/** The place of a member, or that of what it is in where its name isn't a plain one: it may be a secret. */
const placeOf = (field: string, name: string): string =>
  /^(?:[A-Za-z]{1,40}\d?|\d{1,3})$/.test(name) ? (field === '' ? name : `${field}.${name}`) : field;

/** The request fields that a registration fills, once for each place. */
export function filledBy(fits: (leaf: Leaf) => boolean): readonly Filled[] {
  const all = Object.values(contract).flatMap((operation) => (operation.body ? leaves(operation.body) : []));
  const places = new Map(all.filter(fits).map((leaf) => [leaf.field.at ?? leaf.path, leaf]));
  return [...places].map(([at, leaf]) => ({ at, leaf }));
}

/** The faults of a value by its schema. An unknown property is not named, because it may be a secret; the one that it may mean is. */
export const shapeFaults = (error: z.ZodError, shape: z.ZodType): readonly Fault[] =>
  error.issues.map((issue) =>
    issue.code === 'unrecognized_keys'
      ? {
          field: 'registration',
          rule: 'EN-01',
          because: `It has an unknown property, perhaps a misspelled ${meant(issue.keys, propertyNames(shape, issue.path)) ?? 'one'}.`,
        }
      : { field: issue.path.join('.') || 'registration', rule: 'EN-01', because: sentence(error, issue) },
  );

const meant = (strange: readonly string[], known: readonly string[]): string | undefined =>
  strange.map((name) => closestName(name, known)).find((name) => name !== undefined);

const sentence = (error: z.ZodError, issue = error.issues[0]): string => `It ${issueText(issue)}.`;

/** Checks each value against the contract's shape of its field. A missing value is no fault: it may come later. */
export function contractFaults(session: object, filled: readonly Filled[], rule: string): readonly Fault[] {
  const all = filled.flatMap(({ at, leaf }) => faultsAt(session, at, leaf, rule));
  // An invalid list or object is one fault, however many fields it should contain.
  return [...new Map(all.map((fault) => [`${fault.field} ${fault.because}`, fault])).values()];
}

/** The faults of the values at a path below a value, or of a value on the way to them. */
function faultsAt(value: unknown, path: string, leaf: Leaf, rule: string, field = ''): readonly Fault[] {
  const wrong = (because: string): readonly Fault[] => [{ field, rule: leaf.field.rule ?? rule, because }];
  if (value === undefined) return [];
  if (path === '') {
    const read = leaf.schema.safeParse(value);
    return read.success ? [] : wrong(sentence(read.error));
  }
  if (value === null) return []; // the app has no data of this part
  if (path.startsWith('[]')) {
    const rest = path.slice(2).replace(/^\./, '');
    if (!Array.isArray(value)) return wrong('It must be a list.');
    return value.flatMap((item, index) => faultsAt(item, rest, leaf, rule, `${field}[${index}]`));
  }
  const [, name = '', rest = ''] = /^([^.[]+)\.?(.*)$/.exec(path) ?? [];
  if (typeof value !== 'object' || Array.isArray(value)) return wrong('It must be an object.');
  const member = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
  return faultsAt(member, rest, leaf, rule, field === '' ? name : `${field}.${name}`);
}

/**
 * Screens every text and number of a registration for card numbers. Only text that people and models see is screened for
 * invisible characters and codes, because a card's tokens may look like a cryptogram.
 */
export function screeningFaults(
  value: unknown,
  shown: readonly string[],
  own?: OwnNumbers,
  field = '',
  isShown = false,
): readonly Fault[] {
  const wrong = (rule: string, because: string): readonly Fault[] => [{ field, rule, because }];
  if (typeof value === 'string' || typeof value === 'number') {
    const text = String(value);
    if (isShown && (!text.isWellFormed() || invisible.test(text))) return wrong('EN-01', unseen);
    if (holdsCardNumber(text, own)) return wrong('EN-05', 'It looks like a card number.');
    return isShown && holdsCardData(text, own) ? wrong('EN-05', 'It looks like a code of a card.') : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    // A name that looks like a card number is not repeated: the fault names the object instead.
    const named = screeningFaults(name, shown, own, field || 'registration');
    if (named.length > 0) return named;
    return screeningFaults(member, shown, own, field === '' ? name : `${field}.${name}`, shown.includes(name));
  });
}
