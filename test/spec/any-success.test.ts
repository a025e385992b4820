import { describe, expect, it } from 'vitest';
import type { Platform } from '../../src/client/platform.ts';
import { plan, planned, running, subscribed, subscription } from '../engine/billing.ts';
import { type World, world } from '../engine/support.ts';
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

// Document 2 lists three statuses of success for recurring billing, and assigns none to a call.
const changing: readonly (readonly [tool: string, method: string, path: RegExp, (it: World) => Promise<object>])[] = [
  ['create_plan', 'POST', /\/plans$/, async () => plan()],
  ['amend_plan', 'PATCH', /\/plans\/[^/]+$/, async (it) => ({ plan: await planned(it), currency: 'EUR' })],
  ['deactivate_plan', 'POST', /\/deactivate$/, async (it) => ({ plan: await planned(it) })],
  ['activate_plan', 'POST', /\/plans\/[^/]+\/activate$/, async (it) => ({ plan: await planned(it, { draft: true }) })],
  ['delete_plan', 'DELETE', /\/plans\/[^/]+$/, async (it) => ({ plan: await planned(it) })],
  ['create_subscription', 'POST', /\/subscriptions$/, async (it) => subscription({ plan: await planned(it) })],
  [
    'update_subscription',
    'PATCH',
    /\/subscriptions\//,
    async (it) => ({ subscription: await subscribed(it), name: 'Other' }),
  ],
  ['suspend_subscription', 'POST', /\/suspend$/, async (it) => ({ subscription: await running(it) })],
  ['cancel_subscription', 'POST', /\/cancel$/, async (it) => ({ subscription: await subscribed(it) })],
];

describe.each(changing)('%s', (tool, method, path, args) => {
  it.each([200, 201, 202])('is done where the platform answers %i', async (status) => {
    let isAltered = false;
    const platform =
      (real: Platform): Platform =>
      async (request) => {
        const answer = await real(request);
        return isAltered && request.method === method && path.test(new URL(request.url).pathname)
          ? new Response(answer.body, { status, headers: answer.headers })
          : answer;
      };
    const it = await world({ replace: { platform } });
    const given = await args(it);
    isAltered = true;
    expect(await it.through(tool, given)).toMatchObject({ outcome: 'done' });
  });
});
