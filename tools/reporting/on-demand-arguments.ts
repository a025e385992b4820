import { z } from 'zod';
import type { FileAnswer, FileType } from '../../src/core/file-answer.ts';
import { untrusted } from '../../src/engine/render.ts';
import type { Arg } from '../../src/engine/tool.ts';
import { queryField } from '../../src/engine/tool-arguments.ts';
import { formats } from './report-arguments.ts';

// What the reports on demand share.

type OnDemand = 'getConversionDetails' | 'getNotificationOfChanges' | 'getPurchaseRefundDetails' | 'getNetFundings';

/** The time that a report is about. The end is not part of it. */
export const rangeArgs = <N extends OnDemand>(operation: N) => {
  const asks = queryField(operation) as (path: string, about: string) => Arg<'?startTime' | '?endTime'>; // every one has both
  return { from: asks('startTime', 'ISO 8601.'), until: asks('endTime', 'Excluded.') };
};

/** A file in place of the rows. */
export const fileFormatArg: Arg<'@accept'> = {
  schema: z.enum(['csv', 'xml']).optional().describe('A file instead.'),
  fills: [{ path: '@accept', value: (given): FileType | undefined => formats[String(given)] }],
  rule: 'RP-11',
};

/** Lines of a file that an answer shows. */
const firstLines = 7;

/** The first whole lines of a file: text of others. */
export const firstLinesOf = ({ start, type }: FileAnswer) =>
  start
    .split(/\r?\n/)
    .slice(0, -1)
    // XML says in two or three lines what it is.
    .slice(0, type === 'text/csv' ? firstLines : firstLines + 1)
    .map((line) => untrusted(line));

/** A text of the platform, if there is one. */
export const shownAs = <N extends string>(name: N, value: string | undefined) =>
  value === undefined || value === '' ? {} : { [name]: untrusted(value) };
