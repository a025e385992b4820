import { describe, expect, it } from 'vitest';
import { BadConfiguration } from '../../src/cli/bad-configuration.ts';
import type { SpendingPolicy } from '../../src/engine/spending-policy.ts';
import { type BoundName, boundNames, boundsOf, isMandated, movesMoney } from '../../src/engine/terms.ts';
import { operationOf, type PlatformTool } from '../../src/engine/tool.ts';
import { everyTool, tools } from '../../tools/index.ts';
import { running } from '../engine/billing.ts';
import { changing, currencyOf as currencyIn } from '../engine/changing.ts';
import { authorized } from '../engine/conversion.ts';
import { held } from '../engine/device.ts';
import { authentication, prove } from '../engine/passkey.ts';
import { bought, change, order, type World, world } from '../engine/support.ts';
import { fileWith, folder, run, runJson } from '../faces/cli.ts';
import { playRowsOneIn } from '../support/drawn.ts';
import { prepared } from '../support/prepared.ts';

playRowsOneIn(3);

// A limit that is accepted is applied, and one that could not be applied is refused at the start: every tool with every term.

const changers = tools.filter(
  (tool): tool is PlatformTool => tool.kind === 'platform' && operationOf(tool).effect !== 'read',
);

/** The currency of a call's amount. */
const currencyOf = ({ name, operation }: PlatformTool) => (name.endsWith('_invoice') ? 'USD' : currencyIn(operation));

/** What every call with an amount of these tests is beyond. */
const beyond: { readonly [N in BoundName]: Partial<SpendingPolicy> } = {
  currency: { currency: 'JPY' },
  perCall: { perCall: '0.01' },
  total: { total: '0.01' },
  count: { count: 0 },
  payees: { payees: ['Nobody'] },
  instruments: { instruments: ['card_nobody'] },
  until: { until: '2025-01-01T00:00:00Z' },
};

const termsOf = (tool: PlatformTool, name: BoundName): SpendingPolicy => ({
  ...{ name: 'bound', tools: [tool.name], currency: currencyOf(tool), per: [] },
  ...beyond[name],
});

/** Calls that change an amount, where those of the other tests change none. */
const amounting: { readonly [tool: string]: (it: World) => Promise<object> } = {
  update_purchase: async (it) => change(await bought(it), { limit: { amount: '160.00', currency: 'GBP' } }),
  update_subscription: async (it) => ({
    ...(await changing.updateSubscription(it)),
    amount: '20.00',
  }),
  reactivate_subscription: async (it) => {
    const subscription = await running(it);
    await it.call('suspend_subscription', { subscription });
    await it.advance(40 * 86_400);
    return { subscription, collect_missed: true };
  },
};

const argsOf = (tool: PlatformTool, it: World): Promise<object> =>
  (amounting[tool.name] ?? changing[tool.operation as keyof typeof changing])(it);

const cells = changers.flatMap((tool) => boundNames.map((name) => ({ tool, name, title: `${tool.name} × ${name}` })));
const refused = cells.filter(({ tool, name }) => !boundsOf(tool).includes(name));

describe.each(changers.filter((tool) => boundsOf(tool).length > 0))('$name', (tool) => {
  const opened = prepared((it) => argsOf(tool, it));

  describe.each(boundsOf(tool))('× %s', (name) => {
    it('is accepted as a limit, and a call beyond it is refused before anything is sent', async () => {
      const { parts } = await world({ configure: { limits: [termsOf(tool, name)] } });
      const { it, made: args } = await opened({ limits: parts.settings.limits });
      const before = await it.effects();
      expect(await it.call(tool.name, args)).toMatchObject({ outcome: 'refused', error: { rule: 'EN-11' } });
      expect(await it.effects()).toEqual(before);
    });

    it('is accepted as a mandate only where mandates approve, and approves nothing beyond it', async () => {
      const started = world({ configure: { mandates: [termsOf(tool, name)] } });
      if (!isMandated(tool)) return expect(started).rejects.toThrow(BadConfiguration);
      const { it, made: args } = await opened({ mandates: (await started).parts.settings.mandates });
      // What a person approved with the purchase, or with the authorization (D-54), needs no mandate.
      const isApproved = ['retrieve_credentials', 'capture_payment', 'capture_preauthorization'].includes(tool.name);
      expect((await it.call(tool.name, args)).outcome).toBe(isApproved ? 'done' : 'needs_approval');
      return undefined;
    });
  });
});

