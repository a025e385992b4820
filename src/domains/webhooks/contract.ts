import { z } from 'zod';
import { anySuccess, operation } from '../../core/operation.ts';
import { webhooksError } from './errors.ts';
import { webhookFilters, webhookSubscription } from './shapes.ts';

/** Webhook subscriptions: document 1, "Endpoints". How they are made and changed is not the agent's (`management.ts`). */
export const webhooks = {
  listWebhookSubscriptions: operation({
    call: 'GET /notification-subscriptions/v2/webhooks',
    title: 'List webhook subscriptions of an organization',
    about: "Lists which events the platform notifies the merchant's systems of, and where.",
    effect: 'read',
    recovery: 'repeat',
    shape: 'WH-01',
    query: webhookFilters,
    output: () => anySuccess(z.array(webhookSubscription())),
    error: webhooksError,
  }),
} as const;
