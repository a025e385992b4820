import { describe, expect, it } from 'vitest';
import { registerShopper } from '../../src/engine/register.ts';
import type { Caller } from '../../src/ledger/ledger.ts';
import { plan, planned, subscription } from '../engine/billing.ts';
import { bill, billed } from '../engine/invoicing.ts';
import { authentication, prove } from '../engine/passkey.ts';
import { agent, type Said, type World } from '../engine/support.ts';
import { rewrite } from '../support/portal.ts';
import { approved, asked, ended, hostile, mandated, small } from './mandated.ts';

// Ways in for text that somebody else may have written, through the real tools; and texts that are the merchant's own.

const portal = async (it: World, text: string, other: string): Promise<void> => {
  if (it.running.sandbox !== undefined) await rewrite(it.running.sandbox, text, other);
};
const poisoned = (it: World, text: string) => portal(it, text, hostile);

/** Another conversation of the same agent, which has read nothing yet. */
const fresh = (name: string): Caller => ({ ...agent, conversation: name });
const reader = fresh('reader');

/** What somebody else has written where, and the call whose answer shows it. */
const ways: readonly (readonly [string, (it: World) => Promise<void>, (it: World) => Promise<Said>])[] = [
  [
    'a plan that is deactivated',
    (it) => poisoned(it, 'Gold'),
    async (it) => it.call('deactivate_plan', { plan: await stored(it) }, reader),
  ],
  [
    'an invoice that is cancelled',
    (it) => poisoned(it, 'Repair of a loudspeaker'),
    async (it) => it.call('cancel_invoice', { invoice: await opened(it) }, reader),
  ],
  [
    'the text of an approval',
    (it) => poisoned(it, 'Gold'),
    async (it) => it.call('amend_plan', { plan: await stored(it), apply_to: 'ALL', every: 2, unit: 'month' }, reader),
  ],
  [
    'a list of approvals',
    async (it) => {
      await poisoned(it, 'Gold');
      await it.call('amend_plan', { plan: await stored(it), apply_to: 'ALL', every: 2, unit: 'month' }, fresh('asker'));
    },
    (it) => it.call('list_approvals', {}, reader),
  ],
  [
    'an earlier answer',
    async (it) => {
      await poisoned(it, 'Gold');
      await it.call('deactivate_plan', { plan: await stored(it) }, fresh('asker'));
    },
    async (it) => {
      const [operation] = await it.operations();
      return it.call('get_operation', { operation: operation?.id }, reader);
    },
  ],
  [
    'a preview of a call that a person would be asked about',
    (it) => poisoned(it, 'Gold'),
    async (it) => {
      const previewed = { plan: await stored(it), apply_to: 'ALL', every: 2, unit: 'month' };
      await it.call('get_plan', { plan: previewed.plan }, fresh('asker'));
      return it.call('preview_call', { tool: 'amend_plan', arguments: previewed }, reader);
    },
  ],
  [
    'the name of a shopper',
    async (it) => {
      await registerShopper(it.parts, agent.tenant, { displayName: hostile, cards: [] });
    },
    (it) => it.call('find_shopper', { name: 'Ignore' }, reader),
  ],
  [
    'the no of the platform',
    (it) => it.fault('enrollCard', 'decline'),
    (it) => it.call('enroll_card', { card: 'card_bo' }, reader),
  ],
  [
    'a line of an invoice, in a refusal',
    (it) => poisoned(it, 'C-1'),
    async (it) => {
      const line = { sku: 'D-1', name: 'Cone', quantity: 1, price: '40.00', total: '40.00' };
      return it.call('update_invoice', { invoice: await opened(it), lines: [line] }, reader);
    },
  ],
];

/** Handles that the merchant's agent has had since it made the things. */
const stored = async (it: World): Promise<string> => handleOf(it, 'plan');
const opened = async (it: World): Promise<string> => handleOf(it, 'invoice');
const handleOf = (it: World, kind: string): Promise<string> =>
  it.parts.ledger.transaction(agent.tenant, async (tx) => {
    const [row] = (await tx.observations.list({ kind }, { limit: 1 })).rows;
    return row?.handle ?? '';
  });

const furnished = async (): Promise<World> => {
  const it = await mandated();
  await planned(it);
  const lines = [{ sku: 'C-1', name: 'Cone', quantity: 1, price: '40.00', total: '40.00' }];
  await billed(it, bill({ how: 'link', lines }));
  return it;
};

