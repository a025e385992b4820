import { describe, expect, it } from 'vitest';
import { sessionNames } from '../../evals/harness/sessions/folder.ts';
import { type Played, playSession } from '../../evals/harness/sessions/play.ts';
import {
  loadSession,
  requestIn,
  type Session,
  type SessionStep,
  sessionFolder,
} from '../../evals/harness/sessions/session.ts';
import { sessionText } from '../../evals/harness/sessions/text.ts';
import { operationAt } from '../../evals/harness/world/operation-at.ts';
import type { Operation } from '../../src/core/operation.ts';
import { contract } from '../../src/domains/index.ts';

const session = (...steps: readonly SessionStep[]): Session => ({
  name: 'one',
  about: 'One.',
  sandbox: {},
  steps: [...steps],
});
const play = (...steps: readonly SessionStep[]): Promise<readonly Played[]> => playSession(session(...steps));
const last = async (...steps: readonly SessionStep[]) => (await play(...steps)).at(-1)?.answer;

const plan = {
  planInformation: {
    code: 'T-1',
    name: 'Tea',
    billingPeriod: { length: '1', unit: 'M' },
    billingCycles: { total: '3' },
  },
  orderInformation: { amountDetails: { billingAmount: '10.00', currency: 'GBP' } },
};
const madePlan: SessionStep = { 'POST /rbs/v1/plans': plan, as: 'tea' };

describe('a step of a session', () => {
  it('has another value, or none, at some paths of its body', () => {
    const { body } = requestIn({
      'POST /a': { one: { two: [1, { three: 3 }] }, four: 4, five: 5 },
      but: { 'one.two.1.three': 'III', 'six.seven': 7 },
      without: ['four', 'one.two.0'],
    }) ?? { body: undefined };
    expect(body).toEqual({ one: { two: [{ three: 'III' }] }, five: 5, six: { seven: 7 } });
  });

  it('names what an earlier one was answered, in its path and its body', async () => {
    const answer = await last(
      madePlan,
      {
        'POST /rbs/v1/plans': plan,
        but: { 'planInformation.name': '$tea.planInformation.code', 'planInformation.code': 'T-2' },
        as: 'other',
      },
      'GET /rbs/v1/plans/$other.id',
    );
    expect(answer).toMatchObject({ status: 200, body: { planInformation: { name: 'T-1', code: 'T-2' } } });
  });

  it('can be varied: every other body is answered, and nothing of it stays', async () => {
    const played = await play({ ...madePlan, vary: true } as SessionStep, 'GET /rbs/v1/plans?limit=5');
    const [made, listed] = played;
    const statusOf = (what: string) => made?.otherwise.find((one) => one.what === what)?.status;
    expect(statusOf('without planInformation.name')).toBe(400);
    expect(statusOf('orderInformation.amountDetails.billingAmount 10.005')).toBe(400);
    expect(statusOf('without planInformation.code')).toBe(201);
    expect(listed?.answer?.body).toMatchObject({ totalCount: 1 });
  });

  it('is refused without a signature, and where it names nothing', async () => {
    expect(await last({ 'GET /rbs/v1/plans': null, unsigned: true })).toMatchObject({ status: 401 });
    expect(await sessionText(session('GET /rbs/v1/plans/$nothing.id'))).toContain('$nothing.id');
  });
});

describe('a session', () => {
  it('has its own clock, and what the sandbox sent', async () => {
    const played = await play(
      { 'POST /sandbox/faults': { on: '*', kind: 'timeout-after-commit' } },
      'GET /rbs/v1/plans',
      { advance: 'P1D' },
      'GET /sandbox/clock',
    );
    expect(played.map(({ answer }) => answer?.status)).toEqual([200, 0, 200, 200]);
    expect(played.at(-1)?.answer?.body).toMatchObject({ now: '2026-01-16T09:00:00.000Z' });
  });

  it('calls every operation, over HTTP or at the reader', () => {
    const steps = sessionNames(sessionFolder).flatMap((name) => loadSession(name).steps);
    const called = new Set(
      steps.flatMap((step) => {
        if (typeof step === 'object' && 'reader' in step) return [step.reader];
        const { method, path } = requestIn(step) ?? { method: '', path: '' };
        const operation = operationAt(method, path.split('?')[0] ?? '');
        return Object.entries<Operation>(contract).flatMap(([name, it]) => (it === operation ? [name] : []));
      }),
    );
    expect(
      Object.keys(contract).filter((name) => !called.has(name)),
      'a session in evals/sandbox calls each',
    ).toEqual([]);
  });

  it('reads the same each time', async () => {
    const one = loadSession('purchase-ends');
    expect(await sessionText(one)).toBe(await sessionText(one));
  });
});

describe('the sandbox', () => {
  const subscribed: SessionStep = {
    'POST /rbs/v1/subscriptions': {
      subscriptionInformation: { name: 'Follows', planId: '$tea.id', startDate: '2026-01-20T08:00:00Z' },
      paymentInformation: { customer: { id: 'FACE00000000000000000000000C0001' } },
    },
    as: 'follows',
  };
  const amended = (applyTo: string): SessionStep => ({
    'PATCH /rbs/v1/plans/$tea.id': {
      planInformation: { billingCycles: { total: '7' } },
      processingInformation: { subscriptionBillingOptions: { applyTo } },
    },
  });

  it('amends subscriptions by what is asked for all of them, also where the plan had that before', async () => {
    const totalAfter = async (...amendments: readonly SessionStep[]) =>
      last(madePlan, subscribed, ...amendments, 'GET /rbs/v1/subscriptions/$follows.id');
    const total = (it: string) => ({ body: { planInformation: { billingCycles: { total: it } } } });
    expect(await totalAfter(amended('NEW'))).toMatchObject(total('3'));
    expect(await totalAfter(amended('NEW'), amended('ALL'))).toMatchObject(total('7'));
  });

  it('lists e-mails by their time, those of a card reader, too', async () => {
    const sold = ['counter-1', 'counter-2', 'counter-3', 'counter-4'].flatMap((customIdentifier): SessionStep[] => [
      { reader: 'chargeDevice', body: { amount: '10.50', currency: 'GBP', customIdentifier }, as: 'sale' },
      { reader: 'sendDeviceReceipt', body: { forID: '$sale.identifier' } },
      { advance: 'PT1S' },
    ]);
    const answer = await last({ 'POST /sandbox/reader': { state: 'enrolled' } }, ...sold, 'GET /sandbox/outbox');
    const begins = Date.parse('2026-01-15T09:00:00Z');
    const emails = [0, 1, 2, 3].map((seconds) => ({ at: begins + seconds * 1_000 }));
    expect(answer?.body).toMatchObject({ total: 4, emails });
  });

  it("names the field of a card reader's call that leads to nothing", async () => {
    const nothing = { reader: 'refundDeviceTransaction', body: { withID: 'nothing', amount: '1.00', currency: 'GBP' } };
    expect(JSON.stringify(await last({ 'POST /sandbox/reader': { state: 'enrolled' } }, nothing))).toContain('withID');
  });

  it('announces no type where it answers nothing', async () => {
    expect(await last('OPTIONS /rbs/v1/plans')).toMatchObject({ status: 204, body: '' });
    const deleted = await last('DELETE /rbs/v1/plans/nothing', 'OPTIONS /rbs/v1/plans');
    expect(deleted?.headers).not.toHaveProperty('content-type');
  });
});
