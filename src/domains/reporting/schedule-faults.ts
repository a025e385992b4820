/** What is wrong with when a report is made; undefined if nothing is. RP-04 of document 3, and public models. */
export interface ScheduleFault {
  readonly field: 'startDay' | 'reportInterval';
  readonly says: string;
}

interface Schedule {
  /** In either spelling. */
  readonly frequency: string;
  readonly startDay?: number | undefined;
  readonly interval?: string | undefined;
}

/** The days that a frequency can begin on: of the week from Sunday, or of the month. */
const lastDays: { readonly [frequency: string]: number | undefined } = { WEEKLY: 7, MONTHLY: 31 };

export function scheduleFault({ frequency, startDay, interval }: Schedule): ScheduleFault | undefined {
  const plain = frequency.toUpperCase();
  const last = lastDays[plain];
  if (startDay !== undefined && startDay > (last ?? 0))
    return {
      field: 'startDay',
      says:
        last === undefined
          ? 'Only weekly and monthly reports have a day.'
          : `A ${plain.toLowerCase()} report has a day from 1 to ${last}.`,
    };
  if ((plain === 'USER_DEFINED') !== (interval !== undefined))
    return { field: 'reportInterval', says: 'A user-defined frequency needs an interval, and no other one has it.' };
  return undefined;
}
