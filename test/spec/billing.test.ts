import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { Operation } from '../../src/core/operation.ts';
import { billing } from '../../src/domains/billing/contract.ts';
import { billingError } from '../../src/domains/billing/errors.ts';
import { apart, bodiesOf, sameAs200 } from './compare.ts';
import { fields, table } from './document.ts';
import { parts, printed } from './shape.ts';

const page = 'billing-fields.md';
const operations: readonly (readonly [string, Operation])[] = Object.entries(billing);

describe('the endpoints of document 2', () => {
  const calls = operations.flatMap(([, { call, also = [] }]) => [call, ...also]);

  it.each(table('document-2.md', 'Endpoints of recurring billing'))('%s: %s %s', (_, method, path) => {
    expect(calls).toContain(`${method} ${path}`);
  });

  it('are all there is besides what public models of the platform’s clients add', () => {
    const shown = table('document-2.md', 'Endpoints of recurring billing').map(
      ([, method, path]) => `${method} ${path}`,
    );
    expect(calls.filter((call) => !shown.includes(call))).toEqual([
      'PATCH /rbs/v1/plans/{id}/activate',
      'PATCH /rbs/v1/plans/{id}/deactivate',
      'GET /rbs/v1/subscriptions',
      'GET /rbs/v1/subscriptions/code',
      'POST /rbs/v1/subscriptions/{id}/suspend',
      'POST /rbs/v1/subscriptions/{id}/activate',
      'PUT /rbs/v1/subscriptions/{id}/payments',
      'GET /rbs/v1/subscriptions/follow-ons/{requestId}',
      'POST /rbs/v1/subscriptions/follow-ons/{requestId}',
    ]);
  });
});

describe('the fields of document 2', () => {
  const every = (name: string) => [
    ...operations
      .flatMap(([, it]) => [it.body, ...Object.values(it.output)])
      .flatMap((schema) =>
        schema === undefined ? [] : parts(schema).filter(({ path }) => path.replace(/^\w+\[\]\./, '') === name),
      ),
  ];
  const rows = [...table('document-2.md', 'Plan fields'), ...table('document-2.md', 'Subscription fields')];

  it.each(rows.flatMap(([names = '', , rule = '']) => names.split(', ').map((name) => [name, rule])))(
    '%s is carried: %s',
    (name) => {
      expect(every(name)).not.toEqual([]);
    },
  );

  it('are required on create where the document says so', () => {
    const wanted = (rows: readonly (readonly string[])[]) =>
      rows.filter(([, , rule = '']) => /^required($|;| on create$| \()/.test(rule)).map(([name]) => name);
    const needs = (schema: z.ZodType) =>
      parts(schema)
        .filter((part) => part.always)
        .map((part) => part.path);
    expect(needs(billing.createPlan.body as z.ZodType)).toEqual(
      expect.arrayContaining(wanted(table('document-2.md', 'Plan fields'))),
    );
    // A one-time plan has no id: its schedule stands in the request instead (SB-01 says that one of them must).
    expect(needs(billing.createSubscription.body as z.ZodType)).toEqual(
      expect.arrayContaining(
        wanted(table('document-2.md', 'Subscription fields')).filter(
          (name) => name !== 'subscriptionInformation.planId',
        ),
      ),
    );
  });
});

// Members of the public lists that no request or answer of ours names, each with its reason. A real client may send, and the
// platform answer, any of them: every object is loose. `notShown` says why nobody authors or reads it here.
const notShown: Readonly<Record<string, string>> = {
  'processingInformation.commerceIndicator':
    'the platform knows that a subscription recurs; no agent may say otherwise',
  'processingInformation.authorizationOptions': 'holds the initiator alone',
  'processingInformation.authorizationOptions.initiator': 'holds its type alone',
  'processingInformation.authorizationOptions.initiator.type': 'the platform takes the merchant for a subscription',
  processingInformation: 'holds what is named above alone',
};
const bank = 'no bank account is shown to an agent';
const number = 'no card number is read, masked or not';
const person = 'more of a person than an agent needs';
const notRead: readonly (readonly [RegExp, string])[] = [
  [/^paymentInstrument\.bankAccount\b/, bank],
  [/^paymentInstrument\.card\.number$/, number],
  [/^paymentInstrument\.buyerInformation\b/, person],
  [/^paymentInstrument\.billTo\.(?!firstName|lastName)/, person],
  [/^shippingAddress\.shipTo\b/, person],
];

const schemas = bodiesOf(operations, {
  'deactivatePlan 200': 'activatePlan 200',
  'createFollowOnSubscription 201': 'createSubscription 201',
  ...sameAs200('skipSubscriptionPayments'),
});
const requests = schemas.filter(([heading]) => heading.endsWith('request'));
/** What sets the requests of ours apart from the public ones, in one way. */
const ofRequests = (way: 'added' | 'looser') =>
  requests.flatMap(([heading, schema]) =>
    apart(printed(schema), fields(page, heading))[way].map((it) => `${heading}: ${it}`),
  );

describe('the public field lists', () => {
  it.each(schemas)('%s: every member is carried, or its absence has a reason', (heading, schema) => {
    const { leftOut } = apart(printed(schema), fields(page, heading));
    const unexplained = leftOut.filter(
      (field) => !(heading.endsWith('request') && field in notShown) && !notRead.some(([path]) => path.test(field)),
    );
    expect(unexplained).toEqual([]);
  });

  it('give every request of ours its members, but for what the document adds, and ask for nothing that we could leave out', () => {
    expect([ofRequests('added'), ofRequests('looser')]).toEqual([[], []]);
  });

  it('name every reason for a member that they hold', () => {
    const members = new Set(
      schemas.flatMap(([heading]) => fields(page, heading).map((line) => line.replace(/ \*$/, ''))),
    );
    expect(Object.keys(notShown).filter((field) => !members.has(field))).toEqual([]);
    expect(notRead.filter(([path]) => ![...members].some((field) => path.test(field)))).toEqual([]);
  });
});

it('answers with the published status codes', () => {
  const codes = operations.map(([name, it]) => [name, Object.keys(it.output).join(' ')]);
  expect(Object.fromEntries(codes)).toEqual({
    ...{ createPlan: '201', listPlans: '200', getPlan: '200', getPlanCode: '200', amendPlan: '200' },
    ...{ activatePlan: '200', deactivatePlan: '200', deletePlan: '200' },
    ...{ createSubscription: '201', listSubscriptions: '200', getSubscription: '200', getSubscriptionCode: '200' },
    ...{ updateSubscription: '200', cancelSubscription: '202', suspendSubscription: '202' },
    ...{ reactivateSubscription: '200', listSubscriptionPayments: '200' },
    // Document 2: any 200-level status is a success.
    skipSubscriptionPayments: '200 201 202 203',
    ...{ getFollowOn: '200', createFollowOnSubscription: '201' },
  });
});

it('has the error body of the document', () => {
  expect(printed(billingError.schema)).toEqual([
    'submitTimeUtc',
    'status *',
    'reason *',
    'message',
    'details[]',
    'details[].field',
    'details[].reason',
  ]);
});