it.each(refused)('$title is refused at the start', async ({ tool, name }) => {
  const terms = [termsOf(tool, name)];
  await expect(world({ configure: { limits: terms } })).rejects.toThrow(BadConfiguration);
  await expect(world({ configure: { mandates: terms } })).rejects.toThrow(BadConfiguration);
});

it('no term applies to a tool that changes nothing', async () => {
  for (const { name } of tools.filter((tool) => !changers.some((changer) => changer === tool)))
    for (const kind of ['limits', 'mandates'])
      await expect(
        world({ configure: { [kind]: [{ name: 'bound', tools: [name], currency: 'GBP', count: 1, per: [] }] } }),
      ).rejects.toThrow(BadConfiguration);
});

it('every tool that says an amount or a currency has an amount to hold it against', () => {
  const saying = changers.filter(({ input }) =>
    Object.values(input.args).some(({ fills }) =>
      fills.some(({ path }) => /amountDetails?\.|declineThreshold/.test(path)),
    ),
  );
  expect(saying.length).toBeGreaterThan(9);
  // An authentication holds and moves nothing: what is paid with it is counted where it is paid.
  expect(saying.filter((tool) => !boundsOf(tool).includes('perCall')).map(({ name }) => name)).toEqual([
    'create_authentication_options',
  ]);
});

it('the doctor and a start refuse what could not be applied, in one line that says why', async () => {
  const limits = [{ name: 'cancelled', tools: ['cancel_invoice'], currency: 'GBP', perCall: '1.00' }];
  const env = { PURSER_CONFIG: fileWith(JSON.stringify({ limits })) };
  const { code, value } = await runJson(['doctor', '--data', folder()], { env });
  const found = value.findings.find(({ verdict }: { verdict: string }) => verdict === 'fail');
  expect([code, found.todo]).toEqual([1, expect.stringContaining('"perCall"')]);
  const started = await run(['serve', '--port', '0', '--data', folder()], { env });
  expect([started.code, started.out, started.err.trim().split('\n').length]).toEqual([2, '', 1]);
  expect(started.err).toContain('cancel_invoice');
});

describe('what could never be applied is refused at the start', () => {
  const start = (kind: 'limits' | 'mandates', tool: string, more: Partial<SpendingPolicy>) =>
    world({ configure: { [kind]: [{ name: 'idle', tools: [tool], currency: 'GBP', per: [], ...more }] } });

  it.each(['limits', 'mandates'] as const)('a card in the %s of what the default card pays', async (kind) => {
    const card = { instruments: ['card_ada'] };
    await expect(start(kind, 'create_subscription', card)).rejects.toThrow(/create_subscription.*default card/s);
    await expect(start(kind, 'create_subscription', { perCall: '20.00' })).resolves.toBeDefined();
    await expect(start(kind, 'authorize_payment', card)).resolves.toBeDefined();
  });

  it.each(['limits', 'mandates'] as const)('a scope in the %s in which nothing is counted', async (kind) => {
    for (const per of [['day'], ['shopper', 'session']] as const) {
      const each = { per, perCall: '20.00' };
      await expect(start(kind, 'initiate_purchase', each)).rejects.toThrow(/"total" and "count"/);
      for (const counted of [{ total: '20.00' }, { count: 1 }])
        await expect(start(kind, 'initiate_purchase', { ...each, ...counted })).resolves.toBeDefined();
    }
    await expect(start(kind, 'initiate_purchase', { perCall: '20.00' })).resolves.toBeDefined();
  });

  it('a mandate on what a person approves each time, or no agent calls', async () => {
    for (const tool of everyTool.filter((it) => boundsOf(it).includes('total') && !isMandated(it))) {
      await expect(start('mandates', tool.name, { perCall: '20.00' })).rejects.toThrow(BadConfiguration);
      await expect(start('limits', tool.name, { perCall: '20.00' })).resolves.toBeDefined();
    }
    await expect(start('mandates', 'refund_without_original', { perCall: '20.00' })).rejects.toThrow(/a person/);
    await expect(start('mandates', 'create_payment_credentials', { perCall: '20.00' })).rejects.toThrow(/no agent/);
  });
});

