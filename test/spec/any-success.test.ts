import { describe, expect, it } from 'vitest';
import type { Platform } from '../../src/client/platform.ts';
import { subscribed } from '../engine/billing.ts';
import { world } from '../engine/support.ts';
import { section } from './document.ts';

// Documents 1 and 2 say of two operations that any 200-level status is a success.

/** A platform that answers the calls of a path with another status. */
const answering =
  (status: number, path: RegExp) =>
  (real: Platform): Platform =>
  async (request) => {
    const answer = await real(request);
    return path.test(new URL(request.url).pathname)
      ? new Response(answer.body, { status, headers: answer.headers })
      : answer;
  };

describe.each([200, 201, 202, 203])('a success of %i', (status) => {
  it('lists webhook subscriptions', async () => {
    expect(section('document-1.md', 'Endpoints of the webhook subscription lookup')).toContain('any 200-level status');
    const it = await world({ replace: { platform: answering(status, /\/webhooks$/) } });
    expect(await it.call('list_webhook_subscriptions', {})).toMatchObject({ outcome: 'done' });
  });

  it('skips payments', async () => {
    const it = await world({ replace: { platform: answering(status, /\/subscriptions\/[^/]+\/payments$/) } });
    const subscription = await subscribed(it);
    expect(await it.call('skip_subscription_payments', { subscription, cycles: [2] })).toMatchObject({
      outcome: 'done',
      data: { skipped: [2] },
    });
  });
});
