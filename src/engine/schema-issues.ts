import type { z } from 'zod';
import { valueAt } from '../core/members.ts';

/** One issue that a schema reports. */
export type Issue = z.ZodError['issues'][number];

/**
 * An issue as the end of a sentence that begins with the value's name: "must be a number". Never contains the value:
 * the schema's own message is used only if it is one of Purser's.
 */
export function issueText(issue: Issue | undefined): string {
  if (issue === undefined) return 'is wrong';
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  if (issue.code === 'unrecognized_keys') return 'has an unknown property';
  if (ours.test(issue.message)) return issue.message;
  if (issue.code === 'invalid_type') return `must be ${kinds[issue.expected] ?? `of the type ${issue.expected}`}`;
  if (issue.code === 'too_small')
    return bound(issue.inclusive === false ? 'more than' : 'at least', issue.minimum, issue.origin);
  if (issue.code === 'too_big')
    return bound(issue.inclusive === false ? 'less than' : 'at most', issue.maximum, issue.origin);
  return (issue.code === 'invalid_format' ? forms[issue.format] : undefined) ?? 'has an invalid format';
}

/** An issue as the end of a sentence, which says of an absent value that it is missing. */
export function problemText(issue: Issue, given: unknown): string {
  if (!isMissing(issue, given)) return issueText(issue);
  return issue.code === 'invalid_value' ? `is missing: it ${issueText(issue)}` : 'is missing';
}

/** Whether all that is wrong with a value is that it is absent. A rule about several fields says more. */
export const isMissing = (issue: Issue, given: unknown): boolean => issue.code !== 'custom' && isAbsent(issue, given);

/** Whether the value that an issue is about is absent from what was given. */
export const isAbsent = ({ path }: Issue, given: unknown): boolean =>
  path.length > 0 && valueAt(given, path) === undefined;

/** How Purser's own messages begin; a schema's default ones begin otherwise. */
const ours = /^(?:must|is|may|has) /;

const kinds: { readonly [type: string]: string | undefined } = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const forms: { readonly [format: string]: string | undefined } = {
  datetime: 'must be a date and time with its zone, such as 2026-01-16T09:00:00Z',
  date: 'must be a date such as 2026-01-31',
  email: 'must be an e-mail address',
  url: 'must be a URL such as https://shop.example.com',
};

/** The unit of a bound; a number is bounded itself. */
const counted: { readonly [origin: string]: string | undefined } = { string: 'character', array: 'item' };

function bound(which: string, many: number | bigint, origin: string): string {
  const unit = counted[origin];
  return unit === undefined ? `must be ${which} ${many}` : `must have ${which} ${many} ${unit}${many === 1 ? '' : 's'}`;
}