describe('a limit on what is paid with a passkey', () => {
  const limited = (more: Partial<SpendingPolicy> = {}) =>
    world({
      configure: {
        limits: [
          {
            ...{ name: 'passkeys', tools: ['create_payment_credentials'], currency: 'GBP', perCall: '40.00', per: [] },
            ...more,
          },
        ],
      },
    });
  const asking = (amount: string) => authentication({ payment: { amount, currency: 'GBP' } });

  it('is held against the payment before the customer is asked', async () => {
    const it = await limited();
    const before = await it.effects();
    const said = await it.call('create_authentication_options', asking('40.01'));
    expect(said).toMatchObject({ outcome: 'refused', error: { rule: 'EN-11' } });
    expect(await it.effects()).toEqual(before);
    expect((await it.call('create_authentication_options', asking('40.00'))).outcome).toBe('done');
  });

  it('counts a payment once, when its credentials are released', async () => {
    const it = await limited({ total: '50.00' });
    const begun = await it.call('create_authentication_options', asking('40.00'));
    expect((await prove(it, begun.data.authentication)).outcome).toBe('done');
    const more = await it.call('create_authentication_options', asking('10.01'));
    expect(more).toMatchObject({ outcome: 'refused', error: { rule: 'EN-11' } });
    expect((await it.call('create_authentication_options', asking('10.00'))).outcome).toBe('done');
  });

  it('does not bound a purchase that a passkey approves: that counts by itself', async () => {
    const it = await limited({ perCall: '1.00' });
    await it.call('enroll_card', { card: 'card_ada' });
    const asked = await it.call('initiate_purchase', order());
    const payment = order().limit;
    const begun = await it.call(
      'create_authentication_options',
      authentication({ payment, approves: asked.operation }),
    );
    expect(begun.outcome).toBe('done');
  });
});

it('the doctor names the tools that move money beside the limits', async () => {
  const about = async (tools: readonly string[]) => {
    const limits = tools.length === 0 ? [] : [{ name: 'some', tools, currency: 'GBP', perCall: '1.00' }];
    const env = { PURSER_CONFIG: fileWith(JSON.stringify({ toolsets: ['all'], limits })) };
    const { value } = await runJson(['doctor', '--data', folder()], { env });
    const found = value.findings.find((it: { about: string }) => it.about === 'limits');
    return found && { verdict: found.verdict, tools: found.found.match(/\w+_\w+/g) };
  };
  const money = everyTool.filter(movesMoney).map(({ name }) => name);
  const named = money.filter((name) => name !== 'create_payment_credentials');
  expect(await about(named)).toEqual({ verdict: 'warn', tools: ['create_payment_credentials'] });
  expect(await about(money)).toBeUndefined();
  expect(await about([])).toBeUndefined();
});

it('no wildcard stands for all tools', async () => {
  const limits = [{ name: 'all', tools: ['*'], currency: 'GBP' as const, count: 1, per: [] }];
  await expect(world({ configure: { limits } })).rejects.toThrow(/`\*` is not supported/);
});

