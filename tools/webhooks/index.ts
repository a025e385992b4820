import type { domains } from '../../src/domains/index.ts';
import { platformTools, type Tool } from '../../src/engine/tool.ts';
import { listsEvents } from './list-events.ts';
import { listWebhookSubscriptions } from './list-webhook-subscriptions.ts';

export const webhooks: readonly Tool[] = [
  ...platformTools<keyof typeof domains.webhooks.contract>({ listWebhookSubscriptions }),
  ...listsEvents,
];
