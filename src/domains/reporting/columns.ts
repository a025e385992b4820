import { groupOf, reportFields } from './field-groups.ts';

// How a field is called in a file. Both conventions are in document 3: underscores, and camel case.

export const namingConventions = ['SCMP', 'SOAPI'] as const;
export type NamingConvention = (typeof namingConventions)[number];

/**
 * The name of a field such as `BillTo.FirstName` in files: `bill_to_first_name` in SCMP, `billToFirstName` in SOAPI (D-85).
 * A name that repeats its group has it once, unless another field has the rest of it as its name.
 */
export function columnName(field: string, convention: NamingConvention): string {
  const group = groupOf(field);
  const name = field.slice(group.length + 1);
  const all = wordsOf(group);
  const repeats = name.startsWith(group) && !fieldIds.has(`${group}.${name.slice(group.length)}`);
  const words = repeats ? wordsOf(name) : [...all, ...wordsOf(name)];
  return convention === 'SCMP'
    ? words.join('_')
    : words.map((word, at) => (at === 0 ? word : `${word.charAt(0).toUpperCase()}${word.slice(1)}`)).join('');
}

/** Every name that a field can have in files. */
export const columnNames = (field: string): readonly string[] =>
  namingConventions.map((convention) => columnName(field, convention));

const fieldIds = new Set<string>(reportFields.map(({ id }) => id));

/** The words of a name in camel case, in small letters: `IPCity` has two. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replaceAll(/[^A-Za-z\d]+/g, ' ')
    .toLowerCase()
    .split(' ');