describe('an amount is held to a limit', () => {
  const limit = (tool: string, currency: 'USD' | 'GBP', more: Partial<SpendingPolicy>): SpendingPolicy => ({
    ...{ name: 'bound', tools: [tool], currency, per: [] },
    ...more,
  });

  it('to the cent: an invoice, a change of one, and one that is sent', async () => {
    const most = { perCall: '40.00' };
    const it = await world({
      configure: {
        limits: ['create_invoice', 'update_invoice', 'send_invoice'].map((tool) => ({
          ...limit(tool, 'USD', most),
          name: tool,
        })),
      },
    });
    const bill = (more: object) => changing.createInvoice().then((args) => ({ ...args, ...more }));
    expect(await it.call('create_invoice', await bill({ total: '40.01' }))).toMatchObject({ error: { rule: 'EN-11' } });
    const { outcome, data } = await it.through('create_invoice', await bill({}));
    expect(outcome).toBe('done');
    const { invoice } = data;
    expect((await it.call('update_invoice', { invoice, total: '40.01' })).error?.rule).toBe('EN-11');
    expect((await it.call('update_invoice', { invoice, total: '39.99' })).outcome).toBe('needs_approval');
    expect((await it.call('send_invoice', { invoice })).error?.rule).not.toBe('EN-11');
  });

  it('in sum: a change of an invoice counts what it adds', async () => {
    const it = await world({ configure: { limits: [limit('update_invoice', 'USD', { total: '1.00' })] } });
    const args = (await changing.updateInvoice(it)) as { readonly invoice: string };
    expect((await it.call('update_invoice', { ...args, total: '41.01' })).error?.rule).toBe('EN-11');
    expect((await it.through('update_invoice', args)).outcome).toBe('done');
  });

  it('to the penny: a plan with its setup fee, an amended one, and one that is activated', async () => {
    const it = await world({
      configure: {
        limits: ['create_plan', 'amend_plan', 'activate_plan'].map((tool) => ({
          ...limit(tool, 'GBP', { perCall: '20.00' }),
          name: tool,
        })),
      },
    });
    const plan = { ...(await changing.createPlan()), amount: '15.00', draft: true };
    expect((await it.call('create_plan', { ...plan, setup_fee: '5.01' })).error?.rule).toBe('EN-11');
    const { data } = await it.call('create_plan', { ...plan, setup_fee: '5.00' });
    const amend = { plan: data.plan, apply_to: 'NEW' };
    expect((await it.call('amend_plan', { ...amend, amount: '15.01' })).error?.rule).toBe('EN-11');
    expect((await it.call('amend_plan', { ...amend, amount: '14.99' })).outcome).toBe('done');
    expect((await it.call('activate_plan', { plan: data.plan })).outcome).toBe('done');
  });

  describe.each(['capture_payment', 'capture_preauthorization'] as const)('in sum: %s', (capture) => {
    const isPayment = capture === 'capture_payment';
    const [charge, currency, sum] = isPayment
      ? (['authorize_payment', 'USD', '100.00'] as const)
      : (['charge_device', 'GBP', '40.00'] as const);
    const opened = (tools: readonly string[], total: string) =>
      world({ configure: { limits: [{ ...limit(capture, currency, { total }), tools }] } });
    const hold = async (it: World) =>
      isPayment ? { charge: await authorized(it) } : { transaction: await held(it, { reference: 'sale-1' }) };

    it('counts what it takes where the limit names no tool that held it', async () => {
      const it = await opened([capture], sum);
      expect((await it.call(capture, await hold(it))).outcome).toBe('done');
      const less = await opened([capture], (Number(sum) - 0.01).toFixed(2));
      const args = await hold(less);
      expect((await less.call(capture, args)).error?.rule).toBe('EN-11');
      expect(await less.effects(isPayment ? 'capturePayment' : 'capturePreauthorization')).toEqual([]);
    });

    it('counts once what the limit counted when it was held', async () => {
      const it = await opened([charge, capture], sum);
      expect((await it.call(capture, await hold(it))).outcome).toBe('done');
      const [policy] = (await it.call('get_limits')).data.limits;
      expect(policy.left).toBe(`0.00 ${currency}`);
    });
  });

  it.each<readonly [tools: readonly string[], left: string]>([
    [['charge_device', 'increment_preauthorization', 'capture_preauthorization'], '55.00'],
    [['charge_device', 'capture_preauthorization'], '55.00'],
    [['increment_preauthorization', 'capture_preauthorization'], '55.00'],
    [['capture_preauthorization'], '55.00'],
    [['charge_device'], '60.00'],
    [['increment_preauthorization'], '95.00'],
  ])('in sum: a hold that was incremented, by %j', async (tools, left) => {
    const it = await world({ configure: { limits: [{ ...limit('', 'GBP', { total: '100.00' }), tools }] } });
    const transaction = await held(it);
    await it.through('increment_preauthorization', { transaction, amount: '5.00' });
    expect((await it.call('capture_preauthorization', { transaction })).outcome).toBe('done');
    const [policy] = (await it.call('get_limits')).data.limits;
    expect(policy.left).toBe(`${left} GBP`);
  });

  it('that the platform must first be asked for: where it does not answer, nothing is sent', async () => {
    const it = await world({ configure: { limits: [limit('send_invoice', 'USD', { perCall: '100.00' })] } });
    const args = await changing.sendInvoice(it);
    await it.fault('getInvoice', '5xx');
    expect((await it.call('send_invoice', args)).outcome).toBe('refused');
    expect(await it.effects('sendInvoice')).toEqual([]);
  });
});
