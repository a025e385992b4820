import { limits } from '../../../core/limits.ts';
import type { World } from '../../../sandbox/world.ts';
import { oneTime } from '../report-shapes.ts';
import type { ReportDocument } from './documents.ts';
import { rowsOf, termsOf, writers } from './files.ts';
import { isBeingMade, report } from './machines.ts';

// What the clock does to a report (D-26): PENDING → QUEUED → RUNNING → COMPLETED or NO_DATA.

type Trigger = Parameters<typeof report.move>[1];

/** What the clock pulls in each state, and seconds until it pulls again in the state that follows. */
const steps: { readonly [state: string]: Trigger | undefined } = { PENDING: 'queue', QUEUED: 'run', RUNNING: 'finish' };
const seconds: { readonly [state: string]: number | undefined } = {
  PENDING: limits.reportPendingSeconds,
  QUEUED: limits.reportQueuedSeconds,
  RUNNING: limits.reportRunningSeconds,
};

/** A report after a trigger, stored, and due when the clock moves it next. Undefined where its state has no such move. */
export function moveReport(world: World, it: ReportDocument, trigger: Trigger): ReportDocument | undefined {
  const rows = trigger === 'finish' ? rowsOf(world, it) : [];
  const moved = report.move({ state: it.state, crowded: isCrowded(world, it), filled: rows.length > 0 }, trigger);
  if (!moved.ok) return undefined;
  if (rows.length > 0)
    world.put('reportFile', { id: it.id, text: [...writers[it.terms.reportMimeType](termsOf(it), rows)].join('') });
  const wait = seconds[moved.to];
  return world.put('report', {
    ...it,
    state: moved.to,
    times: { ...it.times, ...(moved.to === it.state ? {} : { [moved.to]: world.now }) },
    due: wait === undefined ? undefined : world.now + wait * 1_000,
  });
}

export function settleReport(world: World, it: ReportDocument): void {
  const trigger = steps[it.state];
  if (trigger !== undefined) moveReport(world, it, trigger);
}

/** RP-05: whether as many one-time reports of the merchant run as can at once. */
const isCrowded = (world: World, { merchantId, frequency }: ReportDocument): boolean =>
  frequency === oneTime &&
  world.list('report').filter((it) => it.merchantId === merchantId && it.frequency === oneTime && isBeingMade(it.state))
    .length >= limits.concurrentReportElements;
