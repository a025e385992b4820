import type { World } from '../../../sandbox/world.ts';
import { subscription } from '../machines.ts';
import { dateOf, dueOf, hasCycle, isBilled, noticedBefore } from './cycles.ts';
import type { Override, SubscriptionDocument, Terms } from './documents.ts';

/** An amendment of its plan reaches a subscription: whatever it has not of its own follows the plan. */
export function amended(world: World, it: SubscriptionDocument, was: Terms, is: Terms): void {
  const changed = retimed({ ...it, terms: followed(it, was, is) }, it, world.now);
  world.put('subscription', { ...changed, due: dueOf(changed) });
}

/** Whether no amendment reaches a subscription any more. */
export const isOver = ({ state }: SubscriptionDocument): boolean => subscription.final[state] !== undefined;

/** The terms of a subscription after its plan was amended. */
export function followed(it: SubscriptionDocument, was: Terms, is: Terms): Terms {
  const parts = (Object.keys(is) as Override[]).filter(
    (part) => !it.overrides.includes(part) && was[part] !== is[part],
  );
  return { ...it.terms, ...Object.fromEntries(parts.map((part) => [part, is[part]])) };
}

/** With another period the next payment stays where it is, and those after it are counted from there. */
export function retimed(it: SubscriptionDocument, was: SubscriptionDocument, now: number): SubscriptionDocument {
  const { period } = was.terms;
  if (period.length === it.terms.period.length && period.unit === it.terms.period.unit) return it;
  const anchored = hasCycle(was, was.next) ? { ...it, anchor: dateOf(was, was.next), first: was.next } : it;
  return isBilled(anchored) ? { ...anchored, noticed: Math.max(it.next - 1, noticedBefore(anchored, now)) } : anchored;
}
