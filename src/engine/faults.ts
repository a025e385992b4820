import { limits } from '../core/limits.ts';

/** One fault of a call, without the value. */
export interface Fault {
  readonly field: string;
  /** The end of a sentence that begins with the field: "is missing". */
  readonly problem: string;
}

/** What a refusal names where no declared argument is at fault. */
export const wholeCall = 'arguments';

/**
 * Every field at fault, in one or a few sentences: fields with the same problem share one. A field is named once, with
 * its first problem, and not more fields than a model reads.
 */
export function describeFaults(faults: readonly Fault[]): {
  readonly sentences: readonly string[];
  readonly fields: readonly string[];
} {
  const each = faults.filter(({ field }, at) => faults.findIndex((it) => it.field === field) === at);
  const told = each.slice(0, limits.toldFaultElements);
  const rest = each.length - told.length;
  const byProblem = Map.groupBy(told, ({ problem }) => problem);
  return {
    sentences: [
      ...[...byProblem].map(([problem, alike]) =>
        sentenceOf(
          alike.map(({ field }) => field),
          problem,
        ),
      ),
      ...(rest === 0 ? [] : [`${rest} more ${rest === 1 ? 'is' : 'are'} wrong.`]),
    ],
    fields: told.map(({ field }) => field),
  };
}

const sentenceOf = (fields: readonly string[], problem: string): string =>
  fields.length === 1 ? `${subjectOf(fields[0])} ${problem}.` : `${listed(fields)} ${plural(problem)}.`;

const subjectOf = (field: string | undefined): string => (field === wholeCall ? 'The arguments' : `${field}`);

const listed = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** Problems begin with "is", "has" or a verb that doesn't change. */
const plural = (problem: string): string => problem.replace(/^is /, 'are ').replace(/^has /, 'have ');
