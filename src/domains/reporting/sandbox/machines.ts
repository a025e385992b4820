import { machine } from '../../../core/machine.ts';

/** A report, as far as its machine looks at it. */
export interface ReportState {
  readonly state: string;
  /** Whether as many one-time reports run as can at once (RP-05). */
  readonly crowded: boolean;
  /** Whether there is anything to report. */
  readonly filled: boolean;
}

/** Document 3 names the states of a report and shows no transition, so all of them are decision D-26. */
export const report = machine('report', {
  source: 'document 3',
  rows: [],
  // biome-ignore format: a table
  assumed: [
    ['none',    'create', '',                            'PENDING',   ''],
    ['PENDING', 'queue',  '',                            'QUEUED',    ''],
    ['QUEUED',  'run',    'three one-time reports run',  'QUEUED',    'it waits until one of them is done'],
    ['QUEUED',  'run',    '',                            'RUNNING',   ''],
    ['RUNNING', 'finish', 'there is data',               'COMPLETED', 'it can be downloaded'],
    ['RUNNING', 'finish', '',                            'NO_DATA',   'there is nothing to download'],
    ['PENDING', 'fail',   '',                            'ERROR',     ''],
    ['QUEUED',  'fail',   '',                            'ERROR',     ''],
    ['RUNNING', 'fail',   '',                            'ERROR',     ''],
  ],
  conditions: {
    'three one-time reports run': (it: ReportState) => it.crowded,
    'there is data': (it: ReportState) => it.filled,
  },
  breach: {},
  actors: { create: 'person', queue: 'platform', run: 'platform', finish: 'platform', fail: 'platform' },
});

/** Whether a report in this state is being made. */
export const isBeingMade = (state: string): boolean => report.startsOf('finish').includes(state);
/** Whether a report in this state has a file. */
export const hasFile = (state: string): boolean => downloadableStates.includes(state);
const downloadableStates: readonly string[] = ['COMPLETED'];
