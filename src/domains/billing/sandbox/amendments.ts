import { isInMonths } from '../../../core/schedule.ts';
import type { World } from '../../../sandbox/world.ts';
import { subscription } from '../machines.ts';
import { cycleAfter, dateOf, dueOf, goingOnWith, isBilled, missedAt, noticedBefore } from './cycles.ts';
import type { Override, SubscriptionDocument, Terms } from './documents.ts';

/** Applies an amendment of the plan to a subscription. Terms that the subscription overrides stay. */
export function amended(world: World, it: SubscriptionDocument, amendment: Partial<Terms>): void {
  const changed = retimed({ ...it, terms: followed(it, amendment) }, it, world.now);
  world.put('subscription', { ...changed, due: dueOf(changed) });
}

/** Whether the subscription has ended, so amendments no longer apply. */
export const isOver = ({ state }: SubscriptionDocument): boolean => subscription.final[state] !== undefined;

/** The terms of a subscription after an amendment of its plan: it follows whatever the amendment names, also where the plan had that before. */
export function followed(it: SubscriptionDocument, amendment: Partial<Terms>): Terms {
  const parts = (Object.keys(amendment) as Override[]).filter((part) => !it.overrides.includes(part));
  return { ...it.terms, ...Object.fromEntries(parts.map((part) => [part, amendment[part]])) };
}

/**
 * If the period changes, the next payment keeps its date and later ones are counted from it, in months on the day of month of the
 * start (D-160). What fell due before stays what it was.
 */
function retimed(it: SubscriptionDocument, was: SubscriptionDocument, now: number): SubscriptionDocument {
  const { period } = was.terms;
  if (period.length === it.terms.period.length && period.unit === it.terms.period.unit) return it;
  const next = cycleAfter(was, now);
  const over = { ...goingOnWith(was, next), missed: missedAt(was, now) };
  const earlier = [
    ...(was.earlier ?? []),
    { anchor: was.anchor, first: was.first, dayOfMonth: was.dayOfMonth, period },
  ];
  const dayOfMonth = isInMonths(period) ? (was.dayOfMonth ?? new Date(was.anchor).getUTCDate()) : undefined;
  const anchored = { ...it, ...over, earlier, anchor: dateOf(was, next), first: next, dayOfMonth };
  return isBilled(anchored) ? { ...anchored, noticed: Math.max(next - 1, noticedBefore(anchored, now)) } : anchored;
}
