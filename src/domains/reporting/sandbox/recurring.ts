import { isoTime } from '../../../sandbox/clock.ts';
import type { World } from '../../../sandbox/world.ts';
import { moveReport } from './clock.ts';
import type { ReportDocument, ReportSubscriptionDocument } from './documents.ts';
import { nextDue } from './schedule.ts';

/** A subscription that is due at its next moment, and says where the range of its report begins. */
export function scheduled(it: ReportSubscriptionDocument, now: number): ReportSubscriptionDocument {
  const {
    reportFrequency: frequency,
    timezone: timeZone,
    startTime: time,
    startDay,
    reportInterval: interval,
  } = it.terms;
  const { at, from } = nextDue({ frequency, timeZone, time, startDay, interval, since: it.since }, now);
  return { ...it, from, due: at };
}

/** Makes the report that is due, and schedules the next one. */
export function settleReportSubscription(world: World, it: ReportSubscriptionDocument): void {
  const { startTime: _, startDay: __, reportInterval: ___, reportFrequency: frequency, ...terms } = it.terms;
  const [from, to] = [it.from, world.now];
  const fresh: ReportDocument = {
    ...{ id: world.uuid('report'), merchantId: it.merchantId, seq: world.count('report'), state: 'none' },
    ...{ from, to, times: {}, frequency: frequency.toUpperCase() },
    terms: { ...terms, reportStartTime: isoTime(from), reportEndTime: isoTime(to) },
  };
  if (moveReport(world, fresh, 'create') === undefined) throw new Error('A new report has no first state.');
  world.put('reportSubscription', scheduled(it, world.now));
}
