import { onTestFinished } from 'vitest';
import type { ShopperHandle } from '../../src/sandbox/index.ts';
import { Bench, cardOf, type Told } from '../sandbox/support.ts';

/** A sandbox and the billing calls that tests make of it, as a client of the platform makes them. */
export class BillingBench extends Bench {
  async plan(change: Parts = {}): Promise<string> {
    return (await this.createPlan(change)).body.id;
  }

  createPlan(change: Parts = {}): Promise<Told> {
    return this.call('POST', '/rbs/v1/plans', planBody(change));
  }

  amend(id: string, change: Parts, applyTo?: 'ALL' | 'NEW'): Promise<Told> {
    const { code, name, description, status, every, unit, total, amount, currency, setupFee } = change;
    const body = {
      planInformation: {
        ...given({ code, name, description, status }),
        ...(every === undefined ? {} : { billingPeriod: { length: every, unit } }),
        ...(total === undefined ? {} : { billingCycles: { total } }),
      },
      ...([amount, currency, setupFee].every((it) => it === undefined)
        ? {}
        : { orderInformation: { amountDetails: given({ billingAmount: amount, currency, setupFee }) } }),
      ...(applyTo === undefined ? {} : { processingInformation: { subscriptionBillingOptions: { applyTo } } }),
    };
    return this.call('PATCH', `/rbs/v1/plans/${id}`, body);
  }

  /** The id of a subscription that was accepted. */
  async subscription(planId: string | undefined, change: Subscribing = {}): Promise<string> {
    return (await this.subscribe(planId, change)).body.id;
  }

  subscribe(planId: string | undefined, change: Subscribing = {}): Promise<Told> {
    const {
      who = 'shopper_ada',
      startDate = '2026-01-31T10:00:00Z',
      name = 'Gold',
      own,
      code,
      reference,
      ...original
    } = change;
    const { every, unit, total, amount, currency, setupFee, surcharge } = own ?? {};
    const body = {
      ...(reference === undefined ? {} : { clientReferenceInformation: { code: reference } }),
      subscriptionInformation: { name, startDate, ...given({ planId, code }), ...original },
      paymentInformation: { customer: { id: customerOf(who) } },
      planInformation: {
        ...(every === undefined ? {} : { billingPeriod: { length: every, unit } }),
        ...(total === undefined ? {} : { billingCycles: { total } }),
      },
      ...(own === undefined
        ? {}
        : {
            orderInformation: {
              amountDetails: {
                ...given({ billingAmount: amount, currency, setupFee }),
                ...(surcharge === undefined ? {} : { surcharge: { amount: surcharge } }),
              },
            },
          }),
    };
    return this.call('POST', '/rbs/v1/subscriptions', body);
  }

  async state(id: string): Promise<string> {
    return (await this.call('GET', `/rbs/v1/subscriptions/${id}`)).body.subscriptionInformation.status;
  }

  /** The payments of a subscription that came to their end, oldest first: cycle, type, status, day. */
  async payments(id: string): Promise<readonly string[]> {
    const { body } = await this.call('GET', `/rbs/v1/subscriptions/${id}/payments?limit=100&scheduledPaymentsCount=0`);
    return body.subscriptionPayment
      .filter((it: Listed) => !it.status.startsWith('SCHEDULED'))
      .map((it: Listed) => `${it.billingCycle} ${it.paymentType} ${it.status} ${it.date.slice(0, 16)}`)
      .toReversed();
  }

  /** What is to come: cycle, type, status, moment. */
  async coming(id: string, count = 3): Promise<readonly string[]> {
    const { body } = await this.call('GET', `/rbs/v1/subscriptions/${id}/payments?scheduledPaymentsCount=${count}`);
    return body.subscriptionPayment
      .filter((it: Listed) => it.status.startsWith('SCHEDULED'))
      .map((it: Listed) => `${it.billingCycle} ${it.paymentType} ${it.status} ${it.date.slice(0, 16)}`);
  }

  passOver(id: string, billingCyclesToSkip: readonly number[], method = 'PUT'): Promise<Told> {
    return this.call(method, `/rbs/v1/subscriptions/${id}/payments`, { billingCyclesToSkip });
  }

  act(id: string, step: 'cancel' | 'suspend' | 'activate', query = ''): Promise<Told> {
    return this.call('POST', `/rbs/v1/subscriptions/${id}/${step}${query}`, {});
  }

  /** Sets the clock to a moment. */
  async to(moment: string | number): Promise<void> {
    await this.control('POST', 'clock', { now: typeof moment === 'number' ? moment : Date.parse(moment) });
  }

  /** Tells what becomes of the charges of a shopper's card from now on. */
  async card(who: ShopperHandle, change: object): Promise<void> {
    const { instrumentIdentifierId } = cardOf(who);
    const { body } = await this.control('GET', 'fixtures');
    const card = body.cards.find(
      (it: { instrumentIdentifierId: string }) => it.instrumentIdentifierId === instrumentIdentifierId,
    );
    await this.control('POST', 'fixtures', { cards: [{ ...card, ...change }] });
  }

  /** The events that webhooks would be told of: type, cycle, moment. */
  async events(): Promise<readonly string[]> {
    const { body } = await this.control('GET', 'events');
    return body.events.map(
      ({ eventType, payload, at }: { eventType: string; payload: { billingCycle: string }; at: number }) =>
        `${eventType} ${payload.billingCycle} ${new Date(at).toISOString().slice(0, 16)}`,
    );
  }

  async outbox(): Promise<readonly Message[]> {
    return (await this.control('GET', 'outbox')).body.emails;
  }
}

interface Listed {
  readonly billingCycle: string;
  readonly paymentType: string;
  readonly status: string;
  readonly date: string;
}

export interface Message {
  readonly at: number;
  readonly to: string;
  readonly template: string;
  readonly fields: Readonly<Record<string, string>>;
}

interface Parts {
  readonly code?: string;
  readonly name?: string;
  readonly description?: string;
  readonly status?: string;
  readonly every?: string;
  readonly unit?: string;
  readonly total?: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly setupFee?: string;
  readonly surcharge?: string;
}

interface Subscribing {
  readonly who?: ShopperHandle;
  readonly startDate?: string;
  readonly name?: string;
  readonly code?: string;
  readonly reference?: string;
  readonly own?: Parts;
  readonly originalTransactionId?: string;
  readonly originalTransactionAuthorizedAmount?: string;
}

const given = (members: object) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

export const planBody = ({
  every = '1',
  unit = 'M',
  total,
  amount = '9.99',
  currency = 'GBP',
  setupFee,
  name = 'Gold',
  ...more
}: Parts = {}) => ({
  planInformation: {
    name,
    ...given(more),
    billingPeriod: { length: every, unit },
    ...(total === undefined ? {} : { billingCycles: { total } }),
  },
  orderInformation: { amountDetails: { billingAmount: amount, currency, ...given({ setupFee }) } },
});

/** A bench that is closed when the test ends. */
export function fresh(options: ConstructorParameters<typeof BillingBench>[0] = {}): BillingBench {
  const bench = new BillingBench(options);
  onTestFinished(() => bench.sandbox.close());
  return bench;
}

export const customerOf = (who: ShopperHandle): string => cardOf(who).customerId;
