import { z } from 'zod';
import { existing } from '../../../sandbox/answer.ts';
import { isoTime } from '../../../sandbox/clock.ts';
import { controlCall, type SandboxDomain } from '../../../sandbox/domain.ts';
import { webhooks as lookup } from '../contract.ts';
import { management, newWebhook, webhookStatuses } from '../management.ts';
import { subscriptionView } from './answers.ts';
import { outgoing, settleEvent } from './deliveries.ts';
import { handlers, setStatus, subscribed } from './handlers.ts';
import { keyOf } from './keys.ts';

const contract = { ...lookup, ...management } as const;

/** The most deliveries in one response. Own choice. */
const mostDeliveries = 10_000;

/** How the sandbox simulates webhook subscriptions and their deliveries. */
export const webhooks: SandboxDomain<typeof contract> = {
  contract,
  handlers,
  settlers: { event: settleEvent },
  outgoing,
  control: [
    controlCall(
      'POST /sandbox/webhooks',
      newWebhook()
        .omit({ organizationId: true })
        .extend({ status: z.enum(webhookStatuses).default('ACTIVE') }),
      ({ world, body: { status, ...terms } }) => {
        const merchant = existing(world.list('merchant')[0], 'merchant');
        const created = subscribed(world, merchant, { ...terms, organizationId: merchant.id });
        setStatus(world, created, status);
        return subscriptionView(world.must('webhook', created.id));
      },
    ),
    controlCall('GET /sandbox/webhooks/{id}/key', z.strictObject({}), ({ world, path }) => {
      const { keyId, key } = keyOf(world, existing(world.get('webhook', path.id ?? ''), 'webhook'));
      return { keyId, key };
    }),
    controlCall('GET /sandbox/deliveries', z.strictObject({}), ({ world }) => ({
      total: world.number('delivery'),
      deliveries: world.last('delivery', mostDeliveries).map(({ id: _, due, tries: __, begun: ___, ...it }) => ({
        ...it,
        eventAt: isoTime(it.eventAt),
        attempts: it.attempts.map(({ at, status }) => ({ at: isoTime(at), status })),
        next: due === undefined ? null : isoTime(due),
      })),
    })),
  ],
};
