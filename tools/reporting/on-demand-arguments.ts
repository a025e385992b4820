import { z } from 'zod';
import type { FileAnswer, FileType } from '../../src/core/file-answer.ts';
import { sumsByCurrency } from '../../src/core/file-sums.ts';
import { once } from '../../src/core/once.ts';
import { shortened, untrusted } from '../../src/engine/render.ts';
import { screenedLine } from '../../src/engine/screened-line.ts';
import { withoutCardNumbers } from '../../src/engine/screened-page.ts';
import { amountShown, countShown, currencyShown } from '../../src/engine/shown.ts';
import type { Arg } from '../../src/engine/tool.ts';
import { queryField } from '../../src/engine/tool-arguments.ts';
import { formats } from './report-arguments.ts';

// What the reports on demand share.

type OnDemand = 'getConversionDetails' | 'getNotificationOfChanges' | 'getPurchaseRefundDetails' | 'getNetFundings';

/** The time that a report is about. The end is not part of it. */
export const rangeArgs = <N extends OnDemand>(operation: N) => {
  const asks = queryField(operation) as (path: string, about: string) => Arg<'?startTime' | '?endTime'>; // every one has both
  return { from: asks('startTime', 'Begin.'), until: asks('endTime', 'Excluded.') };
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
const firstLinesOf = ({ start, type }: FileAnswer) =>
  withoutCardNumbers(start)
    .split(/\r?\n/)
    .slice(0, -1)
    // XML says in two or three lines what it is.
    .slice(0, type === 'text/csv' ? firstLines : firstLines + 1)
    .map((line) => shortened(screenedLine(line)));

/** What an answer says of a file: its sums by currency, and its first whole lines. */
export const fileOutput = once(
  () =>
    ({
      sums: z.array(z.looseObject({ currency: currencyShown, amount: amountShown, count: countShown })).optional(),
      lines: z.array(z.string()).optional(),
    }) as const,
);
export const showFile = (file: FileAnswer) => ({
  ...(file.sums === undefined
    ? {}
    : { sums: sumsByCurrency(file.sums).map(({ currency, ...it }) => ({ currency: untrusted(currency), ...it })) }),
  lines: firstLinesOf(file),
});

/** A text of the platform, if there is one. */
export const shownAs = <N extends string>(name: N, value: string | undefined) =>
  value === undefined || value === '' ? {} : { [name]: untrusted(value) };