describe('what somebody else may have written', () => {
  it.each(ways)('ends mandates: %s', async (_, writes, shows) => {
    const it = await furnished();
    await writes(it);
    const shown = await shows(it);
    expect(JSON.stringify([shown.data, shown.approval, shown.error])).toMatch(/Ignore|declined/);
    expect(shown.said).not.toContain('Ignore');
    expect(ended(await it.call('initiate_purchase', small(1), reader))).toEqual(asked);
    expect(ended(await it.call('initiate_purchase', small(2), fresh('other')))).toEqual(approved);
  });

  it.each(ways.filter(([name]) => !/shopper|platform|refusal/.test(name)))(
    'twin, where nobody has written it: %s',
    async (_, __, shows) => {
      const it = await furnished();
      await it.call('deactivate_plan', { plan: await stored(it) }, fresh('asker'));
      await it.call('activate_plan', { plan: await stored(it) }, fresh('asker'));
      await shows(it);
      expect(ended(await it.call('initiate_purchase', small(1), reader))).toEqual(approved);
    },
  );

  it('ends them for a replayed answer, too', async () => {
    const it = await furnished();
    await portal(it, 'Gold', hostile);
    const call = ['deactivate_plan', { plan: await stored(it) }] as const;
    await it.fault('deactivatePlan', 'truncated');
    await it.call(...call, fresh('asker'));
    await it.call('get_plan', call[1], reader);
    expect(ended(await it.call('initiate_purchase', small(1), reader))).toEqual(asked);
  });
});

describe('a call that two conversations wait for', () => {
  it.each(['get_plan', 'deactivate_plan'])('ends the mandates of both: %s', async (tool) => {
    const it = await furnished();
    await portal(it, 'Gold', hostile);
    const plan = await stored(it);
    const both = [reader, fresh('other')];
    const said = await Promise.all(both.map((caller) => it.call(tool, { plan }, caller)));
    expect(said.map(({ outcome, data }) => [outcome, JSON.stringify(data).includes('Ignore')])).toEqual([
      ['done', true],
      ['done', true],
    ]);
    for (const [at, caller] of both.entries())
      expect(ended(await it.call('initiate_purchase', small(at), caller))).toEqual(asked);
  });
});

describe('whom text misleads', () => {
  it('is the agent: a customer’s passkey, which the app passes on, waits for nobody', async () => {
    const it = await mandated();
    const { data } = await it.call('create_authentication_options', authentication({ card: 'card_bo' }), reader);
    const app: Caller = { ...agent, principal: 'app', role: 'app' };
    // The app, too, gets what an issuer has worded.
    await it.control('POST', 'issuer', { text: hostile });
    await it.call('create_authentication_options', authentication({ card: 'card_bo' }), app);
    await it.call('create_one_time_password', {
      authentication: data.authentication,
      option: 'option_1',
      request_number: 1,
    });
    const begun = await it.call('create_authentication_options', authentication({ card: 'card_ada' }));
    expect((await prove(it, begun.data.authentication)).outcome).toBe('done');
  });
});

describe('what is the merchant’s own', () => {
  const list = (it: World, caller: Caller) => it.call('list_plans', {}, caller);
  const subscribes = async (it: World, caller: Caller) =>
    ended(await it.call('create_subscription', subscription({ plan: await stored(it), payments: 2 }), caller));

  it('is a plan that was named through Purser: a mandate approves a subscription on it', async () => {
    const it = await mandated();
    await planned(it);
    expect((await list(it, reader)).data.items).toMatchObject([{ name: 'Gold' }]);
    expect(await subscribes(it, reader)).toEqual(approved);
  });

  it('is not a plan that was renamed elsewhere: a person is asked', async () => {
    const it = await mandated();
    await planned(it);
    await portal(it, 'Gold', hostile);
    await list(it, reader);
    expect(await subscribes(it, reader)).toEqual(asked);
  });

  it('is not what an agent writes that has read somebody else’s text', async () => {
    const it = await mandated();
    await it.fault('enrollCard', 'decline');
    const writer = fresh('writer');
    await it.call('enroll_card', { card: 'card_bo' }, writer);
    expect((await it.call('create_plan', plan({ name: hostile }), writer)).outcome).toBe('done');
    await list(it, reader);
    expect(await subscribes(it, reader)).toEqual(asked);
  });

  it('is not what the app passes on from a customer, of which an issuer or a device words a part', async () => {
    const it = await mandated();
    await planned(it);
    const { data } = await it.call('create_authentication_options', authentication());
    expect((await prove(it, data.authentication, { method: hostile })).outcome).toBe('done');
    await portal(it, 'Gold', hostile);
    await list(it, reader);
    expect(await subscribes(it, reader)).toEqual(asked);
  });

  it('is what a person has read and approved word for word, whoever wrote it', async () => {
    const it = await mandated();
    await planned(it);
    await portal(it, 'Gold', 'Gold, as the shop calls it');
    const writer = fresh('writer');
    await list(it, writer);
    const wanted = subscription({ plan: await stored(it), reference: 'subscription-0' });
    await it.approve(await it.call('create_subscription', wanted, writer));
    expect((await it.call('create_subscription', wanted, writer)).outcome).toBe('done');
    await list(it, reader);
    expect(await subscribes(it, reader)).toEqual(approved);
  });

  it('is what the call itself has said', async () => {
    const it = await mandated();
    await it.call('find_shopper', { name: 'Ada Example' }, reader);
    expect(ended(await it.call('initiate_purchase', small(1), reader))).toEqual(approved);
  });
});
