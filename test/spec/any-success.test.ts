import { describe, expect, it } from 'vitest';
import type { Platform } from '../../src/client/platform.ts';
import { recover } from '../../src/engine/recover.ts';
import { followed, plan, planned, running, subscribed, subscription } from '../engine/billing.ts';
import { settle, type World, world } from '../engine/support.ts';
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

type Changing = readonly [tool: string, method: string, path: RegExp, args: (it: World) => Promise<object>];

// Document 2 calls 200 and 201 successful and 202 accepted, and assigns none to a call (D-150).
const changing: readonly Changing[] = [
  ['create_plan', 'POST', /\/plans$/, async () => plan()],
  ['amend_plan', 'PATCH', /\/plans\/[^/]+$/, async (it) => ({ plan: await planned(it), currency: 'EUR' })],
  ['deactivate_plan', 'POST', /\/deactivate$/, async (it) => ({ plan: await planned(it) })],
  ['activate_plan', 'POST', /\/plans\/[^/]+\/activate$/, async (it) => ({ plan: await planned(it, { draft: true }) })],
  ['delete_plan', 'DELETE', /\/plans\/[^/]+$/, async (it) => ({ plan: await planned(it) })],
  ['create_subscription', 'POST', /\/subscriptions$/, async (it) => subscription({ plan: await planned(it) })],
  [
    'create_follow_on_subscription',
    'POST',
    /\/follow-ons\//,
    async (it) => {
      const { card: _, ...asked } = subscription({ plan: await planned(it), follow_on: await followed(it) });
      return asked;
    },
  ],
  [
    'update_subscription',
    'PATCH',
    /\/subscriptions\//,
    async (it) => ({ subscription: await subscribed(it), name: 'Other' }),
  ],
  ['reactivate_subscription', 'POST', /\/subscriptions\/[^/]+\/activate$/, suspended],
];
/** Public models answer these with 202. */
const accepted: readonly Changing[] = [
  ['suspend_subscription', 'POST', /\/suspend$/, async (it) => ({ subscription: await running(it) })],
  ['cancel_subscription', 'POST', /\/cancel$/, async (it) => ({ subscription: await subscribed(it) })],
];

/** A suspended subscription that has missed a payment. */
async function suspended(it: World) {
  const one = await running(it);
  await it.call('suspend_subscription', { subscription: one });
  await it.advance(40 * 86_400);
  return { subscription: one, collect_missed: true };
}

/** What a call is answered where the platform answers it as told from then on. */
async function calling(
  [tool, method, path, args]: Changing,
  told: (real: () => Promise<Response>) => Promise<Response>,
) {
  let isAltered = false;
  let sent = 0;
  const platform =
    (real: Platform): Platform =>
    async (request) => {
      if (!isAltered || request.method !== method || !path.test(new URL(request.url).pathname)) return real(request);
      sent += 1;
      return told(() => real(request));
    };
  const it = await world({ replace: { platform } });
  const given = await args(it);
  isAltered = true;
  const call = () => it.through(tool, given);
  return { it, call, first: await call(), sent: () => sent };
}

/** The real answer with another status. */
const as = (status: number) => async (real: () => Promise<Response>) => {
  const { body, headers } = await real();
  return new Response(body, { status, headers });
};

describe.each([...changing, ...accepted])('%s', (...row) => {
  it.each([200, 201])('is done where the platform answers %i', async (status) => {
    expect((await calling(row, as(status))).first).toMatchObject({ outcome: 'done' });
  });
});

describe.each(accepted)('%s', (...row) => {
  it('is done where the platform answers 202', async () => {
    expect((await calling(row, as(202))).first).toMatchObject({ outcome: 'done' });
  });
});

/** Purser can't read these back: the same call sends the same again. */
const isRepeated = ([tool]: Changing): boolean => tool === 'amend_plan';

/** That a subscription is active again doesn't tell whether what it missed was collected: a person finds out. */
const isLeftToPerson = ([tool]: Changing): boolean => tool === 'reactivate_subscription';

describe.each(changing)('%s', (...row) => {
  it('is unknown where the platform answers 202, until it is read back, repeated or found out', async () => {
    let status = 202;
    const { it, call, first, sent } = await calling(row, (real) => as(status)(real));
    expect(first).toMatchObject({ outcome: 'unknown' });
    status = 200;
    await it.advance(700);
    await recover(it.parts);
    if (isRepeated(row)) await call();
    if (isLeftToPerson(row)) {
      expect((await it.operation(first.operation)).state).toBe('UNKNOWN');
      await settle(it, first.operation, true);
    }
    expect((await it.operation(first.operation)).state).toBe(isLeftToPerson(row) ? 'RESOLVED' : 'SUCCEEDED');
    expect(sent()).toBe(isRepeated(row) ? 2 : 1);
  });
});

// These charge at once.
const charging = changing.filter(([tool]) => /^(create_.*|update_|reactivate_)subscription$/.test(tool));

describe.each(charging)('%s', (...row) => {
  it('is sent once where the platform only accepts it, and nothing has changed', async () => {
    const { call, first, sent } = await calling(row, async () =>
      Response.json(
        {
          ...{ id: 'accepted-0001', submitTimeUtc: '2026-01-15T09:00:00Z', status: 'ACCEPTED' },
          subscriptionInformation: { code: 'S1', status: 'SUSPENDED' },
        },
        { status: 202 },
      ),
    );
    const second = await call();
    expect([first.outcome, second.outcome, second.operation, sent()]).toEqual([
      'unknown',
      'unknown',
      first.operation,
      1,
    ]);
  });
});
