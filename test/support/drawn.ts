import { beforeEach, inject, type RunnerTask } from 'vitest';
import { pickOf } from '../../evals/harness/adversaries/sample.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The day whose rows are played; without it, all are. */
    readonly day: number | undefined;
  }
  interface TaskMeta {
    /** Whether this test is a row of another day. */
    leftOut?: boolean;
  }
}

/**
 * For a file whose tables (`it.each`, `describe.each`) show the same of many tools, fields, edits or transports, and take long: `npm test`
 * plays one in so many of their rows, each of them one day in so many, and skips the rest. `npx vitest run` plays them all.
 */
export function playRowsOneIn(days: number): void {
  if (inject('day') === undefined) return;
  beforeEach(({ task, skip }) => {
    if (!isRow(task) || isOfToday(days, task.fullName)) return;
    task.meta.leftOut = true;
    skip('another day');
  });
}

/** Whether a row is played on a day: each is, on one in so many that follow each other. */
export const isOf = (day: number, days: number, row: string): boolean => (pickOf({ seed: 0 }, row) + day) % days === 0;

/** Whether a row is played in this run. */
export function isOfToday(days: number, row: string): boolean {
  const day = inject('day');
  return day === undefined || isOf(day, days, row);
}

const isRow = (task: RunnerTask | undefined): boolean =>
  task !== undefined && (task.each === true || isRow(task.suite));
