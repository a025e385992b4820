import { type Guard, guardOn } from '../guard.ts';
import type { webhooks } from './contract.ts';
import { eventTypesOf, productsWith } from './events.ts';

const guard = guardOn<keyof typeof webhooks>();

/** The guards of webhook subscriptions. What a shape already states is not said again here. */
export const guards: readonly Guard[] = [
  guard('WH-01', {
    on: ['listWebhookSubscriptions'],
    // No subscription has such a pair, so an empty list would say the wrong thing. Pairs that the table doesn't know are the platform's to judge.
    holds: ({ args }) => isPair(args.product, args.event),
    sees: ({ args }) =>
      `${String(args.product)} has no event ${String(args.event)}: that belongs to ${productsWith(String(args.event)).join(' and ')}.`,
    field: 'event',
    instead: ['list_webhook_subscriptions'],
  }),
];

/** Whether an event type can belong to a product: false only where both are known, and it does not. */
function isPair(product: unknown, event: unknown): boolean {
  if (typeof product !== 'string' || typeof event !== 'string') return true;
  const [known, owners] = [eventTypesOf(product), productsWith(event)];
  return known === undefined || owners.length === 0 || owners.includes(product);
}
